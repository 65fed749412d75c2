import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { data, failure } from './support.js';

const dataset = (i: number) => `urn:li:dataset:(urn:li:dataPlatform:kafka,costs.t${i},PROD)`;
const node = (name: string) => `urn:li:glossaryNode:costs-${name}`;
const COUNT = 60;

/** Lists of a thousand and more within each other, as pages of web clients ask for them: multiplied, they are beyond every limit. */
const LINKED = (types: string, below: string) =>
  `relationships(input: { types: [${types}], direction: INCOMING, start: 0, count: 10000 }) { total relationships { entity { ${below} } } }`;
const NAMED = 'urn type ... on Dataset { name } ... on GlossaryNode { properties { name } }';
const ASSET = `urn type ... on Dataset { name origin properties { name description customProperties { key value } }
  platform { name properties { displayName logoUrl } } domain { domain { properties { name } } }
  ownership { owners { type owner { ... on CorpUser { username info { displayName } } ... on CorpGroup { name } } } }
  globalTags: tags { tags { tag { name properties { name } } } } glossaryTerms { terms { term { name } } }
  schemaMetadata { fields { fieldPath type nativeDataType description tags { tags { tag { name } } } } }
  parentContainers { count containers { properties { name } } } health { type status } deprecation { deprecated }
  downstream: ${LINKED('"DownstreamOf"', `${NAMED} ... on Dataset { further: ${LINKED('"DownstreamOf"', NAMED)} }`)} }`;
const SEARCH = `query search($count: Int!) { searchAcrossEntities(input: { types: [DATASET], query: "*", start: 0, count: $count }) {
  start count total searchResults { entity { ${ASSET} } matchedFields { name value } }
  facets { field displayName aggregations { value count entity { ${NAMED} } } } } }`;
const ROOTS = `{ getRootGlossaryNodes(input: { start: 0, count: 1000 }) { total nodes { urn properties { name }
  children: ${LINKED('"IsPartOf"', `${NAMED} ... on GlossaryNode { children: ${LINKED('"IsPartOf"', `${NAMED} ... on GlossaryNode { children: ${LINKED('"IsPartOf"', NAMED)} }`)} }`)} } } }`;

describe('pages that ask for much count what they are answered', () => {
  let catalog: TestCatalog;
  let narrow: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    narrow = await TestCatalog.start({ CATALOG_GRAPHQL_MAX_COST: '3000' });
    for (const each of [catalog, narrow]) {
      const fields = Array.from({ length: 20 }, (_, i) => ({
        ...{
          fieldPath: `c${i}`,
          nativeDataType: 'int',
          type: { type: { 'com.linkedin.schema.NumberType': {} } },
        },
      }));
      const written = Array.from({ length: COUNT }, (_, i): Array<[string, string, object]> => [
        [dataset(i), 'datasetProperties', { name: `t${i}`, description: 'A table' }],
        [dataset(i), 'globalTags', { tags: [{ tag: 'urn:li:tag:costs' }] }],
        [
          dataset(i),
          'schemaMetadata',
          {
            ...{ schemaName: 's', platform: 'urn:li:dataPlatform:kafka', version: 0, hash: '', fields },
            platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '' } },
          },
        ],
        [dataset(i), 'upstreamLineage', { upstreams: [{ dataset: dataset((i + 1) % COUNT), type: 'COPY' }] }],
      ]);
      await each.ingest(...written.flat());
      await each.ingest(
        [node('root'), 'glossaryNodeInfo', { name: 'root', definition: '' }],
        [node('below'), 'glossaryNodeInfo', { name: 'below', definition: '', parentNode: node('root') }],
      );
      await until(async () => (await each.search('dataset', '*')).numEntities === COUNT);
    }
  });
  afterAll(async () => {
    await catalog?.stop();
    await narrow?.stop();
  });

  it.each([10, 50])('a page of %d hits is answered', async (count) => {
    const { searchAcrossEntities } = await data(catalog, SEARCH, { count });
    expect(searchAcrossEntities.searchResults).toHaveLength(count);
    const [{ entity }] = searchAcrossEntities.searchResults;
    expect(entity.schemaMetadata.fields).toHaveLength(20);
    expect(entity.downstream.relationships[0].entity.further.total).toBe(1);
  });

  it('the folders at the top of the glossary are answered', async () => {
    const { getRootGlossaryNodes } = await data(catalog, ROOTS);
    expect(getRootGlossaryNodes).toMatchObject({
      total: 1,
      nodes: [
        { urn: node('root'), children: { total: 1, relationships: [{ entity: { urn: node('below') } }] } },
      ],
    });
  });

  it('the same pages are answered or refused by what comes, not by what they ask for', async () => {
    expect((await data(narrow, ROOTS)).getRootGlossaryNodes.total).toBe(1);
    expect((await data(narrow, SEARCH, { count: 5 })).searchAcrossEntities.searchResults).toHaveLength(5);
    const error = await failure(narrow, SEARCH, { count: 50 });
    expect(error.message).toMatch(/more than 3000 fields/);
    expect(error.extensions.errorCode).toBe('GRAPHQL_TOO_COSTLY');
  });
});
