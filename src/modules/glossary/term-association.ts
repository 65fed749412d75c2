import type { AssociationKind } from '../ingest/index.js';

/** How glossary terms are attached to entities and columns. */
export const TERMS: AssociationKind = {
  entity: 'glossaryTerm',
  what: 'glossary terms',
  aspect: 'glossaryTerms',
  list: 'terms',
  key: 'urn',
  stamp: (auditStamp) => ({ auditStamp }),
  element: (urn, { actor }) => ({ urn, actor }),
};
