import { ask } from '../api.js';
import { factsOf, type EntityLinkTo } from '../entity/facts.js';
import { AddLinkDocument, RemoveLinkDocument, UpdateLinkDocument } from '../generated.js';
import { merged, without, type Edit, type Step } from './edit.js';

/** What the mutations are told of where a link is shown. */
const settingsOf = ({ preview }: EntityLinkTo) =>
  preview === undefined ? undefined : { showInAssetPreview: preview };

function wordsOf(name: string, before: EntityLinkTo, { url, label, preview }: EntityLinkTo): string[] {
  return [
    before.label !== label && `Calls the link “${before.label}” of ${name} “${label}”`,
    before.url !== url && `Leads the link “${label}” of ${name} to ${url}`,
    (before.preview ?? false) !== (preview ?? false) &&
      `${preview ? 'Shows' : 'No longer shows'} the link “${label}” in previews of ${name}`,
  ].filter((words) => words !== false);
}

/** Links to documentation. */
export const LINKS: Edit<readonly EntityLinkTo[]> = {
  read: (aspects) => factsOf(aspects).links,
  plan: ({ urn: resourceUrn, name }, from, draft) => {
    // What is empty in the form is none.
    const to = draft.filter(({ url, label }) => url !== '' || label !== '');
    const gone = without(from, to);
    const steps: Step[] = [];
    const fieldOf = (link: EntityLinkTo) => (pointer: string) => {
      const [, part] = /^\/input\/(linkUrl|label)$/.exec(pointer) ?? [];
      return part && `${part} ${draft.indexOf(link)}`;
    };
    for (const link of without(to, from)) {
      const { url, label } = link;
      const settings = settingsOf(link);
      const before = gone.find((one) => one.url === url || one.label === label);
      if (before) {
        gone.splice(gone.indexOf(before), 1);
        steps.push({
          words: wordsOf(name, before, link),
          run: () =>
            ask(UpdateLinkDocument, {
              input: {
                resourceUrn,
                currentUrl: before.url,
                currentLabel: before.label,
                linkUrl: url,
                label,
                settings,
              },
            }),
          field: fieldOf(link),
        });
      } else {
        steps.push({
          words: [`Adds the link “${label}” to ${name}`],
          run: () => ask(AddLinkDocument, { input: { resourceUrn, linkUrl: url, label, settings } }),
          field: fieldOf(link),
        });
      }
    }
    return [
      ...gone.map(({ url, label }) => ({
        words: [`Takes the link “${label}” from ${name}`],
        run: () => ask(RemoveLinkDocument, { input: { resourceUrn, linkUrl: url, label } }),
      })),
      ...steps,
    ];
  },
  inWords: (links) => links.map(({ url, label }) => `${label} (${url})`).join(', ') || 'none',
  merge: merged,
};
