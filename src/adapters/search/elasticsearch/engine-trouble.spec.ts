import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuse, type CatalogError } from '../../../catalog/errors/index.js';
import { SearchBudget } from '../../../catalog/search/index.js';
import { BulkWriter } from './bulk-writer.js';
import { ElasticClient } from './elastic-client.js';
import { Refresher } from './refresher.js';

const WRITE = { alias: 'a', id: '1', urn: 'urn:li:tag:1', version: 1, source: '{}' };

/** An engine that has just been killed, is starting, or stands behind a proxy gives all kinds of answers. */
describe('trouble of the search engine', () => {
  let server: Server;
  let client: ElasticClient;
  let answer: (response: ServerResponse) => void;
  const json = (status: number, body: object) => (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const trouble = (status: number, type: string) => json(status, { error: { type, reason: type }, status });
  const write = () => new BulkWriter(client, async () => []).write([WRITE]);
  const refresh = () => new Refresher(client).refresh(['a']);

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => answer(response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = new ElasticClient(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  afterAll(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['500', trouble(500, 'node_closed_exception')],
    ['502', trouble(502, 'bad gateway')],
    ['503', trouble(503, 'no_shard_available_action_exception')],
    ['a disk without room', trouble(403, 'cluster_block_exception')],
    ['401', trouble(401, 'security_exception')],
    ['403', trouble(403, 'security_exception')],
    ['407', json(407, {})],
    ['408', json(408, {})],
    [
      'a refusing page of a proxy',
      (response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<p>Forbidden</p>'),
    ],
    [
      'a page of a proxy that does not know us',
      (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not found</p>'),
    ],
    [
      'a page of a proxy that understands nothing',
      (response) => response.writeHead(400, { 'content-type': 'text/html' }).end('<p>Bad request</p>'),
    ],
    ['a page of a proxy', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    [
      'half an answer',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"errors":'),
    ],
    [
      'an answer that breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"errors":', () => response.destroy());
      },
    ],
    ['no answer', (response) => response.destroy()],
  ])('is waited for, and no write counts as done: %s', async (_, given) => {
    answer = given;
    await expect(write()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    await expect(refresh()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['401', trouble(401, 'security_exception')],
    ['403', trouble(403, 'security_exception')],
    ['a page', (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>')],
  ])('shows in the health of the index, and before each search: %s', async (_, given) => {
    answer = given;
    await expect(client.find({ method: 'GET', path: '/a' })).rejects.toMatchObject({
      code: 'SEARCH_UNAVAILABLE',
    });
    await expect(client.ready()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    await expect(client.ping()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    answer = json(200, { status: 'green' });
    await client.ready();
  });

  it.each(['illegal_index_shard_state_exception', 'no_shard_available_action_exception'])(
    'is not what an index is in that another process has just made: %s',
    async (type) => {
      answer = json(200, { status: 'green' });
      await client.ping();
      let asked = 0;
      answer = (response) => (++asked <= 4 ? trouble(503, type) : json(200, { found: true }))(response);
      expect(await client.find({ method: 'GET', path: '/a/_doc/state' })).toEqual({ found: true });
      await client.ready();
    },
  );

  describe('while it searches', () => {
    const search = (budget?: SearchBudget) =>
      client.search({ method: 'POST', path: '/a/_search', body: { size: 0 } }, budget);
    const failed = (type: string, reason: string) => ({
      error: { root_cause: [{ type, reason }], type: 'search_phase_execution_exception', reason },
    });

    it('says the time that is left in steps, so that the engine knows a search that it has answered', async () => {
      const asked: string[] = [];
      const reading = createServer((request, response) => {
        let text = '';
        request.on('data', (part: Buffer) => (text += part.toString()));
        request.on('end', () => {
          asked.push((JSON.parse(text) as { timeout: string }).timeout);
          json(200, { hits: {} })(response);
        });
      }).listen(0, '127.0.0.1');
      await once(reading, 'listening');
      const its = new ElasticClient(new URL(`http://127.0.0.1:${(reading.address() as AddressInfo).port}`));
      for (const ms of [29_950, 29_100, 980.5, 42, 3.2]) {
        const budget = { check: () => undefined, leftMs: ms } as unknown as SearchBudget;
        await its.search({ method: 'POST', path: '/a/_search', body: {} }, budget);
      }
      expect(asked).toEqual(['30000ms', '30000ms', '990ms', '42ms', '4ms']);
      await its.close();
      reading.closeAllConnections();
      reading.close();
    });

    it.each<[string, number, object, string]>([
      ['Time exceeded', 500, failed('query_phase_execution_exception', 'Time exceeded'), 'SEARCH_TOO_COSTLY'],
      [
        'a timeout of a later version',
        504,
        failed('search_timeout_exception', 'Time exceeded'),
        'SEARCH_TOO_COSTLY',
      ],
      ['a part of the answer in time', 200, { timed_out: true }, 'SEARCH_TOO_COSTLY'],
      [
        'too many clauses',
        400,
        failed('too_many_clauses', 'maxClauseCount is set to 1024'),
        'SEARCH_TOO_COSTLY',
      ],
      ['too many buckets', 503, failed('too_many_buckets_exception', 'at most 65535'), 'SEARCH_TOO_COSTLY'],
      ['no memory for it', 429, failed('circuit_breaking_exception', 'Data too large'), 'SEARCH_UNAVAILABLE'],
      ['no memory at all', 503, failed('circuit_breaking_exception', 'Data too large'), 'SEARCH_UNAVAILABLE'],
    ])('is told apart: %s', async (_, status, body, code) => {
      let asked = 0;
      answer = (response) => {
        asked++;
        json(status, body)(response);
      };
      await expect(search(new SearchBudget(1000))).rejects.toMatchObject({ code });
      // At once again would be the worst that can be done.
      if (status !== 200 && status < 500) expect(asked).toBe(1);
    });

    it.each(['no_shard_available_action_exception', 'search_phase_execution_exception'])(
      'asks again when the shards have moved: %s',
      async (type) => {
        answer = json(200, {});
        await client.ping();
        // The transport repeats a request once by itself, and at once.
        answer = (response) => {
          answer = (second) => {
            answer = json(200, { hits: {} });
            trouble(503, type)(second);
          };
          trouble(503, type)(response);
        };
        await expect(search(new SearchBudget(10_000))).resolves.toEqual({ hits: {} });
        await client.ready();
      },
    );

    it('does not wait for the shards of an engine that was down before', async () => {
      let asked = 0;
      answer = json(200, {});
      await client.ping();
      answer = (response) => {
        asked++;
        trouble(503, 'no_shard_available_action_exception')(response);
      };
      await expect(search()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
      const first = asked;
      await expect(search()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
      expect(asked - first).toBeLessThan(first);
      answer = json(200, {});
      await client.ping();
    });

    it('is given what is left of the time', async () => {
      let asked = '';
      server.once('request', (request: IncomingMessage) => request.on('data', (data) => (asked += data)));
      answer = json(200, {});
      const budget = new SearchBudget(1000);
      budget.spend(400);
      await search(budget);
      expect(JSON.parse(asked)).toEqual({ size: 0, timeout: '600ms' });
    });

    it('is asked for nothing when no time is left', async () => {
      answer = () => {
        throw new Error('it is asked');
      };
      await expect(search(new SearchBudget(0))).rejects.toMatchObject({ code: 'SEARCH_TOO_COSTLY' });
    });

    it('is told when the client closed the connection', async () => {
      const gone = new AbortController();
      const closed = new Promise<void>((resolve) => {
        answer = (response) => {
          response.once('close', resolve);
          gone.abort();
        };
      });
      const searching = search(new SearchBudget(60_000, gone.signal));
      await expect(searching).rejects.toMatchObject({ code: 'REQUEST_ABANDONED' });
      await closed;
      answer = json(200, {});
      await client.ready();
    });

    it('ends at once when the service ends the request: that is no fault of the engine, to be tried again', async () => {
      const over = new AbortController();
      const events: string[] = [];
      const asked = new Promise<void>((resolve) => (answer = () => resolve()));
      const searching = search(new SearchBudget(60_000, over.signal)).catch((error: CatalogError) =>
        events.push(error.message),
      );
      await asked;
      answer = json(200, {});
      over.abort(refuse('REQUEST_ABANDONED', 'its time is up'));
      await client.ping();
      events.push('another request was answered');
      await searching;
      expect(events).toEqual(['its time is up', 'another request was answered']);
    });
  });

  it('is waited for when what was written could not be made visible', async () => {
    answer = json(200, { _shards: { total: 2, successful: 0, failed: 1 } });
    await expect(refresh()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    // A copy that is not there is no failure.
    answer = json(200, { _shards: { total: 2, successful: 1, failed: 0 } });
    await refresh();
  });

  it('leaves what could not be made visible to whoever asks next', async () => {
    const refresher = new Refresher(client);
    refresher.written(['a']);
    answer = trouble(503, 'no_shard_available_action_exception');
    await expect(refresher.settled()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    let asked = 0;
    answer = (response) => {
      asked += 1;
      json(200, { _shards: { total: 1, successful: 1, failed: 0 } })(response);
    };
    await refresher.settled();
    expect(asked).toBe(1);
    await refresher.settled();
    expect(asked).toBe(1);
  });

  it('ends a write of many documents, which are sent in two requests at a time', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({ ...WRITE, id: String(i) }));
    const writer = new BulkWriter(client, async () => []);
    const open: ServerResponse[] = [];
    let [most, requests] = [0, 0];
    let reply = json(200, { errors: false });
    answer = (response) => {
      requests += 1;
      most = Math.max(most, open.push(response));
      // Two wait for each other, so that both are seen.
      if (open.length === 2) for (const waiting of open.splice(0)) reply(waiting);
    };
    await expect(writer.write(many)).resolves.toEqual({ written: 1000, outdated: 0 });
    expect({ most, requests }).toEqual({ most: 2, requests: 8 });

    [requests, reply] = [0, trouble(400, 'parsing_exception')];
    await expect(writer.write(many)).rejects.toMatchObject({ type: 'parsing_exception' });
    expect(requests).toBe(2);
  });

  it('is something else than documents that are refused: those are named, the first of many', async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ ...WRITE, urn: `urn:li:tag:${i}` }));
    const bad = { status: 400, error: { type: 'mapper_parsing_exception', reason: 'too long' } };
    const items = many.map((_, i) => ({ index: i % 2 === 0 ? bad : { status: 200 } }));
    answer = json(200, { errors: true, items });
    await expect(new BulkWriter(client, async () => []).write(many)).rejects.toMatchObject({
      name: 'DocumentsRefused',
      message: `the search engine refuses documents: ${[0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
        .map((i) => `urn:li:tag:${i} (too long)`)
        .join('; ')}; and 5 more`,
    });
  });

  it('is something else than a request that is refused', async () => {
    answer = trouble(400, 'parsing_exception');
    await expect(write()).rejects.toMatchObject({ name: 'ElasticError', type: 'parsing_exception' });
  });
});
