import type { AssociationKind } from '../ingest/index.js';

/** How tags are put on entities and columns. */
export const TAGS: AssociationKind = {
  entity: 'tag',
  what: 'tags',
  aspect: 'globalTags',
  list: 'tags',
  key: 'tag',
  stamp: () => ({}),
  element: (tag) => ({ tag }),
};
