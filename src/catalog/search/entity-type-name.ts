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

function spelled(entity: string): string {
  const special = Object.hasOwn(SPECIAL, entity) ? SPECIAL[entity] : undefined;
  if (special !== undefined) return special;
  return entity
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase()
    .replace(/^DATA_HUB_/, '');
}
