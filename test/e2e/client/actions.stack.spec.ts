import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';

const TOPICS = ['PlatformEvent_v1', 'MetadataChangeLog_Versioned_v1', 'MetadataChangeLog_Timeseries_v1'];

/** A run of a pipeline of the field's own actions framework, unmodified. */
class ActionsPipeline {
  text = '';

  private constructor(private readonly child: ChildProcess) {}

  static async start(
    catalog: TestCatalog,
    folder: string,
    topics: string[],
    action: string,
  ): Promise<ActionsPipeline> {
    const program = process.env['DATAHUB_ACTIONS'];
    if (!program) throw new Error('DATAHUB_ACTIONS must be set: see test/README.md');
    const file = join(folder, 'pipeline.yml');
    // JSON is YAML.
    const pipeline = {
      name: `${action}-${topics.length}`,
      source: { type: 'datahub-cloud', config: { topics, lookback_days: 1 } },
      datahub: { server: catalog.url, token: ADMIN_TOKEN },
      action: { type: action, config: {} },
    };
    await writeFile(file, JSON.stringify(pipeline));
    const child = spawn(program, ['actions', '-c', file], {
      cwd: folder,
      // What it prints is read while it runs.
      env: {
        ...process.env,
        ...{ HOME: folder, DATAHUB_TELEMETRY_ENABLED: 'false', no_proxy: '*', PYTHONUNBUFFERED: '1' },
      },
    });
    const run = new ActionsPipeline(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (run.text += data.toString()));
    return run;
  }

  sees(text: string): Promise<void> {
    return until(async () => {
      if (this.child.exitCode !== null) throw new Error(`the pipeline has ended: ${this.text}`);
      return this.text.includes(text);
    });
  }

  async end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill(signal);
    await once(this.child, 'exit');
  }
}

describe('the event source of acryl-datahub-actions', () => {
  let catalog: TestCatalog;
  let folder: string;
  const runs: ActionsPipeline[] = [];
  const start = async (topics: string[], action = 'hello_world'): Promise<ActionsPipeline> => {
    const run = await ActionsPipeline.start(catalog, folder, topics, action);
    runs.push(run);
    return run;
  };
  const write = async (name: string) =>
    expect(await catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name })).toMatchObject({
      status: 200,
    });

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    folder = await mkdtemp(join(tmpdir(), 'catalog-actions-'));
  });
  afterAll(async () => {
    for (const run of runs) await run.end('SIGKILL');
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  it('keeps its offset in the catalog, is killed, and goes on without a gap', async () => {
    await write('actions.one');
    const first = await start(['PlatformEvent_v1']);
    await first.sees('urn:li:tag:actions.one');
    // It stores the offset of the batch before the last one, and only when it is stopped.
    await write('actions.batch');
    await first.sees('urn:li:tag:actions.batch');
    await first.end('SIGINT');
    expect(first.text).toContain('Stored offset id');

    await write('actions.two');
    const second = await start(['PlatformEvent_v1']);
    await second.sees('urn:li:tag:actions.two');
    await write('actions.three');
    await second.sees('urn:li:tag:actions.three');
    await second.end('SIGKILL');
    expect(second.text).not.toContain('urn:li:tag:actions.one');

    await write('actions.four');
    const third = await start(['PlatformEvent_v1']);
    await third.sees('urn:li:tag:actions.four');
    // What was not confirmed when it was killed comes again.
    expect(third.text).toContain('urn:li:tag:actions.two');
    expect(third.text).toContain('urn:li:tag:actions.three');
    await third.end('SIGINT');
  });

  it('reads every topic', async () => {
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,actions.all,PROD)';
    const run = await start(TOPICS);
    await catalog.propose(dataset, 'globalTags', { tags: [{ tag: 'urn:li:tag:actions.tag' }] });
    await catalog.propose(dataset, 'datasetProfile', { timestampMillis: 1_700_000_000_000, rowCount: 4711 });
    await catalog.propose(dataset, 'globalTags', undefined, { changeType: 'DELETE' });
    await run.sees('4711');
    for (const said of ['EntityChangeEvent_v1', 'RelationshipChangeEvent_v1', 'MetadataChangeLogEvent_v1'])
      await run.sees(said);
    await run.sees('"operation": "REMOVE"');
    await run.sees('"changeType": "DELETE"');
    expect(run.text).not.toMatch(/Traceback|Failed to parse/);
    await run.end('SIGINT');
  });

  it('carries the documentation of a column along its lineage', async () => {
    const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,actions.${name},PROD)`;
    const column = (name: string) => `urn:li:schemaField:(${dataset(name)},a)`;
    const pair = { upstreamType: 'FIELD_SET', downstreamType: 'FIELD' };
    for (const [upper, lower] of [
      ['top', 'middle'],
      ['middle', 'low'],
    ] as const)
      await catalog.propose(dataset(lower), 'upstreamLineage', {
        upstreams: [{ type: 'TRANSFORMED', dataset: dataset(upper) }],
        fineGrainedLineages: [{ ...pair, upstreams: [column(upper)], downstreams: [column(lower)] }],
      });
    const run = await start(TOPICS.slice(0, 2), 'doc_propagation');
    await run.sees('Subscribing to the following topics');
    await catalog.propose(dataset('top'), 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'a', description: 'said once' }],
    });
    const said = async (name: string) =>
      (await catalog.get(`/entitiesV2/${encodeURIComponent(column(name))}?aspects=List(documentation)`)).text;
    for (const name of ['middle', 'low'])
      await until(async () => (await said(name)).includes('"documentation":"said once"'));
    await run.end('SIGINT');
  });
});
