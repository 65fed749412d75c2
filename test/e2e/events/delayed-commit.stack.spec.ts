import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { ADMIN_TOKEN, proposal, removeHome } from '../../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { freshDatabase } from '../../harness/stack.js';
import { until } from '../../harness/until.js';
import { FeedReader } from './feed-reader.js';
import { StreamReader } from './stream-reader.js';

const engine = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('held-');
const TOPIC = 'MetadataChangeLog_Versioned_v1';

/** The embedded profile has one writer, which no other can overtake. */
describe('the change feed while a commit is held back', () => {
  let database: { url: string; drop: () => Promise<void> };
  let folder: string;
  /** The first one follows the log as well. Only its transactions write audit records, which the test can hold back. */
  let held: ServiceProcess;
  let free: ServiceProcess;
  let stream: StreamReader;
  const connections: Connection[] = [];

  beforeAll(async () => {
    database = await freshDatabase(stackUrl('STACK_DATABASE_URL').href);
    folder = await mkdtemp(join(tmpdir(), 'catalog-held-'));
    const environment = {
      CATALOG_DATABASE_URL: database.url,
      CATALOG_REDIS_URL: stackUrl('STACK_REDIS_URL').href,
      CATALOG_SEARCH_URL: engine.href,
      CATALOG_SEARCH_PREFIX: prefix,
      CATALOG_QUEUE_PREFIX: prefix,
    };
    held = await ServiceProcess.start(join(folder, 'held'), environment);
    free = await ServiceProcess.start(join(folder, 'free'), {
      ...environment,
      CATALOG_ROLE: 'api',
      CATALOG_AUDIT: 'off',
    });
    for (let n = 0; n < 2; n++) connections.push(await createConnection(database.url));
  });
  afterAll(async () => {
    stream?.close();
    for (const connection of connections) await connection.end();
    for (const service of [held, free]) await service?.kill();
    await removeHome(folder);
    await database.drop();
    await dropIndices(engine, prefix);
  });

  const write = async (service: ServiceProcess, ...names: string[]): Promise<void> => {
    const proposals = names.map((name) => proposal(`urn:li:tag:${name}`, 'tagProperties', { name }));
    const { status } = await service.post('/aspects?action=ingestProposalBatch', { proposals });
    expect(status).toBe(200);
  };
  const readerOf = ({ url }: ServiceProcess, offsetId?: string): FeedReader => {
    const get = async (path: string): Promise<any> => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
      return { status: response.status, body: await response.json() };
    };
    const reader = new FeedReader({ get }, TOPIC, { aspect: 'tagProperties', lookbackWindowDays: 1 });
    reader.offsetId = offsetId;
    return reader;
  };
  const namesOf = (events: any[]): string[] => events.map(({ aspect }) => JSON.parse(aspect.value).name);

  /** Polls until so many events have come, or more. */
  const told = async (reader: FeedReader, count: number): Promise<string[]> => {
    const names: string[] = [];
    await until(async () => names.push(...namesOf(await reader.poll({ pollTimeoutSeconds: 1 }))) >= count);
    return names;
  };

  it('tells what commits first first, and misses nothing', async () => {
    const [lock, looking] = connections as [Connection, Connection];
    /** The numbers in the log of what a tag was given, those included that are not committed. */
    const numbers = async (name: string): Promise<number[]> => {
      const [rows] = await looking.query<RowDataPacket[]>(
        'SELECT c.id FROM change_log c JOIN entity e ON e.id = c.entity_id WHERE e.urn = ? ORDER BY c.id',
        [`urn:li:tag:${name}`],
      );
      return rows.map(({ id }) => Number(id));
    };
    await looking.query('SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED');
    await write(held, 'before-held');
    await write(free, 'before-free');
    const reader = readerOf(free);
    expect(await told(reader, 2)).toEqual(['before-held', 'before-free']);
    const begin = reader.offsetId!;
    stream = await StreamReader.open(free, `topic=${TOPIC}&aspect=tagProperties`, { lastEventId: begin });

    // No record can be added to the audit log, which a transaction writes to last.
    await lock.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await lock.beginTransaction();
    await lock.query('SELECT id FROM audit FOR UPDATE');
    let answered = false;
    const early = write(held, 'early', 'early-too').finally(() => (answered = true));
    await until(async () => (await numbers('early-too')).length > 0);
    await write(free, 'late');
    await write(free, 'later');
    expect((await numbers('early-too'))[0]).toBeLessThan((await numbers('late'))[0]!);
    expect(await told(reader, 2)).toEqual(['late', 'later']);
    await until(async () => stream.events.length === 2);
    expect(answered).toBe(false);

    await lock.rollback();
    await early;
    expect(await told(reader, 2)).toEqual(['early', 'early-too']);
    const all = ['late', 'later', 'early', 'early-too'];
    await until(async () => stream.events.length === all.length);
    expect(namesOf(stream.events)).toEqual(all);
    // The same cursor gives the same events, in every process.
    for (const service of [held, free]) expect(await told(readerOf(service, begin), all.length)).toEqual(all);
  });
});
