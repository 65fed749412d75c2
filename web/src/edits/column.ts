import { editedColumn, factsOf, type Aspects } from '../entity/facts.js';
import { plainPath } from '../words.js';
import { merged, type Edit } from './edit.js';
import { attach, describe, namesOf, TAG, TERM, type Place } from './kinds.js';

/** What people say about a column, beside what its source says. */
export interface ColumnText {
  readonly description: string;
  readonly tags: readonly string[];
  readonly terms: readonly string[];
}

export function columnEdit(path: string): Edit<ColumnText> {
  return {
    read: (aspects) => editedColumn(aspects, path),
    plan: (target, from, to) => {
      const place: Place = { resourceUrn: target.urn, subResource: path, subResourceType: 'DATASET_FIELD' };
      const name = plainPath(path);
      return [
        ...describe(place, name, from.description, to.description),
        ...attach(TAG, place, { ...target, name }, from.tags, to.tags),
        ...attach(TERM, place, { ...target, name }, from.terms, to.terms),
      ];
    },
    inWords: ({ description, tags, terms }, nameOf) =>
      `description ${description ? `“${description}”` : 'empty'}, tags ${namesOf(tags, nameOf)}, terms ${namesOf(terms, nameOf)}`,
    merge: (from, draft, latest) => ({
      description: draft.description === from.description ? latest.description : draft.description,
      tags: merged(from.tags, draft.tags, latest.tags),
      terms: merged(from.terms, draft.terms, latest.terms),
    }),
  };
}

/** What the source of a column says: shown beside what people write. */
export function ingestedColumn(aspects: Aspects, path: string): ColumnText | undefined {
  return factsOf({ schemaMetadata: aspects['schemaMetadata'] }).columns.find((one) => one.path === path) as
    ColumnText | undefined;
}
