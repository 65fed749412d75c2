// Datasets with the names and words that people use: few words are common, most are rare.
const words = (text) => text.split(' ');
export const NOUNS = words(
  'orders customers payments invoices shipments inventory products sessions events clicks users accounts ledger ' +
    'revenue refunds carts campaigns leads contracts suppliers warehouses prices discounts returns reviews tickets ' +
    'agents calls messages emails visits pages searches experiments features models scores predictions forecasts ' +
    'budgets costs salaries employees departments teams projects tasks incidents alerts metrics logs traces hosts ' +
    'services deployments releases builds tests coverage regions countries cities stores channels segments cohorts ' +
    'funnels subscriptions plans trials renewals churn loyalty points rewards coupons gifts taxes currencies rates ' +
    'balances transactions transfers fees loans credits risks frauds claims policies',
);
const KINDS = words(
  'raw clean daily hourly monthly final staging curated enriched aggregated historical current archived legacy core ' +
    'public internal external global local unique active deleted pending approved rejected merged sampled masked',
);
export const PLATFORMS = words('hive snowflake postgres kafka bigquery redshift mysql s3 oracle looker');

/** The URN and the aspects of dataset `i`, always the same. */
export function dataset(i) {
  let state = Math.imul(i + 1, 2654435761) >>> 0 || 1;
  const random = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  const upTo = (count) => Math.floor(count * random() ** 2.5);
  const one = (list) => list[upTo(list.length)];
  const some = (most, make) => Array.from({ length: 1 + upTo(most) }, make);
  const stamp = { time: 1750000000000, actor: 'urn:li:corpuser:crawler' };
  const platform = one(PLATFORMS);
  const name = `${one(KINDS)}_${one(NOUNS)}_${one(NOUNS)}_${i}`;
  const path = `${one(NOUNS)}.schema_${upTo(60)}.${name}`;
  const urn = `urn:li:dataset:(urn:li:dataPlatform:${platform},${path},${random() < 0.8 ? 'PROD' : 'DEV'})`;
  const said = Array.from({ length: 12 }, () => (random() < 0.3 ? one(KINDS) : one(NOUNS))).join(' ');
  const aspects = {
    status: { removed: random() < 0.01 },
    datasetProperties: { name, description: `Table of ${said} for the team ${upTo(200)}`, tags: [] },
    schemaMetadata: {
      schemaName: name,
      platform: `urn:li:dataPlatform:${platform}`,
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.MySqlDDL': { tableSchema: '' } },
      fields: Array.from({ length: 10 }, () => ({
        fieldPath: `${one(NOUNS)}_${one(KINDS)}`,
        description: `${one(KINDS)} ${one(NOUNS)} of the ${one(NOUNS)}`,
        nullable: true,
        type: { type: { 'com.linkedin.schema.StringType': {} } },
        nativeDataType: 'varchar',
        recursive: false,
        isPartOfKey: false,
      })),
    },
    subTypes: { typeNames: [random() < 0.8 ? 'Table' : 'View'] },
    ownership: {
      owners: some(3, () => ({ owner: `urn:li:corpuser:user${upTo(2000)}`, type: 'TECHNICAL_OWNER' })),
      ownerTypes: {},
      lastModified: stamp,
    },
    globalTags: { tags: some(3, () => ({ tag: `urn:li:tag:${one(NOUNS)}` })) },
    domains: { domains: [`urn:li:domain:${one(NOUNS)}`] },
  };
  return { urn, aspects };
}
