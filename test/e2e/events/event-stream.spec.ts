import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { parseEvent } from './feed-reader.js';

interface Sent {
  id?: string;
  event?: string;
  data?: string;
}

/** Reads Server-Sent Events, as far as the service writes them: fields of one line each. */
class StreamReader {
  readonly sent: Sent[] = [];
  ended = false;
  private readonly connection = new AbortController();

  static async open(
    catalog: TestCatalog,
    query: string,
    { token = ADMIN_TOKEN, lastEventId }: { token?: string; lastEventId?: string | undefined } = {},
  ): Promise<StreamReader> {
    const reader = new StreamReader();
    const response = await fetch(`${catalog.url}/openapi/v1/events/stream?${query}`, {
      signal: reader.connection.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    void reader.read(response).catch(() => undefined);
    return reader;
  }

  close(): void {
    this.connection.abort();
  }

  get events(): any[] {
    return this.sent.flatMap(({ data }) => (data === undefined ? [] : [parseEvent(data)]));
  }

  get lastId(): string | undefined {
    return this.sent.findLast(({ id }) => id !== undefined)?.id;
  }

  private async read(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) {
        const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1, 3));
        this.sent.push(Object.fromEntries(fields) as Sent);
      }
    }
    this.ended = true;
  }
}

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
    reader.close();
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
