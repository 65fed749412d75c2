import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded } from './support.js';

const MODEL = 'urn:li:semanticModel:(urn:li:dataPlatform:snowflake,shop,pots)';
const METRIC = 'urn:li:metric:(urn:li:dataPlatform:snowflake,shop,sold)';
const SALES = dataset('sales');
const COLUMN = `urn:li:schemaField:(${SALES},sold)`;
const CHART = 'urn:li:chart:(looker,sold)';

/** What the field's SDK writes of semantic models and metrics, and its ingestion of assertions and documents. */
const WRITTEN: ReadonlyArray<[urn: string, aspect: string, record: string, value: object]> = [
  [MODEL, 'aiContext', 'common.AiContext', { synonyms: ['crockery'], customInstructions: 'Briefly' }],
  [METRIC, 'aiContext', 'common.AiContext', { instructions: 'Pots alone', examples: ['How many?'] }],
  [
    SALES,
    'semanticModelProperties',
    'dataset.SemanticModelProperties',
    { alias: 'sales', semanticModel: MODEL },
  ],
  [
    COLUMN,
    'semanticFieldAnnotation',
    'semanticmodel.SemanticFieldAnnotation',
    {
      type: 'DIMENSION',
      expression: { dialects: [{ dialect: 'SNOWFLAKE', expression: 'sales.sold' }] },
      dimension: { isTime: true },
    },
  ],
  [COLUMN, 'aiContext', 'common.AiContext', { synonyms: ['amount'] }],
  [CHART, 'upstreamMetrics', 'common.UpstreamMetrics', { metrics: [{ destinationUrn: METRIC }] }],
  [
    'urn:li:assertion:sold',
    'assertionNote',
    'assertion.AssertionNote',
    { content: 'Ask the shop', lastModified: { time: 1, actor: 'urn:li:corpuser:ada' } },
  ],
  ['urn:li:document:care', 'semanticText', 'common.SemanticText', { text: 'dishwashers and kaolin' }],
];

describe('semantic models', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...WRITTEN.map(([urn, aspect, , value]): [string, string, object] => [urn, aspect, value]),
    );
  });
  afterAll(() => catalog?.stop());

  it.each(WRITTEN)('%s: %s is read as %s', async (urn, aspect, record, value) => {
    const answer = await catalog.get(`/aspects/${encoded(urn)}?aspect=${aspect}&version=0`);
    expect(answer.body.aspect).toEqual({ [`com.linkedin.${record}`]: value });
  });

  it('relate datasets to the model and charts to the metric', async () => {
    const above = async (urn: string, type: string): Promise<unknown> => {
      const query = `urn=${encoded(urn)}&direction=OUTGOING&relationshipTypes=${type}`;
      const answer = await catalog.get(`/openapi/relationships/v1/?${query}`);
      return answer.body.entities.map((entity: { urn: string }) => entity.urn);
    };
    expect(await above(SALES, 'IsPartOf')).toEqual([MODEL]);
    expect(await above(CHART, 'ConsumesMetric')).toEqual([METRIC]);
  });

  it('a document is found by the text that stands for it', async () => {
    const search = { entity: 'document', input: 'kaolin', start: 0, count: 5 };
    const answer = await catalog.post('/entities?action=search', search);
    expect(answer.body.value.entities).toEqual(['urn:li:document:care']);
  });
});
