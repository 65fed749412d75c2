import { DatabaseSync } from 'node:sqlite';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FeedReader } from './events/feed-reader.js';
import { settled } from './openapi/support.js';
import { TestCatalog } from '../harness/catalog.js';
import { until } from '../harness/until.js';

const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.${name},PROD)`;

let home: string;
let saved: string;
let catalog: TestCatalog | undefined;
/** Where readers of the feed were before the database was put back. */
let offsetId: string;
/** Of a write that was accepted then. */
let trace: string;

const makeFolders = async () => {
  home = await mkdtemp(join(tmpdir(), 'catalog-home-'));
  saved = await mkdtemp(join(tmpdir(), 'catalog-saved-'));
};
const removeFolders = async (folders: string[]) => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
};
beforeEach(makeFolders);
afterEach(async () => {
  await stop();
  await removeFolders([home, saved]);
});

/** Makes both folders once for all tests of a block; each has copies of them. */
const prepare = (make: () => Promise<void>) => {
  let prepared: [home: string, saved: string];
  beforeAll(async () => {
    await makeFolders();
    prepared = [home, saved];
    await make();
  });
  beforeEach(async () => {
    await cp(prepared[0], home, { recursive: true });
    await cp(prepared[1], saved, { recursive: true });
  });
  afterAll(() => removeFolders(prepared));
};

const start = async (environment: Record<string, string> = {}) =>
  (catalog = await TestCatalog.start(environment, home));
const stop = async () => {
  await catalog?.stop({ keepHome: true });
  catalog = undefined;
};
const write = async (name: string, description: string) => {
  const answer = await catalog!.propose(urn(name), 'datasetProperties', { name, description });
  expect(answer.status).toBe(200);
};
const found = async (input: string): Promise<string[]> =>
  ((await catalog!.search('dataset', input)).entities as string[]).sort();
const register = (name: string) => catalog!.post('/operations?action=registerFeedConsumer', { name });
const consumed = (consumer: string) =>
  catalog!.get(
    `/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&pollTimeoutSeconds=0&consumer=${consumer}`,
  );
const isWhole = async () => {
  const { status, body } = await catalog!.post('/operations?action=verify', {});
  expect(status).toBe(200);
  expect(body.value).toMatchObject({ documents: body.value.entities, differingBuckets: 0 });
};
const copyOf = async (name: 'catalog.db' | 'search.db', from: string, to: string) => {
  for (const suffix of ['', '-wal', '-shm']) {
    await rm(join(to, name + suffix), { force: true });
    if ((await readdir(from)).includes(name + suffix)) {
      await cp(join(from, name + suffix), join(to, name + suffix));
    }
  }
};

describe('an older catalog.db under a newer search.db', () => {
  prepare(async () => {
    await start();
    await write('kept', 'first words');
    await found('kept');
    await register('known');
    await stop();
    await copyOf('catalog.db', home, saved);
    await start();
    for (let i = 0; i < 5; i++) await write('kept', `later words ${i}`);
    await write('lost', 'later words');
    expect(await found('later')).toEqual([urn('kept'), urn('lost')]);
    offsetId = (await FeedReader.atEnd(catalog!, 'PlatformEvent_v1')).offsetId!;
    expect(await consumed(`known&offsetId=${offsetId}`)).toMatchObject({ status: 200 });
    const accepted = await catalog!.post('/openapi/v3/entity/dataset?async=true', [
      { urn: urn('accepted'), status: { value: { removed: false } } },
    ]);
    trace = (await settled(catalog!, accepted)).traceId;
    await stop();
    await copyOf('catalog.db', saved, home);
  });

  it('tells readers of the feed where to begin, also when their numbers are given again', async () => {
    await start();
    const poll = () => catalog!.get(`/openapi/v1/events/poll?topic=PlatformEvent_v1&offsetId=${offsetId}`);
    const expired = { status: 410, body: { code: 'CURSOR_EXPIRED' } };
    expect(await poll()).toMatchObject(expired);
    for (let i = 0; i < 9; i++) await write('kept', `newest words ${i}`);
    await found('newest');
    const { status, body } = await poll();
    expect({ status, body }).toMatchObject(expired);
    expect(body.detail).toMatch(/begins at \d{4}-\d\d-\d\dT/);
    const registered = await catalog!.post('/operations?action=registerFeedConsumer', {
      name: 'one',
      offsetId,
    });
    expect(registered.status).toBe(200);
    const path = '/openapi/v1/events/poll?topic=PlatformEvent_v1&consumer=one';
    expect(await catalog!.get(path)).toMatchObject(expired);
  });

  it('has consumers go on where the database has them, and refuses the place that one confirmed since', async () => {
    await start();
    expect(await consumed(`known&offsetId=${offsetId}`)).toMatchObject({
      status: 410,
      body: { code: 'CURSOR_EXPIRED', detail: expect.stringMatching(/begins at \d{4}-\d\d-\d\dT/) },
    });
    await write('kept', 'newest words');
    await found('newest');
    const { status, body } = await consumed('known');
    expect(status).toBe(200);
    expect(JSON.stringify(body.events)).toContain('newest words');
    expect(JSON.stringify(body.events)).not.toContain('later words');
  });

  it('knows nothing of a write that was accepted since', async () => {
    await start();
    const path = `/openapi/v1/trace/write/${trace}`;
    expect(await catalog!.post(path, { [urn('accepted')]: ['status'] })).toMatchObject({ status: 404 });
    expect(await catalog!.read(urn('accepted'), 'status')).toBeUndefined();
  });

  it('finds nothing of what the database does not have, and what is written anew', async () => {
    await start();
    expect(await found('later')).toEqual([]);
    expect(await found('first')).toEqual([urn('kept')]);
    await write('kept', 'newest words');
    expect(await found('newest')).toEqual([urn('kept')]);
    await isWhole();
    // And it stays so.
    await stop();
    await start();
    await write('lost', 'newest words');
    expect(await found('newest')).toEqual([urn('kept'), urn('lost')]);
    await isWhole();
  });

  it('is noticed a second time', async () => {
    await start();
    await write('kept', 'second past');
    expect(await found('second')).toEqual([urn('kept')]);
    await stop();
    await copyOf('catalog.db', saved, home);
    await start();
    expect(await found('second')).toEqual([]);
    expect(await found('first')).toEqual([urn('kept')]);
    await isWhole();
  });

  it('is noticed when it has gone on beyond what the index knows', async () => {
    await copyOf('search.db', home, saved);
    // As one that is started without its index first.
    await copyOf('search.db', await mkdtemp(join(saved, 'empty-')), home);
    await start();
    for (let i = 0; i < 20; i++) await write(`other_${i}`, 'another past');
    await found('another');
    await stop();
    await copyOf('search.db', saved, home);
    await start();
    expect(await found('later')).toEqual([]);
    expect((await catalog!.search('dataset', 'another')).numEntities).toBe(20);
    await isWhole();
  });
});

describe('an older search.db under a newer catalog.db', () => {
  prepare(async () => {
    await start();
    await write('kept', 'first words');
    await write('changed', 'first words');
    await write('deleted', 'first words');
    await found('first');
    await stop();
    await copyOf('search.db', home, saved);
    await start();
    await write('changed', 'later words');
    await write('added', 'later words');
    const body = { urn: urn('deleted') };
    expect((await catalog!.post('/entities?action=delete', body)).status).toBe(200);
    expect(await found('later')).toEqual([urn('added'), urn('changed')]);
    await stop();
    await copyOf('search.db', saved, home);
  });
  const isLikeTheStore = async () => {
    expect(await found('later')).toEqual([urn('added'), urn('changed')]);
    expect(await found('first')).toEqual([urn('kept')]);
    await isWhole();
  };

  it('gets what it lacks before the first search', async () => {
    await start();
    await isLikeTheStore();
    await stop();
    await start();
    await write('newest', 'later words');
    expect(await found('later')).toEqual([urn('added'), urn('changed'), urn('newest')]);
  });

  it('is compared with the store where the log no longer says what it lacks', async () => {
    const database = new DatabaseSync(join(home, 'catalog.db'));
    database.exec('DELETE FROM change_log WHERE id < (SELECT MAX(id) FROM change_log)');
    database.close();
    await start();
    await until(async () => (await found('later')).length === 2);
    await isLikeTheStore();
  });
});

describe('another database', () => {
  it('does not find what belongs to the one before', async () => {
    await start();
    await write('mine', 'some words');
    await found('mine');
    await stop();
    await copyOf('search.db', home, saved);
    await rm(home, { recursive: true });
    await start();
    await write('other', 'some words');
    await found('other');
    await stop();
    await copyOf('search.db', saved, home);
    await start();
    expect(await found('words')).toEqual([urn('other')]);
    await isWhole();
  });

  it('that is missing or empty beside an index is refused, and accepted when that is meant', async () => {
    await start();
    await write('gone', 'some words');
    await found('gone');
    await stop();
    await copyOf('catalog.db', saved, home);
    // The first try makes the file; it is as empty at the second.
    for (let i = 0; i < 2; i++) {
      await expect(start()).rejects.toThrow(
        `${join(home, 'catalog.db')} is missing or empty, but ${join(home, 'search.db')} holds the index of a catalog. ` +
          'Put the database back, or set CATALOG_ACCEPT_EMPTY=on',
      );
    }
    await start({ CATALOG_ACCEPT_EMPTY: 'on' });
    expect(await found('words')).toEqual([]);
    await isWhole();
    await stop();
    await start();
    expect(await found('words')).toEqual([]);
  });
});

describe('a copy of the running home', () => {
  it('is whole', async () => {
    await start();
    for (let i = 0; i < 20; i++) await write(`part_${i}`, 'some words');
    const writing = (async () => {
      for (let i = 20; i < 60; i++) await write(`part_${i}`, 'some words');
    })();
    await cp(home, saved, { recursive: true, filter: (path) => !path.endsWith('service.lock') });
    await writing;
    await stop();
    [home, saved] = [saved, home];
    await start();
    const { numEntities } = await catalog!.search('dataset', 'words', { count: 100 });
    expect(numEntities).toBeGreaterThanOrEqual(20);
    await isWhole();
  });
});
