import { ask } from '../api.js';
import { factsOf, type Deprecation } from '../entity/facts.js';
import { SetRemovedDocument, UpdateDeprecationDocument, type UpdateDeprecationInput } from '../generated.js';
import { columnOf, dayText } from '../words.js';
import { same, type Edit } from './edit.js';

/** Whether an entity should no longer be used, and what its users should know; null where it may be used. */
export const DEPRECATION: Edit<Deprecation | null> = {
  read: (aspects) => factsOf(aspects).deprecation ?? null,
  plan: ({ urn, name, nameOf }, from, to) => {
    if (same(from, to)) return [];
    const { note = '', replacement, decommissionTime } = to ?? {};
    return [
      {
        words:
          to === null
            ? [`Says that ${name} may be used again`]
            : [`${from === null ? 'Deprecates' : 'Changes the deprecation of'} ${name}${moreOf(to, nameOf)}`],
        run: () =>
          ask(UpdateDeprecationDocument, {
            input: { ...placeOf(urn), deprecated: to !== null, note, replacement, decommissionTime },
          }),
        field: (pointer) => /^\/input\/(note|replacement|decommissionTime)/.exec(pointer)?.[1],
      },
    ];
  },
  inWords: (value, nameOf) => (value === null ? 'not deprecated' : `deprecated${moreOf(value, nameOf)}`),
};

/** Columns are named by their table, as nothing may be stored of them yet. */
function placeOf(urn: string): Pick<UpdateDeprecationInput, 'urn' | 'subResource' | 'subResourceType'> {
  const column = columnOf(urn);
  if (!column) return { urn };
  return { urn: column.table, subResource: column.path, subResourceType: 'DATASET_FIELD' };
}

function moreOf(
  { note, replacement, decommissionTime }: Deprecation,
  nameOf: (urn: string) => string,
): string {
  const parts = [
    decommissionTime !== undefined && `gone on ${dayText(decommissionTime)}`,
    replacement !== undefined && `with ${nameOf(replacement)} in its place`,
    note !== '' && `with the note “${note}”`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `, ${parts.join(', ')}` : '';
}

/** Soft deletion. */
export const REMOVAL: Edit<boolean> = {
  read: (aspects) => factsOf(aspects).removed,
  plan: ({ urn, name }, from, to) =>
    from === to
      ? []
      : [
          {
            words: [to ? `Removes ${name} from searches and lists` : `Brings ${name} back`],
            run: () => ask(SetRemovedDocument, { input: { urns: [urn], deleted: to } }),
          },
        ],
  inWords: (removed) => (removed ? 'removed' : 'there'),
  expect: (aspects, removed) => ({
    ...aspects,
    status: { ...(aspects['status'] as object), removed },
  }),
};
