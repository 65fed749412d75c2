import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, proposal, removeHome } from '../harness/catalog.js';
import { ROOT, ServiceProcess } from '../harness/service-process.js';
import { dataset } from './aspect-api/support.js';
import { path } from './openapi/support.js';

/** How often the process may die of one thing. */
const MAX_DEATHS = 6;

const PROGRAM = join(ROOT, 'test/harness/killing.mjs');

describe('what the process dies of', () => {
  let home: string;
  let service: ServiceProcess | undefined;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-poison-'));
  });
  afterEach(async () => {
    await service?.kill();
    await removeHome(home);
  });

  const call = async (
    method: string,
    url: string,
    body?: unknown,
  ): Promise<{ status: number; headers: Headers; body: any }> => {
    const response = await fetch(service!.url + url, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        'content-type': 'application/json',
        'x-restli-protocol-version': '2.0.0',
      },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };

  /** Starts the service, again each time that it dies, until `done` holds; answers how often it died. */
  const untilDone = async (at: string, done: () => Promise<boolean>): Promise<number> => {
    for (let deaths = 0; ;) {
      try {
        service = await ServiceProcess.start(home, { KILLS: at }, 'pipe', PROGRAM);
        while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 50));
        return deaths;
      } catch {
        await service?.kill();
        deaths += 1;
        expect(deaths).toBeLessThanOrEqual(MAX_DEATHS);
      }
    }
  };
  const part = async (name: string): Promise<any> =>
    (await call('GET', '/health')).body.parts.find((each: { name: string }) => each.name === name).details;
  const describedAs = (name: string) => ({ value: { name } });

  it('an accepted write is suspended after three times, and those beside and behind it are carried out', async () => {
    // Accepted by a process that carries nothing out, so that some of them are under way together.
    service = await ServiceProcess.start(home, { KILLS: 'hold' }, 'pipe', PROGRAM);
    const names = ['before', 'poison', 'behind', 'later'];
    const traces: Record<string, string> = {};
    for (const name of names) {
      const item = { urn: dataset(`killed.${name}`), datasetProperties: describedAs(name) };
      const answer = await call('POST', '/openapi/v3/entity/dataset?async=true', [item]);
      expect(answer.status).toBe(202);
      traces[name] = answer.headers.get('location')!;
    }
    await service.kill();

    const receipt = async (name: string): Promise<any> => (await call('GET', traces[name]!)).body;
    const deaths = await untilDone('submit', async () => {
      const states = await Promise.all(names.map(async (name) => (await receipt(name)).state as string));
      return !states.includes('PENDING');
    });
    expect(deaths).toBe(3);
    for (const name of ['before', 'behind', 'later']) expect((await receipt(name)).state).toBe('COMMITTED');
    expect(await receipt('poison')).toMatchObject({
      state: 'FAILED',
      error: { code: 'INTERNAL', message: expect.stringContaining('the process ended 3 times') },
    });
    const aspects = { [dataset('killed.poison')]: ['datasetProperties'] };
    const trace = await call('POST', traces['poison']!, aspects);
    expect(trace.body[dataset('killed.poison')].datasetProperties).toMatchObject({ success: false });
    expect(await part('accepted writes')).toEqual({ pending: 0, failed: 1 });

    const listed = await call('POST', '/operations?action=failedWrites', {});
    expect(listed.body.value).toMatchObject({
      total: 1,
      writes: [{ items: [{ urn: dataset('killed.poison') }], error: { code: 'INTERNAL' } }],
    });
    await service.stop();
    // What it died of is repaired: the write is tried again and carried out.
    service = await ServiceProcess.start(home);
    expect((await receipt('poison')).state).toBe('FAILED');
    const { traceId } = listed.body.value.writes[0];
    expect((await call('POST', '/operations?action=retryWrites', { traceId })).body).toEqual({
      value: { retried: 1 },
    });
    while ((await receipt('poison')).state === 'PENDING')
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await receipt('poison')).state).toBe('COMMITTED');
    expect((await call('GET', path(dataset('killed.poison'), 'datasetProperties'))).status).toBe(200);
    expect((await call('POST', '/operations?action=retryWrites', { traceId })).status).toBe(404);
  });

  it('a change that a consumer dies of is suspended, and those beside and behind it are found', async () => {
    service = await ServiceProcess.start(home, { KILLS: 'consume' }, 'pipe', PROGRAM);
    const named = (name: string) =>
      proposal(dataset(`indexed.${name}`), 'datasetProperties', { name: 'indexed' });
    const write = (name: string): Promise<unknown> =>
      call('POST', '/aspects?action=ingestProposal', { proposal: named(name) }).catch(() => undefined);
    await write('before');
    const found = async (): Promise<string[]> => {
      const body = { entity: 'dataset', input: 'indexed', start: 0, count: 10 };
      const answer = await call('POST', '/entities?action=search', body);
      return answer.status === 200 ? (answer.body.value.entities as string[]).sort() : [];
    };
    while (!(await found()).includes(dataset('indexed.before'))) await new Promise((r) => setTimeout(r, 50));
    await write('poison');
    const aside = async (): Promise<number> =>
      (await part('consumers')).behind.find((each: any) => each.consumer === 'search-index')?.putAside ?? 0;
    const deaths = await untilDone('consume', async () => (await aside()) === 1);
    expect(deaths).toBeLessThanOrEqual(4);
    await write('behind');
    while (!(await found()).includes(dataset('indexed.behind'))) await new Promise((r) => setTimeout(r, 50));
    expect(await found()).toEqual([dataset('indexed.before'), dataset('indexed.behind')]);
    // Another start does not touch it, though nothing would die of it now.
    await service.kill();
    service = await ServiceProcess.start(home);
    await write('later');
    while (!(await found()).includes(dataset('indexed.later'))) await new Promise((r) => setTimeout(r, 50));
    expect(await found()).not.toContain(dataset('indexed.poison'));
    expect(await aside()).toBe(1);
    expect((await call('POST', '/operations?action=retryJobs', { queue: 'nothing' })).status).toBe(404);
    expect((await call('POST', '/operations?action=retryJobs', {})).body).toEqual({ value: { retried: 1 } });
    while (!(await found()).includes(dataset('indexed.poison'))) await new Promise((r) => setTimeout(r, 50));
    while ((await aside()) !== 0) await new Promise((r) => setTimeout(r, 50));
  });

  it('of changes that were published together only what the process dies of is suspended in the end', async () => {
    service = await ServiceProcess.start(home, { KILLS: 'consume' }, 'pipe', PROGRAM);
    // What was under way at once: two aspects of some of the entities, those of the poison among them.
    const names = ['one', 'two', 'poison', 'three', 'four', 'five'];
    const proposals = names.flatMap((name) => [
      proposal(dataset(`together.${name}`), 'datasetProperties', { name: 'together' }),
      proposal(dataset(`together.${name}`), 'status', { removed: false }),
    ]);
    await call('POST', '/aspects?action=ingestProposalBatch', { proposals }).catch(() => undefined);
    await service.kill();
    const search = async (): Promise<any> =>
      (await part('consumers')).behind.find((each: any) => each.consumer === 'search-index');
    const deaths = await untilDone('consume', async () => (await search())?.putAside === 1);
    expect(deaths).toBeLessThanOrEqual(4);
    const found = async (): Promise<string[]> => {
      const body = { entity: 'dataset', input: 'together', start: 0, count: 10 };
      const answer = await call('POST', '/entities?action=search', body);
      return answer.status === 200 ? (answer.body.value.entities as string[]).sort() : [];
    };
    const neighbours = names.filter((name) => name !== 'poison').map((name) => dataset(`together.${name}`));
    while ((await found()).length < neighbours.length) await new Promise((r) => setTimeout(r, 50));
    expect(await found()).toEqual(neighbours.sort());
    await service.kill();
    service = await ServiceProcess.start(home);
    expect((await call('POST', '/operations?action=retryJobs', {})).body).toEqual({ value: { retried: 1 } });
    while ((await found()).length < names.length) await new Promise((r) => setTimeout(r, 50));
    while ((await search())?.putAside > 0) await new Promise((r) => setTimeout(r, 50));
  });

  it('a clean-up of references that the process dies of says so in its trace until it is retried', async () => {
    service = await ServiceProcess.start(home, { KILLS: 'clear' }, 'pipe', PROGRAM);
    const tag = 'urn:li:tag:poison';
    const tagged = dataset('tagged');
    for (const [of, aspect, value] of [
      [tag, 'tagProperties', { name: 'poison' }],
      [tagged, 'globalTags', { tags: [{ tag }] }],
    ] as const) {
      const body = { proposal: proposal(of, aspect, value) };
      expect((await call('POST', '/aspects?action=ingestProposal', body)).status).toBe(200);
    }
    const deleted = await call('DELETE', `${path(tag)}?async=true`);
    expect(deleted.status).toBe(202);
    const trace = deleted.headers.get('location')!.replace('/write/', '/references/');
    const cleanup = async (): Promise<any> => (await call('GET', trace)).body;
    const deaths = await untilDone('clear', async () => (await cleanup()).state === 'FAILED');
    expect(deaths).toBeLessThanOrEqual(4);
    expect((await cleanup()).entities).toMatchObject([
      {
        urn: tag,
        state: 'FAILED',
        error: { code: 'INTERNAL', message: expect.stringMatching(/the process ended.* 3 times/) },
      },
    ]);
    await service.kill();
    service = await ServiceProcess.start(home);
    expect((await cleanup()).state).toBe('FAILED');
    const { body } = await call('POST', '/operations?action=retryJobs', {});
    // What was under way beside it at each of the deaths may have been suspended as well.
    expect(body.value.retried).toBeGreaterThanOrEqual(1);
    while ((await cleanup()).state === 'PENDING') await new Promise((r) => setTimeout(r, 50));
    expect(await cleanup()).toMatchObject({
      state: 'DONE',
      entities: [{ urn: tag, state: 'DONE', total: 1 }],
    });
  });

  it('the removal of values that the process dies of is suspended', async () => {
    service = await ServiceProcess.start(home, { KILLS: 'remove' }, 'pipe', PROGRAM);
    const urn = 'urn:li:structuredProperty:poison';
    const definition = {
      qualifiedName: 'poison',
      valueType: 'urn:li:dataType:platform.string',
      entityTypes: ['urn:li:entityType:platform.dataset'],
      cardinality: 'SINGLE',
    };
    const holder = dataset('holds.poison');
    const values = { properties: [{ propertyUrn: urn, values: [{ string: 'x' }] }] };
    for (const [of, aspect, value] of [
      [urn, 'propertyDefinition', definition],
      [holder, 'datasetProperties', { name: 'holder' }],
      [holder, 'structuredProperties', values],
    ] as const) {
      const body = { proposal: proposal(of, aspect, value) };
      expect((await call('POST', '/aspects?action=ingestProposal', body)).status).toBe(200);
    }
    await call('DELETE', path(urn)).catch(() => undefined);
    const failed = async (): Promise<number> => (await part('queue'))['property-removal']?.failed ?? 0;
    expect(await untilDone('remove', async () => (await failed()) === 1)).toBeLessThanOrEqual(4);
    await service.kill();
    // Another start tells the queue of it again, which does not touch it, though nothing would die of it now.
    service = await ServiceProcess.start(home);
    expect(await failed()).toBe(1);
    const removal = async (): Promise<any> =>
      (await call('POST', '/operations?action=propertyRemovals', {})).body.value.removals[0];
    expect(await removal()).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/the process ended.* 3 times/),
    });
    const listed = await call('POST', '/operations?action=listJobs', { queue: 'property-removal' });
    expect(listed.body.value).toEqual({
      queues: { 'property-removal': expect.objectContaining({ failed: 1 }) },
      jobs: [
        {
          ...{ queue: 'property-removal', id: expect.any(String), state: 'failed' },
          attempts: expect.any(Number),
          error: expect.stringMatching(/the process ended.* 3 times/),
        },
      ],
    });
    const retried = await call('POST', '/operations?action=retryJobs', { queue: 'property-removal' });
    expect(retried.body).toEqual({ value: { retried: 1 } });
    while ((await removal()).state !== 'done') await new Promise((r) => setTimeout(r, 50));
  });
});
