import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT, ServiceProcess } from '../harness/service-process.js';

let home: string;
let running: ServiceProcess | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'catalog-start-'));
});
afterEach(async () => {
  await running?.kill();
  running = undefined;
  await rm(home, { recursive: true, force: true });
});

/** What a start that fails says, and its exit code. */
async function failure(environment: Record<string, string>, program = 'main.js') {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('CATALOG_'));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'dist', program)],
    { env: { ...Object.fromEntries(outer), CATALOG_HOME: home, HOST: '127.0.0.1', ...environment } },
  );
  let said = '';
  let printed = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said, printed };
}

const write = (service: ServiceProcess, name: string) =>
  service.post('/aspects?action=ingestProposal', {
    proposal: {
      entityType: 'tag',
      entityUrn: `urn:li:tag:${name}`,
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: JSON.stringify({ name }), contentType: 'application/json' },
    },
  });

describe('a start that cannot succeed', () => {
  it('names an address that is taken, in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, said, printed } = await failure({ PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(said).toBe(
      `HOST, PORT: cannot listen on 127.0.0.1:${port}: another process listens there already\n`,
    );
    // No token of a service that does not run: the next start makes it.
    expect(printed).toBe('');
    expect(await readdir(home)).not.toContain('admin-token');
  });

  it('does not listen for other machines with a short administrator token', async () => {
    const { code, said, printed } = await failure({
      PORT: '0',
      HOST: '0.0.0.0',
      CATALOG_ADMIN_TOKEN: 'short',
    });
    expect([code, printed]).toEqual([1, '']);
    expect(said).toMatch(/^.*CATALOG_ADMIN_TOKEN=\(hidden\) is not allowed with HOST=0\.0\.0\.0.*\n$/);
    expect(said).not.toContain('short');
  });

  it('names the data folder that another process serves, which goes on', async () => {
    running = await ServiceProcess.start(home);
    const { code, said, printed } = await failure({ PORT: '0' });
    expect([code, printed]).toEqual([1, '']);
    expect(said).toMatch(
      /^CATALOG_HOME: another process serves this data folder already \(.*service\.lock.*\n$/,
    );
    expect((await write(running, 'meanwhile')).status).toBe(200);
  });

  it('does not take a part of the work where nobody can take the rest', async () => {
    const { code, said } = await failure({ PORT: '0' }, 'worker.js');
    expect(code).toBe(1);
    expect(said).toContain('CATALOG_ROLE=worker needs CATALOG_DATABASE_URL');
    expect(said).toContain('CATALOG_ROLE=worker needs CATALOG_SEARCH_URL');
  });
});

describe('without its Redis', () => {
  it('starts, takes writes, stays ready, and says what is unavailable', async () => {
    // Nothing listens on the first port.
    running = await ServiceProcess.start(home, { CATALOG_REDIS_URL: 'redis://127.0.0.1:1' });
    expect((await write(running, 'early')).status).toBe(200);
    expect((await fetch(`${running.url}/health/ready`)).status).toBe(200);
    const answer = await fetch(`${running.url}/health`);
    expect(answer.status).toBe(200);
    const health = (await answer.json()) as {
      status: string;
      parts: Array<{ name: string; status: string }>;
    };
    expect(health.status).toBe('DEGRADED');
    expect(health.parts.find(({ name }) => name === 'queue')?.status).toBe('DOWN');
    expect(health.parts.find(({ name }) => name === 'database')?.status).toBe('UP');
    await running.stop();

    // The queue is another one now, and what the first never heard of is done all the same.
    running = await ServiceProcess.start(home);
    const found = await running.post('/entities?action=search', {
      entity: 'tag',
      input: 'early',
      start: 0,
      count: 5,
    });
    expect(found.body.value.entities).toEqual(['urn:li:tag:early']);
  });
});

describe('SIGTERM', () => {
  it('lets requests that are under way finish', async () => {
    const service = (running = await ServiceProcess.start(home));
    const names = Array.from({ length: 40 }, (_, i) => `late${i}`);
    const answers = names.map((name) => write(service, name));
    await answers[0];
    await service.stop();
    expect(service.log).not.toContain('not everything came to an end');
    // Each was answered, or never reached the service; what was answered is there.
    const outcomes = await Promise.allSettled(answers);
    const answered = names.filter((_, i) => {
      const outcome = outcomes[i];
      return outcome?.status === 'fulfilled' && outcome.value.status === 200;
    });
    expect(answered.length).toBeGreaterThan(0);
    running = await ServiceProcess.start(home);
    for (const name of answered) {
      const found = await running.post('/entities?action=search', {
        entity: 'tag',
        input: name,
        start: 0,
        count: 5,
      });
      expect(found.body.value.entities).toContain(`urn:li:tag:${name}`);
    }
  });
});

describe('a stop', () => {
  it('does not wait for the endpoint of a webhook that does not answer', async () => {
    let reached: () => void = () => undefined;
    const delivered = new Promise<void>((resolve) => (reached = resolve));
    const silent = createServer((socket) =>
      socket.once('data', () => reached()).on('error', () => undefined),
    );
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    running = await ServiceProcess.start(home, { CATALOG_WEBHOOK_INTERNAL: 'on' });
    const hook = { name: 'silent', url: `http://127.0.0.1:${port}/`, entityTypes: ['tag'] };
    expect((await running.post('/operations?action=registerWebhook', hook)).status).toBe(200);
    await write(running, 'told');
    await delivered;
    await running.stop();
    expect(running.log).not.toContain('not everything came to an end');
    silent.close();
  });

  it('is one line of the log, which names the signal', async () => {
    running = await ServiceProcess.start(home, { CATALOG_LOG_LEVEL: 'info' });
    await running.stop();
    const lines = running.log.split('\n').filter((line) => line.startsWith('{'));
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.filter((message) => message.includes('stopping'))).toEqual(['stopping on SIGTERM']);
    expect(messages.at(-1)).toBe('stopping on SIGTERM');
  });
});
