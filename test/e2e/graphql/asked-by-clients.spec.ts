import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const ORDERS = dataset('orders');
const FLOW = 'urn:li:dataFlow:(airflow,nightly,PROD)';
const JOB = `urn:li:dataJob:(${FLOW},build)`;
const STAMP = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ann' };
const HOUR = 3_600_000;

describe('what SDK and command line ask for', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest([ORDERS, 'datasetProperties', { name: 'orders' }]);
  });
  afterAll(() => catalog?.stop());

  it('the configuration says what the service can do', async () => {
    const { appConfig } = await data(
      catalog,
      `{ appConfig { telemetryConfig { enableThirdPartyLogging } featureFlags { metricsEnabled }
        semanticSearchConfig { enabled enabledEntities embeddingConfig { provider awsProviderConfig { region } } } } }`,
    );
    expect(appConfig).toEqual({
      telemetryConfig: { enableThirdPartyLogging: false },
      featureFlags: { metricsEnabled: true },
      semanticSearchConfig: { enabled: false, enabledEntities: [], embeddingConfig: null },
    });
  });

  it('the assertions of a dataset, page by page, without those that are deleted', async () => {
    const about = (id: string): [string, string, object] => [
      `urn:li:assertion:${id}`,
      'assertionInfo',
      { type: 'VOLUME', volumeAssertion: { type: 'ROW_COUNT_TOTAL', entity: ORDERS } },
    ];
    await catalog.ingest(about('a'), about('b'), about('c'), [
      'urn:li:assertion:c',
      'status',
      { removed: true },
    ]);
    const { dataset: found } = await data(
      catalog,
      `query ($urn: String!) { dataset(urn: $urn) {
        all: assertions { start count total assertions { urn info { type } } }
        page: assertions(start: 1, count: 1) { start count total assertions { urn } }
        deleted: assertions(includeSoftDeleted: true) { total } } }`,
      { urn: ORDERS },
    );
    const [a, b] = ['urn:li:assertion:a', 'urn:li:assertion:b'];
    expect(found).toEqual({
      all: {
        start: 0,
        count: 2,
        total: 2,
        assertions: [
          { urn: a, info: { type: 'VOLUME' } },
          { urn: b, info: { type: 'VOLUME' } },
        ],
      },
      page: { start: 1, count: 1, total: 2, assertions: [{ urn: b }] },
      deleted: { total: 3 },
    });
  });

  it('the columns that an assertion is about', async () => {
    const urn = 'urn:li:assertion:columns';
    await catalog.ingest([
      urn,
      'assertionInfo',
      {
        type: 'DATA_SCHEMA',
        schemaAssertion: {
          entity: ORDERS,
          schema: {
            schemaName: 'orders',
            platform: 'urn:li:dataPlatform:hive',
            version: 0,
            hash: '',
            platformSchema: { 'com.linkedin.schema.Schemaless': {} },
            fields: [
              {
                fieldPath: 'price',
                nativeDataType: 'decimal',
                type: { type: { 'com.linkedin.schema.NumberType': {} } },
              },
            ],
          },
        },
      },
    ]);
    const { assertion } = await data(
      catalog,
      `query ($urn: String!) { assertion(urn: $urn) { info { schemaAssertion {
        entityUrn compatibility fields { path type nativeType } schema { name } } } } }`,
      { urn },
    );
    expect(assertion.info.schemaAssertion).toEqual({
      entityUrn: ORDERS,
      compatibility: 'EXACT_MATCH',
      fields: [{ path: 'price', type: 'NUMBER', nativeType: 'decimal' }],
      schema: { name: 'orders' },
    });
  });

  it.each([
    ['HOUR', 3, 0, 3 * HOUR],
    ['DAY', undefined, 0, 24 * HOUR],
    ['WEEK', 1, 0, 7 * 24 * HOUR],
    ['MONTH', 1, Date.UTC(2024, 1, 1), 29 * 24 * HOUR],
    ['QUARTER', 1, Date.UTC(2023, 0, 1), 90 * 24 * HOUR],
    ['YEAR', 1, Date.UTC(2024, 0, 1), 366 * 24 * HOUR],
  ])(
    'operations say which part they changed: a window of %s',
    async (unit, multiple, startTimeMillis, length) => {
      const urn = dataset(`changed_${unit}`);
      await catalog.ingest(
        [urn, 'datasetProperties', { name: 'changed' }],
        [
          urn,
          'operation',
          {
            timestampMillis: STAMP.time,
            lastUpdatedTimestamp: STAMP.time,
            operationType: 'INSERT',
            actor: STAMP.actor,
            customProperties: { job: '7' },
            partitionSpec: {
              type: 'PARTITION',
              partition: 'day=1',
              timePartition: { startTimeMillis, length: { unit, ...(multiple && { multiple }) } },
            },
          },
        ],
      );
      const { dataset: found } = await data(
        catalog,
        `query ($urn: String!) { dataset(urn: $urn) { operations(limit: 1) {
        partition operationType actor timestampMillis customProperties { key value }
        partitionSpec { timePartition { startTimeMillis durationMillis length { unit } } } } } }`,
        { urn },
      );
      expect(found.operations).toEqual([
        {
          partition: 'day=1',
          operationType: 'INSERT',
          actor: STAMP.actor,
          timestampMillis: STAMP.time,
          customProperties: [{ key: 'job', value: '7' }],
          partitionSpec: { timePartition: { startTimeMillis, durationMillis: length, length: { unit } } },
        },
      ]);
    },
  );

  it('jobs with their runs, and when they were ingested', async () => {
    const run = (i: number): [string, string, object] => [
      `urn:li:dataProcessInstance:run${i}`,
      'dataProcessInstanceRelationships',
      { parentTemplate: JOB, upstreamInstances: [] },
    ];
    await catalog.ingest(
      [FLOW, 'dataFlowInfo', { name: 'nightly' }],
      [JOB, 'dataJobInfo', { name: 'build', type: { string: 'COMMAND' } }],
      run(1),
      run(2),
      run(3),
    );
    const { status } = await catalog.post('/aspects?action=ingestProposal', {
      proposal: {
        entityType: 'dataJob',
        entityUrn: JOB,
        changeType: 'UPSERT',
        aspectName: 'status',
        aspect: { json: { removed: false } },
        systemMetadata: { runId: 'crawl', lastObserved: 1_650_000_000_000 },
      },
    });
    expect(status).toBe(200);
    const found = await data(
      catalog,
      `query ($flow: String!, $job: String!) { dataFlow(urn: $flow) { lastIngested }
        dataJob(urn: $job) { lastIngested all: runs { total } runs(start: 1, count: 1) { start count total runs { urn } } } }`,
      { flow: FLOW, job: JOB },
    );
    expect(found).toEqual({
      dataFlow: { lastIngested: null },
      dataJob: {
        lastIngested: 1_650_000_000_000,
        all: { total: 3 },
        runs: { start: 1, count: 1, total: 3, runs: [{ urn: 'urn:li:dataProcessInstance:run2' }] },
      },
    });
  });

  it('ingestion sources with their runs, the latest first', async () => {
    const source = 'urn:li:dataHubIngestionSource:warehouse';
    const execution = (id: string, requestedAt: number): Array<[string, string, object]> => [
      [
        `urn:li:dataHubExecutionRequest:${id}`,
        'dataHubExecutionRequestInput',
        {
          task: 'RUN_INGEST',
          args: {},
          executorId: 'default',
          source: { type: 'MANUAL', ingestionSource: source },
          requestedAt,
        },
      ],
      [
        `urn:li:dataHubExecutionRequest:${id}`,
        'dataHubExecutionRequestResult',
        { status: 'SUCCESS', startTimeMs: requestedAt },
      ],
    ];
    await catalog.ingest(
      [
        source,
        'dataHubIngestionSourceInfo',
        { name: 'Warehouse', type: 'snowflake', config: { recipe: '{}' } },
      ],
      [
        'urn:li:dataHubIngestionSource:other',
        'dataHubIngestionSourceInfo',
        { name: 'Other', type: 'mysql', config: { recipe: '{}' } },
      ],
      ...execution('early', 1000),
      ...execution('late', 2000),
    );
    const query = `query ($input: ListIngestionSourcesInput!) { listIngestionSources(input: $input) {
      start count total ingestionSources { urn name executions { total executionRequests { id result { startTimeMs status } } } } } }`;
    const input = {
      start: 0,
      count: 10,
      filters: [{ field: 'name', values: ['Ware'], condition: 'CONTAIN' }],
    };
    expect((await data(catalog, query, { input })).listIngestionSources).toEqual({
      start: 0,
      count: 1,
      total: 1,
      ingestionSources: [
        {
          urn: source,
          name: 'Warehouse',
          executions: {
            total: 2,
            executionRequests: [
              { id: 'late', result: { startTimeMs: 2000, status: 'SUCCESS' } },
              { id: 'early', result: { startTimeMs: 1000, status: 'SUCCESS' } },
            ],
          },
        },
      ],
    });
    const { getSecretValues } = await data(
      catalog,
      '{ getSecretValues(input: { secrets: ["password"] }) { name value } }',
    );
    expect(getSecretValues).toEqual([]);
  });

  it('tokens say what they are', async () => {
    await catalog.issueToken({ user: 'ann' });
    const { listAccessTokens } = await data(
      catalog,
      '{ listAccessTokens(input: { count: 1 }) { tokens { type } } }',
    );
    expect(listAccessTokens.tokens).toEqual([{ type: 'ACCESS_TOKEN' }]);
  });

  it('lineage within a view', async () => {
    const view = 'urn:li:dataHubView:charts';
    await catalog.ingest(
      [
        view,
        'dataHubViewInfo',
        {
          name: 'Charts',
          type: 'GLOBAL',
          definition: {
            entityTypes: ['dataset'],
            filter: { or: [{ and: [{ field: 'name', condition: 'EQUAL', values: ['near'] }] }] },
          },
          created: STAMP,
          lastModified: STAMP,
        },
      ],
      ...['near', 'far'].flatMap((name): Array<[string, string, object]> => [
        [dataset(name), 'datasetProperties', { name }],
        [
          dataset(name),
          'upstreamLineage',
          { upstreams: [{ dataset: ORDERS, type: 'TRANSFORMED', auditStamp: STAMP }] },
        ],
      ]),
    );
    const query = `query ($view: String) { searchAcrossLineage(input: {
      urn: "${ORDERS}", direction: DOWNSTREAM, viewUrn: $view }) { searchResults { entity { urn } } } }`;
    const found = async (variables: object) =>
      (await data(catalog, query, { ...variables })).searchAcrossLineage.searchResults.map(
        ({ entity }: any) => entity.urn,
      );
    expect((await found({})).sort()).toEqual([dataset('far'), dataset('near')]);
    expect(await found({ view })).toEqual([dataset('near')]);
  });

  it('types under other names', async () => {
    await catalog.ingest([
      'urn:li:dataHubPageTemplate:home',
      'dataHubPageTemplateProperties',
      {
        rows: [],
        surface: { surfaceType: 'HOME_PAGE' },
        visibility: { scope: 'GLOBAL' },
        created: STAMP,
        lastModified: STAMP,
      },
    ]);
    const { searchAcrossEntities } = await data(
      catalog,
      '{ searchAcrossEntities(input: { query: "*", types: [DATAHUB_PAGE_TEMPLATE] }) { searchResults { entity { urn type } } } }',
    );
    expect(searchAcrossEntities.searchResults).toEqual([
      { entity: { urn: 'urn:li:dataHubPageTemplate:home', type: 'PAGE_TEMPLATE' } },
    ]);
  });

  it('installations of a platform, by the query that lists Iceberg warehouses', async () => {
    const installation = (platform: string, name: string): [string, string, object] => [
      `urn:li:dataPlatformInstance:(urn:li:dataPlatform:${platform},${name})`,
      'dataPlatformInstanceProperties',
      { name },
    ];
    const warehouse = installation('iceberg', 'ice');
    await catalog.ingest(warehouse, installation('hive', 'iceberg'));
    for (const query of [
      'dataPlatform:iceberg',
      'platform:iceberg',
      '/q dataPlatform:"urn:li:dataPlatform:iceberg"',
    ]) {
      const { search } = await data(
        catalog,
        `query ($query: String!, $start: Int, $count: Int) {
          search(input: { type: DATA_PLATFORM_INSTANCE, query: $query, start: $start, count: $count }) {
            start total searchResults { entity { urn ... on DataPlatformInstance { instanceId } } } } }`,
        { query, start: 0, count: 10 },
      );
      expect(search).toEqual({
        ...{ start: 0, total: 1, searchResults: [{ entity: { urn: warehouse[0], instanceId: 'ice' } }] },
      });
    }
  });

  it('types that keep a vendor word, under the names that the SDK makes', async () => {
    const [view, kind] = ['urn:li:dataHubView:mine', 'urn:li:ownershipType:steward'];
    await catalog.ingest(
      [
        view,
        'dataHubViewInfo',
        {
          name: 'mine',
          type: 'GLOBAL',
          definition: { entityTypes: ['dataset'], filter: { or: [] } },
          created: STAMP,
          lastModified: STAMP,
        },
      ],
      [kind, 'ownershipTypeInfo', { name: 'Steward', created: STAMP, lastModified: STAMP }],
    );
    const found = async (type: string, types: string[]) => {
      const { scrollAcrossEntities } = await data(
        catalog,
        `query ($types: [EntityType!]!, $type: String!) { scrollAcrossEntities(input: { query: "*", types: $types, orFilters: [
          { and: [{ field: "_entityType", condition: EQUAL, values: [$type] }] }] }) { searchResults { entity { urn type } } } }`,
        { types, type },
      );
      return scrollAcrossEntities.searchResults.map((hit: any) => hit.entity);
    };
    const mine = { urn: view, type: 'DATAHUB_VIEW' };
    expect(await found('VIEW', ['VIEW'])).toContainEqual(mine);
    const steward = { urn: kind, type: 'CUSTOM_OWNERSHIP_TYPE' };
    expect(await found('OWNERSHIP_TYPE', ['OWNERSHIP_TYPE'])).toContainEqual(steward);
    expect(await found('OWNERSHIP_TYPE', ['POLICY', 'CONNECTION'])).toEqual([]);
  });

  describe('and write', () => {
    const write = (field: string, variables: object, declared: string, given: string, selection = '') =>
      data(catalog, `mutation (${declared}) { ${field}(${given}) ${selection} }`, { ...variables }).then(
        (found) => found[field],
      );
    const report = (input: object) =>
      write('reportOperation', { input }, '$input: ReportOperationInput!', 'input: $input');

    it('operations, by the caller', async () => {
      const urn = dataset('loaded');
      await catalog.ingest([urn, 'datasetProperties', { name: 'loaded' }]);
      const input = {
        urn,
        operationType: 'CUSTOM',
        customOperationType: 'compact',
        sourceType: 'DATA_PROCESS',
        partition: 'day=2',
        numAffectedRows: 7,
        customProperties: [{ key: 'job', value: '9' }, { key: 'note' }],
        timestampMillis: STAMP.time,
      };
      expect(await report(input)).toBe(urn);
      const { dataset: found } = await data(
        catalog,
        `query ($urn: String!) { dataset(urn: $urn) { operations { timestampMillis lastUpdatedTimestamp actor operationType
          customOperationType sourceType partition numAffectedRows customProperties { key value } } } }`,
        { urn },
      );
      expect(found.operations).toEqual([
        {
          ...input,
          urn: undefined,
          lastUpdatedTimestamp: STAMP.time,
          actor: 'urn:li:corpuser:admin',
          customProperties: [
            { key: 'job', value: '9' },
            { key: 'note', value: '' },
          ],
        },
      ]);
    });

    it('no operations on what is not there', async () => {
      const query = 'mutation ($input: ReportOperationInput!) { reportOperation(input: $input) }';
      const refused = async (urn: string, options = {}) =>
        (
          await failure(
            catalog,
            query,
            { input: { urn, operationType: 'INSERT', sourceType: 'DATA_PROCESS' } },
            options,
          )
        ).extensions;
      expect(await refused(dataset('nothing'))).toMatchObject({
        code: 404,
        errorCode: 'ENTITY_NOT_FOUND',
        pointer: '/input/urn',
      });
      expect(await refused('urn:li:tag:pii')).toMatchObject({ code: 400, errorCode: 'PARAMETER_INVALID' });
      const { token } = await catalog.issueToken({ role: 'READER' });
      expect(await refused(ORDERS, { token })).toMatchObject({ code: 403 });
    });

    it('checks of their own, and how they ended', async () => {
      const upsert = (urn: string | null, input: object) =>
        write(
          'upsertCustomAssertion',
          { urn, input },
          '$urn: String, $input: UpsertCustomAssertionInput!',
          'urn: $urn, input: $input',
          `{ urn platform { name } info { type description externalUrl source { type created { actor } }
             customAssertion { type entityUrn field { path } fields { urn } logic scope operator aggregation
               parameters { value { value type } } nativeType nativeParameters { key value } } } }`,
        );
      const input = {
        entityUrn: ORDERS,
        type: 'Freshness',
        description: 'Ready by seven',
        platform: { name: 'great-expectations' },
      };
      const made = await upsert(null, { ...input, fieldPath: 'id', logic: 'select 1' });
      expect(made).toMatchObject({
        urn: expect.stringMatching(/^urn:li:assertion:[0-9a-f-]{36}$/),
        platform: { name: 'great-expectations' },
        info: {
          type: 'CUSTOM',
          description: 'Ready by seven',
          externalUrl: null,
          source: { type: 'EXTERNAL', created: { actor: 'urn:li:corpuser:admin' } },
          customAssertion: {
            type: 'Freshness',
            entityUrn: ORDERS,
            field: { path: 'id' },
            fields: null,
            logic: 'select 1',
          },
        },
      });
      const again = await upsert(made.urn, {
        ...input,
        description: 'Ready by eight',
        platform: { urn: 'urn:li:dataPlatform:dbt' },
        externalUrl: 'https://checks.example/1',
        fieldPaths: ['id', 'price'],
        scope: 'DATASET_COLUMN',
        aggregation: 'MEAN',
        operator: 'LESS_THAN',
        parameters: { value: { value: '7', type: 'NUMBER' } },
        nativeType: 'mean_below',
        nativeParameters: [{ key: 'at', value: '7' }],
      });
      expect(again).toMatchObject({
        urn: made.urn,
        platform: { name: 'dbt' },
        info: {
          description: 'Ready by eight',
          externalUrl: 'https://checks.example/1',
          customAssertion: {
            fields: ['id', 'price'].map((path) => ({ urn: `urn:li:schemaField:(${ORDERS},${path})` })),
            logic: null,
            scope: 'DATASET_COLUMN',
            operator: 'LESS_THAN',
            parameters: { value: { value: '7', type: 'NUMBER' } },
            nativeParameters: [{ key: 'at', value: '7' }],
          },
        },
      });
      const ended = (result: object) =>
        write(
          'reportAssertionResult',
          { urn: made.urn, result },
          '$urn: String!, $result: AssertionResultInput!',
          'urn: $urn, result: $result',
        );
      expect(
        await ended({ type: 'SUCCESS', timestampMillis: 1000, properties: [{ key: 'mean', value: '6' }] }),
      ).toBe(true);
      await ended({
        type: 'ERROR',
        timestampMillis: 2000,
        severity: 'HIGH',
        error: { type: 'SOURCE_QUERY_FAILED', message: 'no such table' },
      });
      const { assertion } = await data(
        catalog,
        `query ($urn: String!) { assertion(urn: $urn) { runEvents(status: COMPLETE) { total succeeded errored runEvents {
          timestampMillis asserteeUrn result { type severity nativeResults { key value } error { type properties { key value } } } } } } }`,
        { urn: made.urn },
      );
      expect(assertion.runEvents).toEqual({
        total: 2,
        succeeded: 1,
        errored: 1,
        runEvents: [
          {
            timestampMillis: 2000,
            asserteeUrn: ORDERS,
            result: {
              type: 'ERROR',
              severity: 'HIGH',
              nativeResults: null,
              error: {
                type: 'SOURCE_QUERY_FAILED',
                properties: [{ key: 'message', value: 'no such table' }],
              },
            },
          },
          {
            timestampMillis: 1000,
            asserteeUrn: ORDERS,
            result: {
              type: 'SUCCESS',
              severity: null,
              nativeResults: [{ key: 'mean', value: '6' }],
              error: null,
            },
          },
        ],
      });
    });

    it('no checks of what is not there', async () => {
      const query = `mutation ($urn: String, $input: UpsertCustomAssertionInput!) {
        upsertCustomAssertion(urn: $urn, input: $input) { urn } }`;
      const input = { entityUrn: ORDERS, type: 'a', description: 'b', platform: { name: 'dbt' } };
      const refused = async (more: object, urn: string | null = null) =>
        (await failure(catalog, query, { urn, input: { ...input, ...more } })).extensions;
      expect(await refused({ entityUrn: dataset('nothing') })).toMatchObject({
        errorCode: 'ENTITY_NOT_FOUND',
        pointer: '/input/entityUrn',
      });
      expect(await refused({ platform: {} })).toMatchObject({
        errorCode: 'PARAMETER_INVALID',
        pointer: '/input/platform',
      });
      expect(await refused({}, 'urn:li:tag:pii')).toMatchObject({ code: 400 });
      const result =
        'mutation ($urn: String!) { reportAssertionResult(urn: $urn, result: { type: SUCCESS }) }';
      expect((await failure(catalog, result, { urn: 'urn:li:assertion:none' })).extensions).toMatchObject({
        errorCode: 'ENTITY_NOT_FOUND',
        pointer: '/urn',
      });
    });

    it('ingestion sources', async () => {
      const urn = 'urn:li:dataHubIngestionSource:deployed';
      const update = (input: object) =>
        write(
          'updateIngestionSource',
          { urn, input },
          '$urn: String!, $input: UpdateIngestionSourceInput!',
          'urn: $urn, input: $input',
        );
      const config = { recipe: '{"source": {}}', executorId: 'default' };
      const schedule = { interval: '0 5 * * *', timezone: 'UTC' };
      expect(await update({ name: 'Deployed', type: 'mysql', schedule, config })).toBe(urn);
      expect(await catalog.read(urn, 'dataHubIngestionSourceInfo')).toEqual({
        name: 'Deployed',
        type: 'mysql',
        schedule,
        config,
      });
      await update({
        name: 'Again',
        type: 'mysql',
        config: { ...config, version: '1', debugMode: true, extraArgs: [{ key: 'a', value: 'b' }] },
        source: { type: 'SYSTEM' },
      });
      expect(await catalog.read(urn, 'dataHubIngestionSourceInfo')).toEqual({
        name: 'Again',
        type: 'mysql',
        config: { ...config, version: '1', debugMode: true, extraArgs: { a: 'b' } },
        source: { type: 'SYSTEM' },
      });
      const error = await failure(
        catalog,
        `mutation { updateIngestionSource(urn: "${ORDERS}", input: { name: "x", type: "y", config: { recipe: "{}", executorId: "d" } }) }`,
      );
      expect(error.extensions).toMatchObject({ errorCode: 'PARAMETER_INVALID', pointer: '/urn' });
    });

    it('no invitations', async () => {
      expect(await data(catalog, '{ getInviteToken(input: {}) { inviteToken } }')).toEqual({
        getInviteToken: null,
      });
    });
  });
});
