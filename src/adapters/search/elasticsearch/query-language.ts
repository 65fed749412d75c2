/** A query in the language of the engine. */
export type Query = Record<string, unknown>;

/** The kernel has refused expressions that come anywhere near; each of its states is some here, which count bytes. */
export const MAX_REGEXP_STATES = 20_000;

/** The most clauses of one boolean query. */
const MAX_CLAUSES = 1000;

export const NOTHING: Query = { match_none: {} };

export function every(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!;
  return { bool: { filter: nested(queries, every) } };
}

export function any(queries: readonly Query[]): Query {
  if (queries.length === 0) return NOTHING;
  if (queries.length === 1) return queries[0]!;
  return { bool: { should: nested(queries, any), minimum_should_match: 1 } };
}

/** No more clauses than one boolean query may have. */
function nested(queries: readonly Query[], join: (queries: readonly Query[]) => Query): readonly Query[] {
  if (queries.length <= MAX_CLAUSES) return queries;
  const groups: Query[] = [];
  for (let from = 0; from < queries.length; from += MAX_CLAUSES) {
    groups.push(join(queries.slice(from, from + MAX_CLAUSES)));
  }
  return nested(groups, join);
}
