import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data } from './support.js';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const ANN = 'urn:li:corpuser:ann';
const CREW = 'urn:li:corpGroup:crew';
const STAMP = { time: 1_700_000_000_000, actor: ANN };

const schemaOf = (platformSchema: object) => ({
  schemaName: 'orders',
  platform: 'urn:li:dataPlatform:hive',
  version: 0,
  hash: '',
  platformSchema,
  fields: [],
});

describe('what the model keeps in one form and clients know in another', () => {
  let catalog: TestCatalog;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [ANN, 'corpUserInfo', { active: true, displayName: 'Ann' }],
      [CREW, 'corpGroupInfo', { displayName: 'Crew', admins: [], members: [], groups: [] }],
    );
  });
  afterAll(() => catalog?.stop());

  describe('an incident', () => {
    const read = async (id: string) =>
      (
        await data(
          catalog,
          `query ($urn: String!) { entity(urn: $urn) { ... on Incident {
            priority entity { urn } entities { urn } info { priority }
            assignees { ... on CorpUser { username } ... on CorpGroup { name } } } } }`,
          { urn: `urn:li:incident:${id}` },
        )
      ).entity;
    const report = (id: string, more: object) =>
      catalog.ingest([
        `urn:li:incident:${id}`,
        'incidentInfo',
        {
          type: 'OPERATIONAL',
          entities: [ORDERS],
          status: { state: 'ACTIVE', lastUpdated: STAMP },
          created: STAMP,
          ...more,
        },
      ]);

    it.each([
      [0, 'CRITICAL'],
      [1, 'HIGH'],
      [2, 'MEDIUM'],
      [3, 'LOW'],
      [7, null],
      [-1, null],
    ])('stores the priority as %i, which is %s', async (priority, shown) => {
      await report(`p${priority}`, { priority });
      expect(await read(`p${priority}`)).toMatchObject({ priority: shown, info: { priority } });
    });

    it('has users and groups that work on it, and an asset', async () => {
      await report('assigned', {
        assignees: [ANN, CREW, 'urn:li:tag:no'].map((actor) => ({ actor, assignedAt: STAMP })),
      });
      expect(await read('assigned')).toEqual({
        priority: null,
        entity: { urn: ORDERS },
        entities: [{ urn: ORDERS }],
        info: { priority: null },
        assignees: [{ username: 'ann' }, { name: 'crew' }],
      });
    });

    it('may be on nothing, and have nobody', async () => {
      await report('lonely', { entities: [] });
      expect(await read('lonely')).toMatchObject({ entity: null, assignees: null });
    });
  });

  it('runs of an assertion are narrowed to a status', async () => {
    const urn = 'urn:li:assertion:fresh';
    await catalog.ingest(
      [urn, 'assertionInfo', { type: 'DATASET' }],
      ...['SUCCESS', 'FAILURE'].map((type, i): [string, string, object] => [
        urn,
        'assertionRunEvent',
        {
          timestampMillis: 1_700_000_000_000 + i,
          runId: `run ${i}`,
          asserteeUrn: ORDERS,
          assertionUrn: urn,
          status: 'COMPLETE',
          result: { type },
        },
      ]),
    );
    const { assertion } = await data(
      catalog,
      `query ($urn: String!, $filter: FilterInput!) { assertion(urn: $urn) {
        all: runEvents { total }
        complete: runEvents(status: COMPLETE, limit: 10) { total succeeded failed runEvents { status result { type } } }
        both: runEvents(status: COMPLETE, filter: $filter) { total } } }`,
      { urn, filter: { and: [{ field: 'asserteeUrn', values: ['urn:li:dataset:other'] }] } },
    );
    expect(assertion).toEqual({
      all: { total: 2 },
      complete: {
        total: 2,
        succeeded: 1,
        failed: 1,
        runEvents: [
          { status: 'COMPLETE', result: { type: 'FAILURE' } },
          { status: 'COMPLETE', result: { type: 'SUCCESS' } },
        ],
      },
      both: { total: 0 },
    });
  });

  it.each([
    ['MySqlDDL', { tableSchema: 'CREATE TABLE t' }, { schema: 'CREATE TABLE t' }],
    ['OracleDDL', { tableSchema: 'CREATE TABLE t' }, { schema: 'CREATE TABLE t' }],
    ['PrestoDDL', { rawSchema: 'CREATE VIEW v' }, { schema: 'CREATE VIEW v' }],
    ['OtherSchema', { rawSchema: 'raw' }, { schema: 'raw' }],
    ['KafkaSchema', { documentSchema: '{}', keySchema: '"string"' }, { schema: '{}' }],
    ['OrcSchema', { schema: 'orc' }, { schema: 'orc' }],
    ['BinaryJsonSchema', { schema: 'bson' }, { schema: 'bson' }],
    ['Schemaless', {}, { schema: '' }],
    [
      'EspressoSchema',
      { tableSchema: 'keys', documentSchema: 'values' },
      { keySchema: 'keys', valueSchema: 'values' },
    ],
    ['KeyValueSchema', { keySchema: 'k', valueSchema: 'v' }, { keySchema: 'k', valueSchema: 'v' }],
  ])('a platform schema of the kind %s', async (kind, stored, shown) => {
    await catalog.ingest([ORDERS, 'schemaMetadata', schemaOf({ [`com.linkedin.schema.${kind}`]: stored })]);
    const { dataset } = await data(
      catalog,
      `query ($urn: String!) { dataset(urn: $urn) { schemaMetadata {
        platformSchema { ... on TableSchema { schema } ... on KeyValueSchema { keySchema valueSchema } }
        platformSchemaRecord { __typename ... on KafkaSchema { keySchema } } } } }`,
      { urn: ORDERS },
    );
    expect(dataset.schemaMetadata.platformSchema).toEqual(shown);
    expect(dataset.schemaMetadata.platformSchemaRecord).toEqual({
      __typename: kind,
      ...(kind === 'KafkaSchema' ? { keySchema: '"string"' } : {}),
    });
  });

  it('models say their environment as datasets do', async () => {
    const urns = ['mlModel', 'mlModelGroup'].map(
      (type) => `urn:li:${type}:(urn:li:dataPlatform:science,m,DEV)`,
    );
    await catalog.ingest(
      [urns[0]!, 'mlModelProperties', { description: 'one' }],
      [urns[1]!, 'mlModelGroupProperties', { description: 'many' }],
      [ORDERS, 'datasetProperties', { name: 'orders' }],
    );
    const { entities } = await data(
      catalog,
      `query ($urns: [String!]!) { entities(urns: $urns) {
        ... on Dataset { origin } ... on MLModel { origin } ... on MLModelGroup { origin } } }`,
      { urns: [...urns, ORDERS] },
    );
    expect(entities).toEqual([{ origin: 'DEV' }, { origin: 'DEV' }, { origin: 'PROD' }]);
  });

  it('the stamps of a structured property name the user', async () => {
    const urn = 'urn:li:structuredProperty:retention';
    await catalog.ingest([
      urn,
      'propertyDefinition',
      {
        qualifiedName: 'retention',
        valueType: 'urn:li:dataType:platform.string',
        entityTypes: ['urn:li:entityType:platform.dataset'],
        created: STAMP,
      },
    ]);
    const { structuredProperty } = await data(
      catalog,
      `query ($urn: String!) { structuredProperty(urn: $urn) { definition {
        created { time actor { urn properties { displayName } } } lastModified { time } } } }`,
      { urn },
    );
    expect(structuredProperty.definition).toEqual({
      created: { time: STAMP.time, actor: { urn: ANN, properties: { displayName: 'Ann' } } },
      lastModified: null,
    });
  });
});
