import { dataset } from '../graphql/mutating.js';

export const ASPECT = 'versionProperties';

/** What `versionProperties` say of a version. */
export const version = (set: string, sortId: string, more: object = {}) => ({
  versionSet: set,
  version: { versionTag: sortId },
  sortId,
  ...more,
});

/** URNs of a set and of three datasets that may be its versions; the name stands in all of them. */
interface NewSet {
  readonly name: string;
  readonly set: string;
  readonly urns: [string, string, string];
}

/** Names sets, each differently. */
export function setsNamed(prefix: string): () => NewSet {
  let sets = 0;
  return () => {
    const name = `${prefix}_${++sets}`;
    const urn = (letter: string) => dataset(`${name}_${letter}`);
    return { name, set: `urn:li:versionSet:(${name},dataset)`, urns: [urn('a'), urn('b'), urn('c')] };
  };
}
