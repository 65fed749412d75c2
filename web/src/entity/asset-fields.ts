/** By the type of an entity: the field with which assets name it. */
export const ASSET_FIELDS = {
  corpuser: 'owners',
  corpGroup: 'owners',
  tag: 'tags',
  glossaryTerm: 'glossaryTerms',
  domain: 'domains',
  container: 'container',
  dataPlatform: 'platform',
} as const;
