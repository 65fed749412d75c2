import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';

const PATH = '/openapi/openlineage/api/v1/lineage';
const PRODUCER = 'https://github.com/apache/airflow/tree/providers-openlineage/2.0.0';
const FLOW = 'urn:li:dataFlow:(airflow,nightly_brew,nightly)';
const JOB = `urn:li:dataJob:(${FLOW},nightly_brew.build_orders)`;
const table = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`;
const orders = { namespace: 'snowflake://third-kettle', name: 'brew.marts.orders' };
const staged = { namespace: 'snowflake://third-kettle', name: 'brew.staging.stg_orders' };
const payments = { namespace: 'snowflake://third-kettle', name: 'brew.staging.stg_payments' };

describe('events of OpenLineage', () => {
  let catalog: TestCatalog;
  let runs = 0;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  const send = (event: object, options?: { token?: string | null }) => catalog.post(PATH, event, options);
  const runId = () => `00000000-0000-4000-8000-${String(++runs).padStart(12, '0')}`;
  const event = (more: object) => ({
    eventType: 'COMPLETE',
    eventTime: '2026-06-14T04:30:00Z',
    producer: PRODUCER,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    job: { namespace: 'nightly', name: 'nightly_brew.build_orders', facets: {} },
    ...more,
  });
  const accepted = async (body: object) => {
    const answer = await send(body);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
  };
  const aspect = (urn: string, name: string) => catalog.read(urn, name);
  const targets = async (urn: string, name: string, list: string) =>
    (((await aspect(urn, name))?.[list] ?? []) as Array<{ destinationUrn: string }>).map(
      (e) => e.destinationUrn,
    );

  it('describe the flow, the job, the run, the datasets and their lineage', async () => {
    const run = runId();
    await accepted(
      event({
        eventType: 'START',
        eventTime: '2026-06-14T04:00:00Z',
        run: { runId: run, facets: { processing_engine: null } },
        inputs: [staged],
      }),
    );
    await accepted(
      event({
        run: { runId: run, facets: { parent: { run: { runId: '00000000-0000-4000-8000-aaaaaaaaaaaa' } } } },
        job: {
          namespace: 'nightly',
          name: 'nightly_brew.build_orders',
          facets: {
            documentation: { description: 'Builds the order table' },
            jobType: { processingType: 'BATCH', integration: 'AIRFLOW', jobType: 'TASK' },
            sql: { query: 'select 1' },
          },
        },
        inputs: [payments],
        outputs: [
          {
            ...orders,
            facets: {
              schema: {
                fields: [
                  { name: 'order_id', type: 'NUMBER(38,0)', description: 'The order number' },
                  { name: 'placed_at', type: 'timestamp_ntz' },
                ],
              },
              columnLineage: {
                fields: {
                  order_id: {
                    inputFields: [
                      { ...staged, field: 'id', transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }] },
                    ],
                  },
                },
              },
            },
          },
        ],
      }),
    );

    expect(await aspect(FLOW, 'dataFlowInfo')).toMatchObject({ name: 'nightly_brew' });
    expect(await aspect(JOB, 'dataJobInfo')).toMatchObject({
      name: 'build_orders',
      description: 'Builds the order table',
      type: { string: 'TASK' },
      flowUrn: FLOW,
      customProperties: {
        startTime: '2026-06-14T04:00:00Z',
        endTime: '2026-06-14T04:30:00Z',
        processingType: 'BATCH',
      },
    });
    expect((await targets(JOB, 'dataJobInputOutput', 'inputDatasetEdges')).sort()).toEqual(
      [table(payments.name), table(staged.name)].sort(),
    );
    expect(await targets(JOB, 'dataJobInputOutput', 'outputDatasetEdges')).toEqual([table(orders.name)]);
    expect((await aspect(JOB, 'dataJobInputOutput')).fineGrainedLineages).toEqual([
      {
        upstreamType: 'FIELD_SET',
        upstreams: [`urn:li:schemaField:(${table(staged.name)},id)`],
        downstreamType: 'FIELD_SET',
        downstreams: [`urn:li:schemaField:(${table(orders.name)},order_id)`],
        confidenceScore: 0.5,
        transformOperation: 'DIRECT:IDENTITY',
      },
    ]);
    expect(await aspect(JOB, 'dataTransformLogic')).toMatchObject({
      transforms: [{ queryStatement: { value: 'select 1' } }],
    });
    expect((await aspect(table(orders.name), 'schemaMetadata')).fields).toMatchObject([
      {
        fieldPath: 'order_id',
        nativeDataType: 'NUMBER(38,0)',
        type: { type: { 'com.linkedin.schema.NumberType': {} } },
      },
      { fieldPath: 'placed_at', type: { type: { 'com.linkedin.schema.TimeType': {} } } },
    ]);
    const instance = `urn:li:dataProcessInstance:${run}`;
    expect(await aspect(instance, 'dataProcessInstanceRelationships')).toMatchObject({
      parentTemplate: JOB,
      parentInstance: 'urn:li:dataProcessInstance:00000000-0000-4000-8000-aaaaaaaaaaaa',
    });
    expect(await aspect(instance, 'dataProcessInstanceProperties')).toMatchObject({
      created: { time: Date.parse('2026-06-14T04:00:00Z') },
    });
    expect((await aspect(instance, 'dataProcessInstanceInput')).inputs).toEqual([
      table(staged.name),
      table(payments.name),
    ]);
    const { body } = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
      urn: instance,
      entity: 'dataProcessInstance',
      aspect: 'dataProcessInstanceRunEvent',
    });
    const events = body.value.values.map(({ aspect: { value } }: any) => JSON.parse(value));
    expect(events).toMatchObject([
      { status: 'COMPLETE', result: { type: 'SUCCESS', nativeResultType: 'airflow' } },
      { status: 'STARTED' },
    ]);
  });

  describe('that do not come as they happened', () => {
    const flow = 'urn:li:dataFlow:(airflow,late,nightly)';
    const urn = `urn:li:dataJob:(${flow},late.job)`;
    const job = { namespace: 'nightly', name: 'late.job' };
    const first = runId();
    const second = runId();
    const inputs = () => targets(urn, 'dataJobInputOutput', 'inputDatasetEdges');
    const at = (time: string, run: string, more: object) =>
      accepted(event({ job, eventTime: `2026-06-14T${time}Z`, run: { runId: run }, ...more }));

    it('change nothing when they come twice', async () => {
      await at('05:00:00', first, { eventType: 'START', inputs: [staged] });
      // When values were last seen is all that is said again.
      const read = async () => {
        const path = `/openapi/v3/entity/dataJob/${encodeURIComponent(urn)}?systemMetadata=true`;
        return (await catalog.get(path)).text.replaceAll(/"lastObserved":\d+/g, '');
      };
      const before = await read();
      expect(before).toContain('"lastRunId"');
      await at('05:00:00', first, { eventType: 'START', inputs: [staged] });
      expect(await read()).toBe(before);
    });

    it('leave lineage as it is when they have none', async () => {
      await at('05:10:00', first, { eventType: 'RUNNING', inputs: [], outputs: [] });
      expect(await inputs()).toEqual([table(staged.name)]);
    });

    it('replace the lineage of an earlier run by that of a later one', async () => {
      await at('06:00:00', second, { inputs: [payments] });
      expect(await inputs()).toEqual([table(payments.name)]);
    });

    it('do not bring back the lineage of an earlier run, nor its description', async () => {
      const facets = { documentation: { description: 'as it was' } };
      await at('06:00:01', second, {
        job: { ...job, facets: { documentation: { description: 'as it is' } } },
      });
      await at('05:20:00', first, { job: { ...job, facets }, inputs: [staged] });
      expect(await inputs()).toEqual([table(payments.name)]);
      expect(await aspect(urn, 'dataJobInfo')).toMatchObject({ description: 'as it is' });
      expect(
        (await aspect(`urn:li:dataProcessInstance:${first}`, 'dataProcessInstanceInput')).inputs,
      ).toEqual([table(staged.name)]);
    });
  });

  it('leave a schema alone that a crawler wrote', async () => {
    const urn = table('crawled');
    const schema = {
      schemaName: 'crawled',
      platform: 'urn:li:dataPlatform:snowflake',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: [],
    };
    await catalog.post(`/openapi/v3/entity/dataset/${encodeURIComponent(urn)}/schemaMetadata`, {
      value: schema,
    });
    const facets = { schema: { fields: [{ name: 'a', type: 'string' }] } };
    await accepted({
      eventTime: '2026-06-14T04:30:00Z',
      producer: PRODUCER,
      dataset: { namespace: 'snowflake://third-kettle', name: 'crawled', facets },
    });
    expect((await aspect(urn, 'schemaMetadata')).fields).toEqual([]);
  });

  it.each([
    ['postgres://db:5432', 'shop.public.orders', 'postgres', 'shop.public.orders'],
    ['s3://tk-lake', '/exports/a.csv', 's3', 'tk-lake/exports/a.csv'],
    ['gs://tk-lake', 'exports', 'gcs', 'tk-lake/exports'],
    ['hdfs://namenode:8020', '/lake/a', 'hdfs', '/lake/a'],
    ['sqlserver://db:1433', 'old.dbo.t', 'mssql', 'old.dbo.t'],
    ['awsathena://athena.eu-west-1.amazonaws.com', 'cat.db.t', 'athena', 'cat.db.t'],
    ['bigquery', 'p.d.t', 'bigquery', 'p.d.t'],
    ['arn:aws:glue:eu-west-1:1', 'table/db/t', 'glue', 'db.t'],
    ['kafka://broker:9092', 'odd (name), 100%', 'kafka', 'odd %28name%29%2C 100%25'],
  ])('name a dataset %s %s as the field does', async (namespace, name, platform, named) => {
    await accepted({ eventTime: '2026-06-14T04:30:00Z', producer: PRODUCER, dataset: { namespace, name } });
    expect(
      await aspect(`urn:li:dataset:(urn:li:dataPlatform:${platform},${named},PROD)`, 'datasetKey'),
    ).toBeDefined();
  });

  it.each([
    ['no object', [], 400, ''],
    ['no time', { producer: PRODUCER, job: { namespace: 'a', name: 'b' } }, 400, '/eventTime'],
    ['a time that is none', event({ eventTime: 'yesterday' }), 400, '/eventTime'],
    ['an unknown type', event({ eventType: 'DONE', run: { runId: runId() } }), 400, '/eventType'],
    ['a run that has no UUID', event({ run: { runId: 'x' } }), 400, '/run/runId'],
    ['an input without a name', event({ inputs: [{ namespace: 'a' }] }), 400, '/inputs/0/name'],
    ['a run without its job', event({ run: { runId: runId() }, job: null, dataset: orders }), 400, '/job'],
    ['nothing to speak of', event({ job: null }), 400, ''],
    ['an unknown producer', event({ producer: 'urn:acme' }), 400, '/producer'],
  ])('are refused with %s', async (_what, body, status, pointer) => {
    const answer = await send(body);
    expect({ status: answer.status, pointers: answer.body.errors.map((e: any) => e.pointer) }).toEqual({
      status,
      pointers: expect.arrayContaining([pointer]),
    });
  });

  it('need a token that may write', async () => {
    expect((await send(event({}), { token: null })).status).toBe(401);
  });
});
