import { ask } from '../api.js';
import {
  AddTagsDocument,
  AddTermsDocument,
  RemoveTagDocument,
  RemoveTermDocument,
  UpdateDescriptionDocument,
} from '../generated.js';
import { at, descriptionOf, factsOf, list, writtenDescription } from '../entity/facts.js';
import { without, type Edit, type ListEdit, type Step } from './edit.js';

/** A list to which entities are added together and from which they are taken one by one. */
function associations(
  noun: string,
  how: Pick<ListEdit, 'types' | 'read' | 'expect'> & {
    add: (resourceUrn: string, urns: string[]) => Promise<unknown>;
    remove: (resourceUrn: string, urn: string) => Promise<unknown>;
  },
): ListEdit {
  return {
    ...how,
    plan: ({ urn, name, nameOf }, from, to) => {
      const added = without(to, from);
      const names = added.map(nameOf).join(', ');
      const steps: Step[] = without(from, to).map((one) => ({
        words: `Takes the ${noun} ${nameOf(one)} from ${name}`,
        run: () => how.remove(urn, one),
      }));
      if (added.length > 0)
        steps.push({
          words: `Adds the ${noun}${added.length > 1 ? 's' : ''} ${names} to ${name}`,
          run: () => how.add(urn, added),
        });
      return steps;
    },
    inWords: (urns, nameOf) => urns.map(nameOf).join(', ') || 'none',
    merge: (from, draft, latest) => [
      ...without(latest, without(from, draft)),
      ...without(without(draft, from), latest),
    ],
  };
}

export const TAGS = associations('tag', {
  types: ['TAG'],
  read: (aspects) => factsOf(aspects).tags,
  add: (resourceUrn, tagUrns) => ask(AddTagsDocument, { input: { resourceUrn, tagUrns } }),
  remove: (resourceUrn, tagUrn) => ask(RemoveTagDocument, { input: { resourceUrn, tagUrn } }),
  expect: (aspects, to) => ({
    ...aspects,
    globalTags: {
      ...(aspects['globalTags'] as object),
      tags: kept(aspects['globalTags'], 'tags', 'tag', to),
    },
  }),
});

export const TERMS = associations('term', {
  types: ['GLOSSARY_TERM'],
  read: (aspects) => factsOf(aspects).terms,
  add: (resourceUrn, termUrns) => ask(AddTermsDocument, { input: { resourceUrn, termUrns } }),
  remove: (resourceUrn, termUrn) => ask(RemoveTermDocument, { input: { resourceUrn, termUrn } }),
  expect: (aspects, to) => ({
    ...aspects,
    glossaryTerms: {
      ...(aspects['glossaryTerms'] as object),
      terms: kept(aspects['glossaryTerms'], 'terms', 'urn', to),
    },
  }),
});

/** The elements of a list as they are, with new ones behind them. */
function kept(value: unknown, field: string, key: string, urns: readonly string[]): unknown[] {
  const there = new Map(list(at(value, field)).map((one) => [at(one, key), one]));
  return urns.map((urn) => there.get(urn) ?? { [key]: urn });
}

export const DESCRIPTION: Edit<string> = {
  read: (aspects, urn) => writtenDescription(aspects, urn),
  begin: (aspects) => descriptionOf(aspects) ?? '',
  plan: ({ urn, name }, from, to) =>
    from === to
      ? []
      : [
          {
            words:
              to === ''
                ? `Removes what people wrote as the description of ${name}`
                : `${from === '' ? 'Writes' : 'Replaces'} the description of ${name}`,
            run: () => ask(UpdateDescriptionDocument, { input: { resourceUrn: urn, description: to } }),
          },
        ],
  inWords: (text) => text || 'empty',
};
