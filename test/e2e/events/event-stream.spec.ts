import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { StreamReader } from './stream-reader.js';

describe('the stream of events', () => {
  let catalog: TestCatalog;
  const open: StreamReader[] = [];
  const TAGS = 'topic=PlatformEvent_v1&entityType=tag&category=LIFECYCLE';
  const follow = async (
    ...call: Parameters<typeof StreamReader.open> extends [unknown, ...infer R] ? R : never
  ) => {
    const reader = await StreamReader.open(catalog, ...call);
    open.push(reader);
    await until(async () => reader.sent.length > 0);
    return reader;
  };
  const write = async (...names: string[]) => {
    for (const name of names)
      expect(await catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name })).toMatchObject({
        status: 200,
      });
  };
  const namesOf = (reader: StreamReader) => reader.events.map(({ entityUrn }) => entityUrn.slice(11));

  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_FEED_READERS: '4' });
  });
  afterAll(async () => {
    for (const reader of open) reader.close();
    await catalog.stop();
  });

  it('brings events as they happen, each with its cursor', async () => {
    const reader = await follow(TAGS);
    expect(Object.keys(reader.sent[0]!)).toEqual(['id']);
    await write('one', 'two');
    await until(async () => reader.events.length === 2);
    expect(namesOf(reader)).toEqual(['one', 'two']);
    expect(reader.sent[1]).toEqual({
      id: expect.any(String),
      event: 'PlatformEvent_v1',
      data: expect.any(String),
    });
    reader.close();
  });

  it('goes on where a reader was', async () => {
    const first = await follow(TAGS);
    await write('three');
    await until(async () => first.events.length === 1);
    first.close();
    await write('four', 'five');
    const second = await follow(TAGS, { lastEventId: first.lastId });
    await until(async () => second.events.length === 2);
    expect(namesOf(second)).toEqual(['four', 'five']);
    second.close();
  });

  it('tells readers where they are while a filter passes over everything', async () => {
    const reader = await follow('topic=PlatformEvent_v1&entityType=chart');
    const begin = reader.lastId;
    await write('passed.over');
    await until(async () => reader.lastId !== begin);
    expect(reader.events).toEqual([]);
    // What comes after that place is still seen.
    const urn = 'urn:li:chart:(looker,wanted)';
    expect(await catalog.propose(urn, 'status', { removed: false })).toMatchObject({ status: 200 });
    await until(async () => reader.events.length > 0);
    expect(reader.events[0]).toMatchObject({ entityUrn: urn, operation: 'CREATE' });
    reader.close();
  });

  it('brings all who wait for the same every event, and others theirs', async () => {
    const terms = 'topic=PlatformEvent_v1&entityType=glossaryTerm&category=LIFECYCLE';
    const readers = [await follow(TAGS), await follow(TAGS), await follow(terms)];
    await write('six');
    const { status } = await catalog.propose('urn:li:glossaryTerm:a', 'glossaryTermInfo', {
      definition: 'a term',
      termSource: 'INTERNAL',
    });
    expect(status).toBe(200);
    await write('seven');
    await until(async () => readers.every(({ events }, i) => events.length === (i < 2 ? 2 : 1)));
    expect(readers.map(({ events }) => events.map(({ entityUrn }) => entityUrn))).toEqual([
      ['urn:li:tag:six', 'urn:li:tag:seven'],
      ['urn:li:tag:six', 'urn:li:tag:seven'],
      ['urn:li:glossaryTerm:a'],
    ]);
    const [one, two] = readers;
    expect(one!.sent).toEqual(two!.sent);
    for (const reader of readers) reader.close();
  });

  it('ends when the token is revoked', async () => {
    const { id, token } = await catalog.issueToken({ role: 'READER' });
    const reader = await follow(TAGS, { token });
    await catalog.revokeToken(id);
    await until(async () => reader.ended);
    expect(reader.sent.at(-1)).toMatchObject({
      event: 'error',
      data: expect.stringContaining('TOKEN_INVALID'),
    });
  });

  it('is open to so many readers at a time', async () => {
    const readers = [await follow(TAGS), await follow(TAGS), await follow(TAGS), await follow(TAGS)];
    const refused = await catalog.get(`/openapi/v1/events/stream?${TAGS}`);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    const { text } = await catalog.get('/metrics');
    expect(text).toMatch(/^catalog_feed_readers 4$/m);
    expect(text).toMatch(/^catalog_feed_lag_changes \d+$/m);
    for (const reader of readers) reader.close();
    await until(async () => (await catalog.get('/metrics')).text.includes('\ncatalog_feed_readers 0\n'));
  });

  it('refuses what is wrong before it begins', async () => {
    const { status, body } = await catalog.get(`/openapi/v1/events/stream?${TAGS}`, {
      headers: { 'last-event-id': 'nonsense' },
    });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PARAMETER_INVALID' });
  });

  it('does not hold up a stop', async () => {
    const other = await TestCatalog.start();
    const reader = await StreamReader.open(other, 'topic=PlatformEvent_v1');
    await until(async () => reader.sent.length > 0);
    await other.stop();
    await until(async () => reader.ended);
  });
});
