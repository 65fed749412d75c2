import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

const ADA = 'urn:li:corpuser:ada';
const error = (type: string, text: string) => ({ error: type, text: expect.stringContaining(text) });

describe("the field's SDK, unmodified", () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

  const steps = (script: string, expected: Record<string, unknown>): void =>
    stepsOf(() => shop.client, script, expected);

  describe('the graph client', () => {
    const dataset = (name: string): string =>
      `urn:li:dataset:(urn:li:dataPlatform:postgres,graph.${name},PROD)`;
    const tag = 'urn:li:tag:graph_fragile';

    steps('graph.py', {
      'emitter connects': 'true',
      'graph connects': true,
      'wrong token': error('HTTPError', '401'),
      'emits one proposal': {
        name: 'teapots',
        description: 'Jede Kanne, 急須 🫖',
        customProperties: {},
        tags: [],
      },
      'emits with the emitter': { removed: false },
      'emits a batch': { chunks: expect.anything(), last: 'the last one counts' },
      'a batch with one wrong item writes nothing': {
        message: expect.stringContaining(
          'Unexpected null value found for urn:li:structuredProperty:graph.nowhere',
        ),
        written: false,
      },
      'CREATE makes an aspect once': {
        again: expect.stringContaining('has subTypes already'),
        value: { typeNames: ['Table'] },
      },
      'CREATE_ENTITY makes an entity once': {
        again: expect.stringContaining('exists already'),
        exists: true,
      },
      'DELETE of the key removes the entity': false,
      'emits a snapshot': [
        'browsePathsV2',
        'dataPlatformInstance',
        'datasetKey',
        'institutionalMemory',
        'ownership',
        'status',
      ],
      'emits everything through the batching sink': 10,
      'a refused value says why': error('OperationalError', '/managerUrn must be a URN'),
      'versions of an aspect': ['three', 'one', 'two', 'three', null],
      'whole entity': [
        'browsePathsV2',
        'dataPlatformInstance',
        'datasetKey',
        'datasetProperties',
        'globalTags',
        'ownership',
        'upstreamLineage',
      ],
      'chosen aspects': ['datasetKey', 'datasetProperties', 'globalTags'],
      'raw entity': { urn: dataset('teapots'), name: 'dataset', tags: { tags: [{ tag }] } },
      'entity as proposals': 7,
      'what is not there': [false, null, null, tag, ADA],
      'keys of every kind exist': [],
      'aspects of many kinds come back as they were': {},
      'time series, newest first': [30, 20, 10],
      'time series, limited': [30, 20],
      'latest of a time series': { rows: 30, none: null },
      'filtered time series': { updates: [2, 1], 'latest insert': 0, none: null },
      'usage between two times': [10, 20],
      'part of a time series is deleted': { deleted: 2, left: [30] },
      relationships: {
        tagged: [`TaggedWith ${dataset('cups')}`, `TaggedWith ${dataset('teapots')}`],
        'of teapots': [`DownstreamOf ${dataset('clay')}`, `OwnedBy ${ADA}`, `TaggedWith ${tag}`],
        'from clay': [`DownstreamOf ${dataset('kinds')}`, `DownstreamOf ${dataset('teapots')}`],
        nothing: [],
      },
      'relationships over several pages': 250,
      'lists URNs': { fragile: true, distinct: true, unknown: null },
      'counts aspects': [250, 1],
      searches: { count: 5, enough: true },
      timeline: {
        before: [],
        after: ['ADD DOCUMENTATION', 'ADD TAG'],
        versions: expect.arrayContaining([expect.stringMatching(/^\d+\.\d+\.\d+-computed$/)]),
      },
      'soft deletion': { removed: true, run: '__datahub-graph-client', back: true },
      'references are counted, then deleted': {
        dry: 4,
        kept: [tag],
        sample: [
          `EditableSchemaFieldTaggedWith ${dataset('kinds')} editableSchemaMetadata`,
          `TaggedWith ${dataset('cups')} globalTags`,
          `TaggedWith ${dataset('teapots')} globalTags`,
          `TaggedWith ${dataset('versions')} globalTags`,
        ],
        real: 4,
        left: [],
        again: 0,
      },
      'hard deletion': { rows: true, events: 0, exists: false, status: null, again: [0, 0] },
      'deletion of a dataset with events': [false, [], []],
      'indices are restored': 'done',
    });
  });

  describe('entities as objects', () => {
    const dataset = (name: string): string =>
      `urn:li:dataset:(urn:li:dataPlatform:postgres,sdk.public.${name},PROD)`;
    const column = (name: string, field: string): string => `urn:li:schemaField:(${dataset(name)},${field})`;

    steps('entities.py', {
      connects: null,
      tag: ['Fragile', 'Breaks at once', '#ff0000', [ADA]],
      glossary: [
        'Green tea',
        'Leaves that were heated early',
        'urn:li:glossaryNode:sdk_kitchen',
        ['urn:li:glossaryTerm:sdk_tea'],
        ['urn:li:glossaryTerm:sdk_tea'],
        { colour: 'green' },
        'All of it',
      ],
      containers: ['public', 'The front room', 'Schema', true, true, ['urn:li:tag:sdk_fragile'], true],
      'dataset is made': {
        name: 'teapots',
        qualified: 'shop.teapots',
        description: 'Every pot',
        url: 'https://example.org/teapots',
        custom: { room: 'kitchen' },
        times: [true, true],
        container: true,
        subtype: 'Table',
        owners: [ADA, 'urn:li:corpuser:bela'],
        links: ['https://example.org/docs'],
        tags: ['urn:li:tag:sdk_fragile'],
        terms: ['urn:li:glossaryTerm:sdk_tea'],
        domain: 'urn:li:domain:sdk',
        upstreams: [dataset('clay')],
        columns: [
          ['id', 'NumberTypeClass', 'bigint', 'Number'],
          ['glaze', 'StringTypeClass', 'varchar', null],
          ['sold', 'DateTypeClass', 'date', null],
        ],
        properties: [['urn:li:structuredProperty:sdk.room', ['kitchen', 'shop']]],
      },
      'dataset is changed': {
        tags: ['urn:li:tag:sdk_fragile', 'urn:li:tag:sdk_hot'],
        terms: ['urn:li:glossaryTerm:sdk_green', 'urn:li:glossaryTerm:sdk_tea'],
        owners: [ADA],
        description: 'Every pot that we sell',
        column: ['How it shines', ['urn:li:tag:sdk_hot'], ['urn:li:glossaryTerm:sdk_green']],
        edited: 'Every pot that we sell',
      },
      'a change of nothing keeps versions': true,
      'dataset is patched': { room: 'kitchen', shelf: '2' },
      'create refuses what is there': ['new', 'SdkUsageError'],
      'what is not there': error('ItemNotFoundError', 'not found'),
      'flow and job': [
        'Brew',
        'Every day',
        true,
        'Pour',
        'Hotter water',
        [dataset('clay')],
        [dataset('teapots')],
        1,
        { room: 'kitchen' },
      ],
      'chart and dashboard': [
        'Brews',
        'By the hour',
        'BAR',
        'PUBLIC',
        [dataset('clay'), dataset('teapots')],
        true,
        'Kitchen',
        'All at a glance',
        ['urn:li:chart:(looker,sdk_brews)'],
        [dataset('teapots')],
        ['urn:li:dashboard:(looker,sdk_house)'],
      ],
      'lineage of datasets and their columns': {
        upstreams: [
          [dataset('clay'), 'COPY'],
          [dataset('teapots'), 'COPY'],
        ],
        columns: [
          [[column('clay', 'glaze')], [column('cups', 'glaze')], false],
          [[column('clay', 'id')], [column('cups', 'id')], false],
          [
            [column('clay', 'sold'), column('teapots', 'id'), column('teapots', 'sold')],
            [column('cups', 'sold')],
            false,
          ],
        ],
      },
      'lineage with a query': {
        upstreams: [[dataset('clay'), 'TRANSFORMED']],
        columns: ['glaze', 'id', 'sold'].map((field) => [
          [column('clay', field)],
          [column('bowls', field)],
          true,
        ]),
        statement: 'INSERT INTO bowls SELECT * FROM clay',
        subjects: 8,
      },
      'lineage between other kinds': {
        inputs: [dataset('cups')],
        outputs: [dataset('bowls')],
        jobs: ['urn:li:dataJob:(urn:li:dataFlow:(airflow,sdk_brew,PROD),boil)'],
        chart: [dataset('bowls')],
        dashboard: [dataset('bowls'), dataset('teapots')],
        house: ['urn:li:chart:(looker,sdk_brews)', 'urn:li:dashboard:(looker,sdk_kitchen)'],
      },
      'semantic model, its datasets and metrics': [
        ['crockery'],
        {
          alias: 'sales',
          semanticModel: 'urn:li:semanticModel:(urn:li:dataPlatform:snowflake,sdk.public,pots)',
        },
        {
          type: 'MEASURE',
          expression: { dialects: [{ dialect: 'ANSI_SQL', expression: 'sales.sold' }] },
          aggregationFunction: 'SUM',
        },
        ['How many?'],
        'Pots alone',
      ],
      deletion: [[true, true], false, 'SdkUsageError'],
    });
  });

  it('leaves nothing in the log of the service', () => {
    expect(shop.service.log).toBe('');
  });
});
