import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';

const MEGABYTE = 'x'.repeat(1024 * 1024);
/** Of a megabyte each: more than an operation may hold here. */
const MANY = 10;
const URN = dataset('long.table');

const WITH_PROFILES = `query profiles($urn: String!, $limit: Int) {
  dataset(urn: $urn) { datasetProfiles(limit: $limit) { timestampMillis fieldProfiles { min } } }
}`;
const WITH_DESCRIPTIONS = `query found($count: Int) {
  searchAcrossEntities(input: { types: [CHART], query: "*", count: $count }) {
    searchResults { entity { ... on Chart { properties { description } } } }
  }
}`;

/** What an operation may hold of values, however few fields it asks for. */
describe('operations over long values', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_GRAPHQL_MAX_VALUES: '8MiB' });
    for (let i = 0; i < MANY; i += 1)
      await catalog.ingest(
        [
          URN,
          'datasetProfile',
          { timestampMillis: 1000 + i, fieldProfiles: [{ fieldPath: 'a', min: MEGABYTE }] },
        ],
        [
          `urn:li:chart:(looker,long.${i})`,
          'chartInfo',
          {
            title: `long ${i}`,
            description: MEGABYTE,
            lastModified: {
              created: { time: 1, actor: 'urn:li:corpuser:a' },
              lastModified: { time: 1, actor: 'urn:li:corpuser:a' },
            },
          },
        ],
      );
  });
  afterAll(() => catalog.stop());

  const run = async (query: string, variables: object) =>
    (await catalog.post('/api/graphql', { query, variables })).body;

  it('are answered while they are bearable', async () => {
    const profiles = await run(WITH_PROFILES, { urn: URN, limit: 3 });
    expect(profiles.errors).toBeUndefined();
    expect(
      profiles.data.dataset.datasetProfiles.map(
        ({ timestampMillis }: { timestampMillis: number }) => timestampMillis,
      ),
    ).toEqual([1, 2, 3].map((i) => 1000 + MANY - i));
    const charts = await run(WITH_DESCRIPTIONS, { count: 3 });
    expect(charts.errors).toBeUndefined();
    expect(charts.data.searchAcrossEntities.searchResults).toEqual(
      Array.from({ length: 3 }, () => ({ entity: { properties: { description: MEGABYTE } } })),
    );
  });

  it.each([
    ['events', WITH_PROFILES, { urn: URN, limit: 1_000 }],
    ['entities', WITH_DESCRIPTIONS, { count: 1_000 }],
  ])('are ended where there are too many %s', async (_, query, variables) => {
    const { errors } = await run(query, variables);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/more than 8388608 characters, .* ask for smaller pages$/),
      extensions: { errorCode: 'GRAPHQL_TOO_COSTLY' },
    });
  });
});
