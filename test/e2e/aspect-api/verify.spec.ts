import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrometheusMeter } from '../../../src/adapters/metrics/index.js';
import { run } from '../../../src/cli/run.js';
import { openSearchIndex } from '../../../src/backing/open-search-index.js';
import { Model } from '../../../src/catalog/model/index.js';
import { SearchIndex, SearchSchema } from '../../../src/catalog/search/index.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from './support.js';

const URNS = Array.from({ length: 6 }, (_, i) => dataset(`verify.t${i}`));
const [GONE, OLD, ODD, AHEAD] = URNS as [string, string, string, string];
const ORPHAN = dataset('verify.orphan');
const NOTHING = { count: 0, urns: [] };

let catalog: TestCatalog;
/** A second hand on the index of the running service: what harms it from outside. */
let index: SearchIndex;

beforeAll(async () => {
  catalog = await TestCatalog.start();
  index = await openSearchIndex(catalog.configuration, new PrometheusMeter());
  await index.ensureSchema(new SearchSchema(Model.load().entities.values()));
  for (const urn of URNS) await catalog.ingest([urn, 'datasetProperties', { name: `verified ${urn}` }]);
});
afterAll(async () => {
  await index.close();
  await catalog.stop();
});

const verify = (body: object = {}) => catalog.post('/operations?action=verify', body);
const found = async (input = 'verified') => (await catalog.search('dataset', input)).entities.sort();
/** What was written has been indexed: from here on nobody but the test touches the index. */
const caughtUp = () => found();
const document = (urn: string, sequence: number) => ({
  urn,
  entity: 'dataset',
  sequence,
  removed: false,
  fields: { urn: [urn], _entityType: ['DATASET'], name: ['verified by nobody'] },
});

describe('an index that is right', () => {
  it('is found so, at any number of buckets', async () => {
    for (const buckets of [1, 7, 65_536]) {
      const { status, body } = await verify({ buckets });
      expect({ status, value: body.value }).toEqual({
        status: 200,
        value: {
          entities: expect.any(Number),
          documents: expect.any(Number),
          buckets,
          differingBuckets: 0,
          differences: { missing: NOTHING, stale: NOTHING, leftOver: NOTHING, ahead: NOTHING },
          repaired: 0,
          remaining: 0,
          dangling: { count: 0, references: [] },
        },
      });
      expect(body.value.entities).toBe(body.value.documents);
      expect(body.value.entities).toBeGreaterThanOrEqual(URNS.length);
    }
  });

  it('is found so while writes come in', async () => {
    let writing = true;
    const writer = (async () => {
      for (let i = 0; writing; i++) {
        const urn = dataset(`busy.t${i % 20}`);
        if (i % 7 === 6) await catalog.propose(urn, 'datasetKey', undefined, { changeType: 'DELETE' });
        else await catalog.ingest([urn, 'datasetProperties', { name: `busy ${i}` }]);
      }
    })();
    try {
      for (let i = 0; i < 5; i++) {
        const { body } = await verify({ repair: i % 2 === 0 });
        expect(body.value).toMatchObject({ differingBuckets: 0, repaired: 0, remaining: 0 });
      }
    } finally {
      writing = false;
      await writer;
    }
  });
});

describe('a damaged index', () => {
  beforeEach(async () => {
    await caughtUp();
    await index.forget([GONE, OLD, AHEAD]);
    await index.upsert([document(OLD, 0), document(ORPHAN, 5), document(AHEAD, 1_000_000)]);
  });

  const damage = {
    missing: { count: 1, urns: [GONE] },
    stale: { count: 1, urns: [OLD] },
    leftOver: { count: 1, urns: [ORPHAN] },
    ahead: { count: 1, urns: [AHEAD] },
  };

  it('is described, and left as it is', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await verify()).body.value).toMatchObject({ differences: damage, repaired: 0, remaining: 4 });
    }
    expect(await found()).toContain(ORPHAN);
    await verify({ repair: true });
  });

  it('is repaired', async () => {
    const { body } = await verify({ repair: true });
    expect(body.value).toMatchObject({ differences: damage, repaired: 4, remaining: 0 });
    expect((await verify()).body.value).toMatchObject({ differingBuckets: 0, remaining: 0 });
    expect(await found()).toEqual(URNS.toSorted());
    // What was ahead follows the store again.
    await catalog.ingest([AHEAD, 'datasetProperties', { name: 'verified later' }]);
    expect(await found('verified later')).toEqual([AHEAD]);
    await catalog.ingest([ORPHAN, 'datasetProperties', { name: 'orphan no more' }]);
    expect(await found('orphan no more')).toEqual([ORPHAN]);
    await catalog.propose(ORPHAN, 'datasetKey', undefined, { changeType: 'DELETE' });
    await catalog.ingest([AHEAD, 'datasetProperties', { name: `verified ${AHEAD}` }]);
  });

  it('is named only as far as asked, and counted in full', async () => {
    await index.forget(URNS);
    const { body } = await verify({ repair: true, limit: 2 });
    expect(body.value.differences.missing).toEqual({ count: URNS.length, urns: URNS.slice(0, 2) });
    expect(await found()).toEqual(URNS.toSorted());
  });

  it('is repaired from the command line', async () => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = {
      out: (line: string) => out.push(line),
      err: (line: string) => err.push(line),
      interactive: false,
    };
    const words = ['verify', '--server', catalog.url, '--token', ADMIN_TOKEN];
    expect(await run(words, terminal)).toBe(1);
    expect(out).toContain(`  ${GONE}`);
    out.length = 0;
    expect(await run([...words, '--json'], terminal)).toBe(1);
    expect(JSON.parse(out.join('\n'))).toMatchObject({ remaining: 4, repaired: 0 });
    expect(await run([...words, '--repair'], terminal)).toBe(0);
    expect(err).toContain('4 repaired');
    expect(await run(words, terminal)).toBe(0);
  });
});

describe('restoring', () => {
  const restore = (body: object, door = 'operations') => catalog.post(`/${door}?action=restoreIndices`, body);

  it.each([
    ['operations', { urn: ODD }, 1],
    ['operations', { urnLike: '%verify.t%' }, URNS.length],
    ['operations', { urnLike: '%verify.t%', aspect: 'datasetproperties' }, URNS.length],
    ['aspects', { urnLike: '%verify.t%', batchSize: 2 }, URNS.length],
  ])('at /%s with %j indexes what matches', async (door, body, matched) => {
    await index.forget(URNS);
    const answer = await restore(body, door);
    expect(JSON.parse(answer.body.value)).toEqual({ matched, start: 0, indexed: matched });
    expect((await found()).length).toBe(matched);
  });

  it('goes on where it is told to', async () => {
    await index.forget(URNS);
    const answer = await restore({ urnLike: '%verify.t%', start: 2, limit: 3, batchSize: 2 });
    expect(JSON.parse(answer.body.value)).toEqual({ matched: URNS.length, start: 2, indexed: 3 });
    expect(await found()).toEqual(URNS.slice(2, 5));
    await restore({ lePitEpochMs: Date.now() + 1000 });
    expect(await found()).toEqual(URNS.toSorted());
  });

  it('of nothing says so, and is no error', async () => {
    for (const body of [
      { urn: dataset('verify.nobody') },
      { urnLike: 'nothing%' },
      { gePitEpochMs: Date.now() + 1e9 },
    ]) {
      const { status, body: told } = await restore(body);
      expect([status, JSON.parse(told.value)]).toEqual([200, { matched: 0, start: 0, indexed: 0 }]);
    }
    const skipped = await restore({ urn: ODD, start: 1 });
    expect(JSON.parse(skipped.body.value)).toEqual({ matched: 1, start: 1, indexed: 0 });
  });

  it('works from the command line', async () => {
    await index.forget(URNS);
    const err: string[] = [];
    const out: string[] = [];
    const terminal = {
      out: (line: string) => out.push(line),
      err: (line: string) => err.push(line),
      interactive: false,
    };
    const to = ['--server', catalog.url, '--token', ADMIN_TOKEN];
    expect(await run(['restore-indices', '--urn', ODD, '--json', ...to], terminal)).toBe(0);
    expect(out).toEqual(['{"indexed":1}']);
    expect(await found()).toEqual([ODD]);
    expect(await run(['restore-indices', ...to], terminal)).toBe(0);
    expect(await found()).toEqual(URNS.toSorted());
    expect(await run(['restore-indices', '--urn', dataset('nobody'), ...to], terminal)).toBe(1);
    expect(err.at(-1)).toContain('no entity matches');
    expect(await run(['restore-indices', '--urn', ODD, '--urn-like', '%', ...to], terminal)).toBe(2);
  });
});

describe('dangling references', () => {
  it('are listed until what they name exists', async () => {
    const [tag, term] = ['urn:li:tag:verify-dangling', 'urn:li:glossaryTerm:VerifyDangling'];
    const stamp = { time: 1, actor: 'urn:li:corpuser:ann' };
    await catalog.ingest(
      [ODD, 'globalTags', { tags: [{ tag }] }],
      [ODD, 'glossaryTerms', { terms: [{ urn: term }], auditStamp: stamp }],
      [ODD, 'ownership', { owners: [{ owner: 'urn:li:corpuser:verify-nobody', type: 'DATAOWNER' }] }],
    );
    expect((await verify()).body.value.dangling).toEqual({
      count: 2,
      references: [
        { entity: ODD, aspect: 'glossaryTerms', target: term },
        { entity: ODD, aspect: 'globalTags', target: tag },
      ],
    });
    await catalog.ingest([tag, 'tagProperties', { name: 'there' }]);
    expect((await verify()).body.value.dangling).toMatchObject({ count: 1 });
  });
});

describe('refused', () => {
  it('to all but administrators', async () => {
    for (const role of ['READER', 'EDITOR'] as const) {
      const { token } = await catalog.issueToken({ role });
      for (const action of ['verify', 'restoreIndices']) {
        expectRefusal(await catalog.post(`/operations?action=${action}`, {}, { token }), 403, 'NOT_ALLOWED');
      }
    }
    expectRefusal(await catalog.post('/operations?action=verify', {}, { token: null }), 401, 'TOKEN_MISSING');
  });

  it.each<[string, object, string, string]>([
    ['verify', { repair: 'maybe' }, 'PARAMETER_INVALID', '/repair'],
    ['verify', { buckets: 0 }, 'PARAMETER_INVALID', '/buckets'],
    ['verify', { buckets: 65_537 }, 'PARAMETER_INVALID', '/buckets'],
    ['verify', { colour: 1 }, 'PARAMETER_INVALID', '/colour'],
    ['restoreIndices', { urn: 'x' }, 'URN_MALFORMED', '/urn'],
    ['restoreIndices', { urn: '' }, 'PARAMETER_MISSING', '/urn'],
    ['restoreIndices', { aspect: 'nope' }, 'ASPECT_UNKNOWN', '/aspect'],
    ['restoreIndices', { aspect: 'datasetProfile' }, 'ASPECT_KIND_WRONG', '/aspect'],
    ['restoreIndices', { batchSize: 0 }, 'PARAMETER_INVALID', '/batchSize'],
    ['restoreIndices', { start: -1 }, 'PARAMETER_INVALID', '/start'],
    ['truncate', {}, 'ACTION_UNKNOWN', '/action'],
  ])('%s with %j', async (action, body, code, pointer) => {
    expectRefusal(await catalog.post(`/operations?action=${action}`, body), 400, code, pointer);
  });
});
