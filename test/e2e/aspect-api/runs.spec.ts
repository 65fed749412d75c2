import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { define, holds, setting, shown } from '../structured-properties/support.js';
import { dataset, encoded, expectRefusal, stored, version } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

type Write = [urn: string, aspect: string, value: unknown];

/** Writes in one batch, as a run. */
async function run(runId: string, ...writes: Write[]): Promise<void> {
  const proposals = writes.map(([urn, aspect, value]) =>
    proposal(urn, aspect, value, { systemMetadata: { runId, lastObserved: 1 } }),
  );
  const answer = await catalog.post('/aspects?action=ingestProposalBatch', { proposals });
  expect(answer.status).toBe(200);
}
const act = (action: string, body: object = {}, token?: string) =>
  catalog.post(`/runs?action=${action}`, body, token === undefined ? {} : { token });
const value = async (action: string, body: object = {}) => {
  const answer = await act(action, body);
  expect({ status: answer.status, body: answer.status === 200 ? undefined : answer.body }).toEqual({
    status: 200,
    body: undefined,
  });
  return answer.body.value;
};
const describeRun = async (runId: string, more: object = {}): Promise<string[][]> =>
  (await value('describe', { runId, ...more })).map((row: { urn: string; aspectName: string }) => [
    row.urn,
    row.aspectName,
  ]);
const rowsOf = async (runId: string): Promise<number | undefined> =>
  (await value('list')).find((row: { runId: string }) => row.runId === runId)?.rows;
const exists = async (urn: string) => (await catalog.get(`/entitiesV2/${encoded(urn)}`)).status === 200;
const runOf = async (urn: string, aspect: string) =>
  (await catalog.get(`/entitiesV2/${encoded(urn)}`)).body.aspects[aspect].systemMetadata.runId;

const properties = (name: string) => ({ name });
const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) });
const NOTHING = {
  aspectsAffected: 0,
  entitiesAffected: 0,
  entitiesDeleted: 0,
  aspectsReverted: 0,
  unsafeEntitiesCount: 0,
  unsafeEntities: [],
  aspectRowSummaries: [],
};
const DEFAULTS = ['browsePathsV2', 'dataPlatformInstance', 'datasetKey'];

describe('runs', () => {
  it('are listed, the latest first, and described with the defaults of new entities', async () => {
    const urn = dataset('runs.one');
    await run(
      'one',
      [urn, 'datasetProperties', properties('a')],
      [urn, 'datasetProfile', { timestampMillis: 5 }],
    );
    await run('two', [urn, 'globalTags', tags('a')]);
    const list: Array<{ runId: string; rows: number; timestamp: number }> = await value('list', {
      pageOffset: 0,
      pageSize: 2,
      includeSoft: false,
    });
    expect(list.map(({ runId, rows }) => [runId, rows])).toEqual([
      ['two', 1],
      ['one', 5],
    ]);
    expect(await value('list', { pageOffset: 1, pageSize: 1 })).toEqual([list[1]]);
    expect(await describeRun('one')).toEqual(
      [...DEFAULTS, 'datasetProperties', 'datasetProfile'].map((aspect) => [urn, aspect]),
    );
    const paged = [];
    for (let start = 0; start < 6; start += 2) paged.push(...(await describeRun('one', { start, count: 2 })));
    expect(paged).toEqual(await describeRun('one'));
    const [row] = await value('describe', {
      runId: 'two',
      start: 0,
      count: 10,
      includeSoft: false,
      includeAspect: true,
    });
    expect(row).toEqual({
      runId: 'two',
      urn,
      aspectName: 'globalTags',
      timestamp: list[0]?.timestamp,
      metadata: expect.stringContaining('"runId":"two"'),
      version: 1,
      keyAspect: false,
      aspect: { value: JSON.stringify(tags('a')), contentType: 'application/json' },
    });
  });

  it('own a value until another one takes its place', async () => {
    const urn = dataset('runs.owner');
    await run('first', [urn, 'datasetProperties', properties('a')]);
    await run('same', [urn, 'datasetProperties', properties('a')]);
    expect(await describeRun('same')).toEqual([]);
    await run('other', [urn, 'datasetProperties', properties('b')]);
    expect(await describeRun('other')).toEqual([[urn, 'datasetProperties']]);
    expect(await describeRun('first')).toEqual(DEFAULTS.map((aspect) => [urn, aspect]));
  });

  it('leave out what is soft-deleted, unless it is asked for', async () => {
    const urn = dataset('runs.soft');
    await run('soft', [urn, 'datasetProperties', properties('a')]);
    await catalog.ingest([urn, 'status', { removed: true }]);
    expect(await rowsOf('soft')).toBeUndefined();
    expect(await describeRun('soft')).toEqual([]);
    expect(await describeRun('soft', { includeSoft: true })).toHaveLength(4);
    const all = await value('list', { includeSoft: true });
    expect(all.find((row: { runId: string }) => row.runId === 'soft').rows).toBe(4);
  });

  it('that nobody knows are empty, not an error', async () => {
    expect(await value('describe', { runId: 'unknown' })).toEqual([]);
    expect(await value('rollback', { runId: 'unknown', dryRun: false })).toEqual(NOTHING);
  });

  it.each<[action: string, body: object, code: string, pointer: string]>([
    ['describe', {}, 'PARAMETER_MISSING', '/runId'],
    ['rollback', {}, 'PARAMETER_MISSING', '/runId'],
    ['rollback', { runId: 'x', safe: true, hardDelete: true }, 'PARAMETER_INVALID', '/hardDelete'],
    ['rollback', { runId: 'no-run-id-provided' }, 'PARAMETER_INVALID', '/runId'],
    ['list', { pageSize: -1 }, 'PARAMETER_INVALID', '/pageSize'],
    ['list', { page: 1 }, 'PARAMETER_INVALID', '/page'],
    ['nothing', {}, 'ACTION_UNKNOWN', '/action'],
  ])('%s refuses %p', async (action, body, code, pointer) => {
    expectRefusal(await act(action, body), 400, code, pointer);
  });

  it('are rolled back by those who may delete', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefusal(await act('rollback', { runId: 'one' }, token), 403, 'NOT_ALLOWED');
    expect((await act('rollback', { runId: 'one', dryRun: true }, token)).status).toBe(200);
    expect(await rowsOf('one')).toBe(5);
  });
});

describe('a rollback', () => {
  it('removes an entity that is the run’s alone, and finds nothing the second time', async () => {
    const urn = dataset('back.pure');
    await run(
      'pure',
      [urn, 'datasetProperties', properties('a')],
      [urn, 'datasetProfile', { timestampMillis: 5 }],
    );
    await run('pure', [urn, 'globalTags', tags('a')]);
    const before = await stored(catalog, urn);
    const expected = {
      ...NOTHING,
      entitiesAffected: 1,
      entitiesDeleted: 1,
      aspectsReverted: 5,
      aspectRowSummaries: expect.any(Array),
    };
    const dry = await value('rollback', { runId: 'pure', dryRun: true, safe: true });
    expect(dry).toEqual(expected);
    expect(dry.aspectRowSummaries).toHaveLength(6);
    expect(dry.aspectRowSummaries[0]).toEqual({
      runId: 'pure',
      urn,
      aspectName: 'datasetProfile',
      timestamp: expect.any(Number),
    });
    expect(await stored(catalog, urn)).toEqual(before);

    expect(await value('rollback', { runId: 'pure', dryRun: false, safe: true })).toEqual(expected);
    expect(await exists(urn)).toBe(false);
    expect((await catalog.search('dataset', 'back.pure')).entities).toEqual([]);
    expect(await describeRun('pure', { includeSoft: true })).toEqual([]);
    expect(await rowsOf('pure')).toBeUndefined();
    expect(await value('rollback', { runId: 'pure' })).toEqual(NOTHING);
  });

  it('brings back what stood before, as a new version, and leaves what others wrote since', async () => {
    const urn = dataset('back.values');
    await run('v-old', [urn, 'datasetProperties', properties('old')], [urn, 'globalTags', tags('old')]);
    await run(
      'v-new',
      [urn, 'datasetProperties', properties('between')],
      [urn, 'globalTags', tags('new')],
      [urn, 'ownership', { owners: [] }],
    );
    await run('v-new', [urn, 'datasetProperties', properties('new')]);
    await run('v-since', [urn, 'globalTags', tags('since')]);
    expect(await value('rollback', { runId: 'v-new' })).toMatchObject({
      aspectsReverted: 2,
      entitiesAffected: 0,
      unsafeEntitiesCount: 0,
    });
    expect(await catalog.read(urn, 'datasetProperties')).toMatchObject(properties('old'));
    expect(await catalog.read(urn, 'globalTags')).toEqual(tags('since'));
    expect(await catalog.read(urn, 'ownership')).toBeUndefined();
    expect(await runOf(urn, 'datasetProperties')).toBe('v-old');
    // Nothing of the history is lost.
    expect(
      await Promise.all([1, 2, 3, 4, 5].map((n) => version(catalog, urn, 'datasetProperties', n))),
    ).toEqual([
      expect.objectContaining(properties('old')),
      expect.objectContaining(properties('between')),
      expect.objectContaining(properties('new')),
      expect.objectContaining(properties('old')),
      undefined,
    ]);
    expect((await catalog.search('dataset', 'name:old')).entities).toEqual([urn]);
  });

  it('does not bring back what an earlier rollback undid', async () => {
    const urn = dataset('back.twice');
    await run('base', [urn, 'datasetProperties', properties('base')]);
    await run('t-a', [urn, 'globalTags', tags('a')]);
    await run('t-b', [urn, 'globalTags', tags('b')]);
    await value('rollback', { runId: 't-b' });
    expect(await catalog.read(urn, 'globalTags')).toEqual(tags('a'));
    await value('rollback', { runId: 't-a' });
    expect(await catalog.read(urn, 'globalTags')).toBeUndefined();
    expect(await exists(urn)).toBe(true);
  });

  it('hides an entity that carries something of others, and tells', async () => {
    const urn = dataset('back.shared');
    await run('s-new', [urn, 'datasetProperties', properties('a')]);
    await run('s-other', [urn, 'globalTags', tags('other')]);
    const expected = {
      entitiesAffected: 1,
      entitiesDeleted: 0,
      aspectsReverted: 3,
      aspectsAffected: 1,
      unsafeEntitiesCount: 1,
      unsafeEntities: [{ urn }],
    };
    expect(await value('rollback', { runId: 's-new', dryRun: true })).toMatchObject(expected);
    expect(await value('rollback', { runId: 's-new' })).toMatchObject(expected);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: true });
    expect(await catalog.read(urn, 'globalTags')).toEqual(tags('other'));
    expect(await catalog.read(urn, 'datasetProperties')).toBeUndefined();
    expect((await catalog.search('dataset', 'back.shared')).entities).toEqual([]);
    expect(await value('rollback', { runId: 's-new' })).toEqual(NOTHING);
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect((await catalog.search('dataset', 'back.shared')).entities).toEqual([urn]);
  });

  it('does not count an entity as its own when an event or an earlier value is of others', async () => {
    const [event, earlier] = [dataset('back.event'), dataset('back.earlier')];
    await run(
      'o-new',
      [event, 'datasetProperties', properties('a')],
      [earlier, 'datasetProperties', properties('a')],
    );
    await run(
      'o-other',
      [event, 'datasetProfile', { timestampMillis: 7 }],
      [earlier, 'globalTags', tags('x')],
    );
    await run('o-new', [earlier, 'globalTags', tags('y')], [event, 'datasetProfile', { timestampMillis: 8 }]);
    expect(await value('rollback', { runId: 'o-new' })).toMatchObject({
      entitiesDeleted: 0,
      unsafeEntitiesCount: 2,
    });
    expect(await catalog.read(earlier, 'globalTags')).toEqual(tags('x'));
    const events = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
      urn: event,
      entity: 'dataset',
      aspect: 'datasetProfile',
    });
    expect(
      events.body.value.values.map((v: { systemMetadata: { runId: string } }) => v.systemMetadata.runId),
    ).toEqual(['o-other']);
  });

  it.each([{ safe: false }, { hardDelete: true }])('deletes it all the same with %p', async (how) => {
    const urn = dataset(`back.nuke.${Object.keys(how)[0]}`);
    await run('n-new', [urn, 'datasetProperties', properties('a')]);
    await run('n-other', [urn, 'globalTags', tags('other')]);
    expect(await value('rollback', { runId: 'n-new', ...how })).toMatchObject({
      entitiesAffected: 1,
      entitiesDeleted: 1,
      aspectsReverted: 3,
      aspectsAffected: 1,
      unsafeEntitiesCount: 1,
    });
    expect(await exists(urn)).toBe(false);
    expect(await rowsOf('n-other')).toBeUndefined();
  });

  it('of a soft deletion restores', async () => {
    const urn = dataset('back.status');
    await run('st-old', [urn, 'datasetProperties', properties('a')]);
    await run('st-delete', [urn, 'status', { removed: true }]);
    expect(await value('rollback', { runId: 'st-delete' })).toMatchObject({ aspectsReverted: 1 });
    expect(await catalog.read(urn, 'status')).toBeUndefined();
    expect((await catalog.search('dataset', 'back.status')).entities).toEqual([urn]);
  });

  it('tells what a rule keeps it from, and does the rest', async () => {
    const property = 'urn:li:structuredProperty:back.p';
    const [kept, done] = [dataset('back.kept'), dataset('back.done')];
    const definition = {
      qualifiedName: 'back.p',
      valueType: 'urn:li:dataType:platform.string',
      entityTypes: ['urn:li:entityType:platform.dataset'],
      immutable: true,
    };
    const assigned = { properties: [{ propertyUrn: property, values: [{ string: 'x' }] }] };
    await run(
      'r-old',
      [property, 'propertyDefinition', definition],
      [kept, 'datasetProperties', properties('kept')],
      [done, 'globalTags', tags('old')],
    );
    await run('r-new', [kept, 'structuredProperties', assigned], [done, 'globalTags', tags('new')]);
    expect(await value('rollback', { runId: 'r-new' })).toMatchObject({
      aspectsReverted: 1,
      unsafeEntitiesCount: 1,
      unsafeEntities: [{ urn: kept, reason: expect.stringContaining('immutable') }],
    });
    expect(await catalog.read(done, 'globalTags')).toEqual(tags('old'));
    expect(await catalog.read(kept, 'structuredProperties')).toEqual(assigned);
  });

  it('tells of values that are hidden: they stay as they are', async () => {
    const [soft, other] = [
      await define(catalog, 'run.soft', 'string'),
      await define(catalog, 'run.other', 'string'),
    ];
    const [alone, beside] = [dataset('hidden.alone'), dataset('hidden.beside')];
    const values = (urn: string, ...entries: Array<[property: string, value: string]>): Write => [
      urn,
      'structuredProperties',
      setting(...entries.map(([of, text]) => holds(of, text))),
    ];
    await run('hidden-base', ...[alone, beside].map((urn): Write => [urn, 'status', { removed: false }]));
    await run('hidden-before', values(alone, [soft, 'a']), values(beside, [soft, 'a'], [other, 'a']));
    await run('hidden', values(alone, [soft, 'b']), values(beside, [soft, 'b'], [other, 'b']));
    await catalog.ingest([soft, 'status', { removed: true }]);
    const told = {
      unsafeEntitiesCount: 2,
      unsafeEntities: [alone, beside].map((urn) => ({
        urn,
        reason: 'values of structuredProperties that are hidden now stay as they are',
      })),
    };
    const sorted = ({ unsafeEntities, ...rest }: any) => ({
      ...rest,
      unsafeEntities: unsafeEntities.sort((a: any, b: any) => a.urn.localeCompare(b.urn)),
    });
    expect(sorted(await value('rollback', { runId: 'hidden', dryRun: true }))).toMatchObject(told);
    expect(sorted(await value('rollback', { runId: 'hidden' }))).toMatchObject({
      ...told,
      aspectsReverted: 1,
    });
    await catalog.ingest([soft, 'status', { removed: false }]);
    expect(await shown(catalog, beside)).toEqual({ 'run.soft': ['b'], 'run.other': ['a'] });
    expect(await shown(catalog, alone)).toEqual({ 'run.soft': ['b'] });
    expect(await value('rollback', { runId: 'hidden' })).toMatchObject({
      ...{ aspectsReverted: 1, unsafeEntities: [] },
    });
    expect(await shown(catalog, alone)).toEqual({ 'run.soft': ['a'] });
  });

  it('takes on a run that is larger than a transaction, written in many pieces', async () => {
    const urns = Array.from({ length: 330 }, (_, i) => dataset(`back.large.${i}`));
    await run('large-other', ...urns.slice(0, 30).map((urn): Write => [urn, 'globalTags', tags('other')]));
    for (let from = 0; from < urns.length; from += 110) {
      await run(
        'large',
        ...urns.slice(from, from + 110).map((urn): Write => [urn, 'datasetProperties', properties(urn)]),
      );
    }
    await run('large', ...urns.map((urn): Write => [urn, 'ownership', { owners: [] }]));
    await run('large', ...urns.map((urn): Write => [urn, 'datasetProfile', { timestampMillis: 1 }]));
    const expected = {
      entitiesAffected: 300,
      entitiesDeleted: 300,
      aspectsReverted: 300 * 5 + 30 * 3,
      unsafeEntitiesCount: 0,
    };
    const dry = await value('rollback', { runId: 'large', dryRun: true });
    expect(dry).toMatchObject(expected);
    expect(dry.aspectRowSummaries).toHaveLength(100);
    expect(await value('rollback', { runId: 'large' })).toMatchObject(expected);
    expect(await value('rollback', { runId: 'large' })).toEqual(NOTHING);
    const left = await catalog.post('/entities?action=filterExistingUrns', { request: { urns } });
    expect(left.body.value).toEqual(urns.slice(0, 30));
  });
});
