import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data } from '../graphql/support.js';

/** As a person puts them in order. */
const NAMES = [
  '10 Days',
  '_raw',
  'Äpfel',
  'apple',
  'Banana',
  'cherry',
  'Straße',
  'strategy',
  'Zebra',
  'Ωmega',
];
const QUERY = `query ($count: Int!, $scrollId: String, $field: String!, $order: SortOrder!) {
  scrollAcrossEntities(input: { types: [DATASET, CHART], query: "*", count: $count, scrollId: $scrollId,
    sortInput: { sortCriteria: [{ field: $field, sortOrder: $order }] } }) {
    nextScrollId searchResults { entity { ... on Dataset { displayName } ... on Chart { displayName } } } }
}`;

describe('the order of names', () => {
  let catalog: TestCatalog;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const stamp = { time: 0, actor: 'urn:li:corpuser:a' };
    await catalog.ingest(
      ...NAMES.toReversed().map((name, i): [string, string, object] =>
        i % 3 === 0
          ? [
              `urn:li:chart:(looker,c${i})`,
              'chartInfo',
              { title: name, description: '', lastModified: { created: stamp, lastModified: stamp } },
            ]
          : [`urn:li:dataset:(urn:li:dataPlatform:hive,d${i},PROD)`, 'datasetProperties', { name }],
      ),
    );
  });
  afterAll(() => catalog.stop());

  const walked = async (field: string, order: string): Promise<string[]> => {
    const found: string[] = [];
    let scrollId: string | null = null;
    do {
      const { scrollAcrossEntities: page }: any = await data(catalog, QUERY, {
        ...{ field, order, scrollId, count: 3 },
      });
      found.push(...page.searchResults.map(({ entity }: any) => entity.displayName));
      scrollId = page.nextScrollId;
    } while (scrollId !== null);
    return found;
  };

  it.each(['name', '_entityName'])('by %s takes no heed of case and accents, page by page', async (field) => {
    expect(await walked(field, 'ASCENDING')).toEqual(NAMES);
    expect(await walked(field, 'DESCENDING')).toEqual(NAMES.toReversed());
  });

  it('holds in the other APIs', async () => {
    const datasets = NAMES.filter((_, i) => (NAMES.length - 1 - i) % 3 !== 0);
    const { body } = await catalog.get('/openapi/v3/entity/dataset?sort=name&aspects=datasetProperties');
    expect(body.entities.map(({ datasetProperties }: any) => datasetProperties.value.name)).toEqual(datasets);
    const asked = {
      entity: 'dataset',
      input: '*',
      start: 0,
      count: 1,
      sort: { field: 'name', order: 'ASCENDING' },
    };
    const { body: found } = await catalog.post('/entities?action=search', asked);
    expect(found.value.metadata.urns).toEqual([body.entities[0].urn]);
  });

  it('is that of code points where the whole value is asked for', async () => {
    const { body } = await catalog.get(
      '/openapi/v3/entity/dataset?sort=name.keyword&aspects=datasetProperties',
    );
    const names = body.entities.map(({ datasetProperties }: any) => datasetProperties.value.name);
    expect(names).toEqual(['Banana', 'Zebra', '_raw', 'cherry', 'strategy', 'Äpfel']);
  });

  it('says nothing of itself', async () => {
    const query = `{ searchAcrossEntities(input: { types: [DATASET], query: "/q \\\\*:banana" }) { total searchResults { matchedFields { name } } } }`;
    const { searchAcrossEntities }: any = await data(catalog, query);
    expect(JSON.stringify(searchAcrossEntities)).not.toContain('Order');
  });
});
