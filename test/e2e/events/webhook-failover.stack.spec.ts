import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proposal, removeHome } from '../../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { freshDatabase } from '../../harness/stack.js';
import { until } from '../../harness/until.js';
import { Receiver } from './receiver.js';

const engine = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('hook-');
const WORKERS = ['first', 'second'];

describe('webhooks of two workers', () => {
  let database: { url: string; drop: () => Promise<void> };
  let folder: string;
  let environment: Record<string, string>;
  let receiver: Receiver;
  const running = new Map<string, ServiceProcess>();

  const start = async (name: string, role: string): Promise<void> => {
    const home = join(folder, name);
    running.set(name, await ServiceProcess.start(home, { ...environment, CATALOG_ROLE: role }));
  };
  beforeAll(async () => {
    database = await freshDatabase(stackUrl('STACK_DATABASE_URL').href);
    folder = await mkdtemp(join(tmpdir(), 'catalog-hook-'));
    receiver = await Receiver.start();
    environment = {
      CATALOG_DATABASE_URL: database.url,
      CATALOG_REDIS_URL: stackUrl('STACK_REDIS_URL').href,
      CATALOG_SEARCH_URL: engine.href,
      CATALOG_SEARCH_PREFIX: prefix,
      CATALOG_QUEUE_PREFIX: prefix,
      CATALOG_WEBHOOK_INTERNAL: 'on',
    };
    await start('api', 'api');
    for (const name of WORKERS) await start(name, 'worker');
  });
  afterAll(async () => {
    for (const service of running.values()) await service.kill();
    await receiver?.stop();
    await removeHome(folder);
    await database.drop();
    await dropIndices(engine, prefix);
  });

  it('go on when the process that delivers is killed, in order and without a gap', async () => {
    const api = running.get('api')!;
    const registered = await api.post('/operations?action=registerWebhook', {
      name: 'on-call',
      url: receiver.url,
      entityTypes: ['tag'],
      categories: ['LIFECYCLE'],
    });
    expect(registered.status).toBe(200);
    let written = 0;
    const write = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const urn = `urn:li:tag:hook.${String(written++).padStart(3, '0')}`;
        const body = { proposal: proposal(urn, 'tagProperties', { name: urn }) };
        expect((await api.post('/aspects?action=ingestProposal', body)).status).toBe(200);
      }
    };
    const delivered = () => new Set(receiver.urns).size;
    await write(20);
    await until(async () => delivered() === written);
    // Whichever of them delivers: each is killed once, while the other one runs.
    for (const name of WORKERS) {
      receiver.status = 503;
      await write(10);
      await running.get(name)!.kill();
      receiver.status = 204;
      await write(10);
      await until(async () => delivered() === written);
      await start(name, 'worker');
    }
    const { deliveries } = receiver;
    // A delivery that was not confirmed comes again as it was; besides that, each event comes once and in order.
    const taken = new Map(deliveries.map(({ headers, text }) => [headers['webhook-id'], text]));
    for (const { headers, text } of deliveries) expect(text).toBe(taken.get(headers['webhook-id']));
    const events = [...taken.values()].flatMap((text) => JSON.parse(text).events);
    const urns = events.map(({ value }: any) => JSON.parse(JSON.parse(value).payload.value).entityUrn);
    expect(urns).toEqual([...urns].sort());
    expect(urns).toHaveLength(written);
  });
});
