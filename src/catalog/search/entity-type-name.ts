/** Names that the rule below does not give. */
const SPECIAL: Readonly<Record<string, string>> = {
  corpuser: 'CORP_USER',
  mlModel: 'MLMODEL',
  mlModelGroup: 'MLMODEL_GROUP',
  mlFeature: 'MLFEATURE',
  mlFeatureTable: 'MLFEATURE_TABLE',
  mlPrimaryKey: 'MLPRIMARY_KEY',
  ownershipType: 'CUSTOM_OWNERSHIP_TYPE',
  // These keep the vendor word that others lose.
  dataHubPolicy: 'DATAHUB_POLICY',
  dataHubRole: 'DATAHUB_ROLE',
  dataHubView: 'DATAHUB_VIEW',
  dataHubConnection: 'DATAHUB_CONNECTION',
};

/** Other names of types, which clients ask with: some make every name by the rule below, some keep the vendor word of all. */
const SYNONYMS: Readonly<Record<string, string>> = {
  CONNECTION: 'DATAHUB_CONNECTION',
  DATAHUB_FILE: 'FILE',
  DATAHUB_PAGE_MODULE: 'PAGE_MODULE',
  DATAHUB_PAGE_TEMPLATE: 'PAGE_TEMPLATE',
  OWNERSHIP_TYPE: 'CUSTOM_OWNERSHIP_TYPE',
  POLICY: 'DATAHUB_POLICY',
  VIEW: 'DATAHUB_VIEW',
};

/** So many names are kept: a model has fewer entity types, and what users write may be any text. */
const MOST_KEPT = 500;
const kept = new Map<string, string>();

/**
 * The upper-case name of an entity type, as search results and GraphQL spell it: `dataset` is `DATASET`,
 * `dataFlow` is `DATA_FLOW`.
 */
export function entityTypeName(entity: string): string {
  let name = kept.get(entity);
  if (name === undefined) {
    name = spelled(entity);
    if (kept.size < MOST_KEPT) kept.set(entity, name);
  }
  return name;
}

/** The names that a type may have that is asked for by `name`: that one, and what it is a synonym of. */
export function namesAskedFor(name: string): string[] {
  const other = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined;
  return other === undefined ? [name] : [name, other];
}

function spelled(entity: string): string {
  const special = Object.hasOwn(SPECIAL, entity) ? SPECIAL[entity] : undefined;
  if (special !== undefined) return special;
  return entity
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase()
    .replace(/^DATA_HUB_/, '');
}
