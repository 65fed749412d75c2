import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Database } from '../../../src/catalog/store/index.js';
import { ChangeLogRetention } from '../../../src/modules/change-log/change-log-retention.js';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { Receiver } from './receiver.js';

const FILTER = { entityTypes: ['tag'], categories: ['LIFECYCLE'] };

describe('webhooks', () => {
  let catalog: TestCatalog;
  let receiver: Receiver;
  let count = 0;
  const operation = (action: string, parameters: object = {}, token?: string) =>
    catalog.post(`/operations?action=${action}`, parameters, token === undefined ? {} : { token });
  const done = async (action: string, parameters: object = {}): Promise<any> => {
    const { status, body } = await operation(action, parameters);
    expect({ action, status, body }).toMatchObject({ status: 200 });
    return body.value;
  };
  const register = async (more: object = {}): Promise<any> =>
    done('registerWebhook', { name: `hook${++count}`, url: receiver.url, ...FILTER, ...more });
  const stateOf = async (name: string): Promise<any> =>
    (await done('listWebhooks')).webhooks.find((one: { name: string }) => one.name === name);
  const write = async (...names: string[]) => {
    for (const name of names)
      expect(await catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name })).toMatchObject({
        status: 200,
      });
  };
  const names = () => receiver.urns.map((urn) => urn.slice(11));

  beforeAll(async () => {
    catalog = await TestCatalog.start({
      CATALOG_WEBHOOK_INTERNAL: 'on',
      CATALOG_CHANGE_LOG_DAYS: '0',
      CATALOG_FEED_HOLD_DAYS: '1',
    });
  });
  afterAll(() => catalog.stop());
  beforeEach(async () => {
    for (const { name } of (await done('listWebhooks')).webhooks) await done('deleteWebhook', { name });
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  it('get events in order, signed as Standard Webhooks has it', async () => {
    const { secret, name, state } = await register();
    expect({ secret, state }).toEqual({ secret: expect.stringMatching(/^whsec_/), state: 'ACTIVE' });
    await write('signed.one', 'signed.two', 'signed.three');
    await until(async () => names().length === 3);
    expect(names()).toEqual(['signed.one', 'signed.two', 'signed.three']);
    for (const { text, headers, body } of receiver.deliveries) {
      expect(new Webhook(secret).verify(text, headers)).toEqual(body);
      expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
      expect(body).toMatchObject({ webhook: name, topic: 'PlatformEvent_v1', offsetId: expect.any(String) });
    }
    await until(async () => (await stateOf(name)).delivered === 3);
    expect(await stateOf(name)).toMatchObject({ attempts: 0, lag: expect.any(Number) });
    expect(JSON.stringify(await stateOf(name))).not.toContain('whsec');
  });

  it('are tried again with the same batch until it is taken, and say what went wrong', async () => {
    receiver.status = 500;
    const { name } = await register();
    await write('tried.one');
    await until(async () => receiver.deliveries.length >= 1);
    await write('tried.two');
    await until(async () => receiver.deliveries.length >= 3);
    const state = await stateOf(name);
    expect(state).toMatchObject({
      state: 'ACTIVE',
      lastError: 'answered 500',
      nextAttempt: expect.any(Number),
    });
    expect(state.attempts).toBeGreaterThanOrEqual(2);
    receiver.status = 200;
    await until(async () => names().includes('tried.two'));
    const batches = receiver.deliveries.map(({ headers, text }) => `${headers['webhook-id']} ${text}`);
    // All attempts of the first batch are the same, and nothing came before it was taken.
    expect(new Set(batches).size).toBe(2);
    expect(names().at(-1)).toBe('tried.two');
    const { text } = await catalog.get('/metrics');
    expect(text).toContain(`catalog_webhook_delivered_events{webhook="${name}"}`);
    expect(text).toContain(`catalog_webhook_lag_changes{webhook="${name}"}`);
    // The batch was taken, and its failures stay counted.
    expect(text).toContain(`catalog_webhook_failed_attempts{webhook="${name}"} 0`);
    const failures = new RegExp(`^catalog_webhook_failures_total\\{webhook="${name}"\\} (\\d+)$`, 'm').exec(
      text,
    );
    expect(Number(failures?.[1])).toBeGreaterThanOrEqual(2);
  });

  it('wait longer with each failure, and are paused once they have failed for three days', async () => {
    receiver.status = 500;
    const { name } = await register();
    await write('long.one');
    await until(async () => (await stateOf(name)).attempts === 1);
    const first = await stateOf(name);
    expect(first.nextAttempt - first.failingSince).toBeGreaterThanOrEqual(750);
    expect(first.nextAttempt - first.failingSince).toBeLessThanOrEqual(1_000);
    /** As if so many attempts had failed for so long, and the next one were due; repeated, as one may be under way. */
    const failed = async (attempts: number, days: number, isSeen: (state: any) => boolean) => {
      await until(async () => {
        await catalog
          .provider(Database)
          .transaction((tx) =>
            tx.run('UPDATE webhook SET attempts = ?, failing_since = ?, next_attempt = 0 WHERE name = ?', [
              ...[attempts, Date.now() - days * 86_400_000, name],
            ]),
          );
        const seen = receiver.deliveries.length;
        await until(async () => receiver.deliveries.length > seen || isSeen(await stateOf(name)));
        return isSeen(await stateOf(name));
      });
      return stateOf(name);
    };
    const tired = await failed(20, 2.9, ({ attempts }) => attempts > 20);
    expect(tired).toMatchObject({ state: 'ACTIVE', lastError: 'answered 500' });
    expect(tired.nextAttempt - Date.now()).toBeGreaterThan(1_800_000);
    expect(tired.nextAttempt - Date.now()).toBeLessThanOrEqual(3_600_000);
    const paused = await failed(21, 3.1, ({ state }) => state === 'PAUSED');
    expect(paused).toMatchObject({
      lastError: 'answered 500',
      failingSince: expect.any(Number),
      delivered: 0,
    });
    expect((await catalog.get('/metrics')).text).toContain(`catalog_webhook_paused{webhook="${name}"} 1`);
    const { body: audited } = await catalog.post('/openapi/v1/events/audit/search?includeRaw=true', {
      eventTypes: ['UpdateWebhookEvent'],
    });
    expect(audited.usageEvents[0]).toMatchObject({
      actorUrn: 'urn:li:corpuser:__system__',
      rawUsageEvent: { operation: 'pause', name, reason: 'it failed for three days: answered 500' },
    });
    receiver.status = 200;
    await write('long.two');
    await done('resumeWebhook', { name });
    await until(async () => (await stateOf(name)).delivered === 2);
    expect(names().slice(-2)).toEqual(['long.one', 'long.two']);
    expect((await catalog.get('/metrics')).text).toContain(`catalog_webhook_paused{webhook="${name}"} 0`);
  });

  it('are signed with both secrets during a rotation', async () => {
    const { name, secret: former } = await register();
    const { secret } = await done('rotateWebhookSecret', { name });
    expect(secret).not.toBe(former);
    await write('rotated');
    await until(async () => receiver.deliveries.length === 1);
    const [{ text, headers }] = receiver.deliveries as [any];
    for (const each of [former, secret]) new Webhook(each).verify(text, headers);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  });

  it('do not follow redirects', async () => {
    receiver.status = 302;
    receiver.headers = { location: receiver.url };
    const { name } = await register();
    await write('redirected');
    await until(async () => (await stateOf(name)).lastError === 'answered 302');
  });

  it('are paused, resumed, and delivered again from a cursor', async () => {
    const { name, offsetId } = await register();
    await done('pauseWebhook', { name });
    await write('paused.one');
    const other = await register();
    await write('paused.two');
    // The other one has it; the paused one has nothing.
    await until(async () => (await stateOf(other.name)).delivered === 1);
    expect(names()).toEqual(['paused.two']);
    expect(await done('resumeWebhook', { name })).toMatchObject({ state: 'ACTIVE' });
    await until(async () => (await stateOf(name)).delivered === 2);
    await done('resumeWebhook', { name, offsetId });
    await until(async () => (await stateOf(name)).delivered === 4);
    expect(names().filter((tag) => tag === 'paused.one')).toHaveLength(2);
  });

  it('keep the change log until they have read it, for so long as is configured', async () => {
    const retention = catalog.provider(ChangeLogRetention);
    const rows = async () => {
      const [row] = await catalog
        .provider(Database)
        .all<{ n: number }>('SELECT COUNT(*) AS n FROM change_log');
      return Number(row!.n);
    };
    receiver.status = 500;
    const { name, keptUntil } = await register();
    expect(keptUntil).toBeUndefined();
    const before = Date.now();
    await write('held.one', 'held.two');
    // A change is unread from the moment that it has its place in the feed, which servers give it after its commit.
    await until(async () => (await stateOf(name)).keptUntil !== undefined);
    // The log keeps nothing for its own age here, and a day for those who have not read it.
    const limit = (await stateOf(name)).keptUntil - 86_400_000;
    expect(limit).toBeGreaterThanOrEqual(before);
    expect(limit).toBeLessThanOrEqual(Date.now());
    expect(await done('listWebhooks')).toMatchObject({ feedHoldDays: 1 });
    const { text } = await catalog.get('/metrics');
    expect(text).toContain('catalog_feed_hold_limit_seconds 86400');
    expect(text).toMatch(new RegExp(`catalog_webhook_unread_seconds\\{webhook="${name}"\\} 0*[1-9.]`));
    await until(async () => (await catalog.search('tag', 'held')).numEntities === 2);
    await retention.sweep(Date.now() + 1);
    expect(await rows()).toBeGreaterThanOrEqual(4);
    // Longer than the limit: the log goes on, and the webhook says why it cannot.
    await retention.sweep(Date.now() + 2 * 86_400_000);
    expect(await rows()).toBeLessThan(4);
    await done('resumeWebhook', { name });
    await until(async () => (await stateOf(name)).state === 'PAUSED');
    expect((await stateOf(name)).lastError).toContain(
      'the change log no longer has what follows this cursor',
    );
  });

  it('are managed by administrators alone', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    expect(await operation('listWebhooks', {}, token)).toMatchObject({ status: 403 });
    expect(await operation('registerWebhook', { name: 'a', url: receiver.url }, token)).toMatchObject({
      status: 403,
    });
  });

  it.each([
    [{ name: 'no spaces', url: 'http://example.org' }, '/name'],
    [{ name: 'a', url: 'ftp://example.org' }, '/url'],
    [{ name: 'a', url: 'http://user:word@example.org' }, '/url'],
    [{ name: 'a', url: 'http://example.org', entityTypes: ['nothing'] }, '/entityTypes'],
    [
      {
        name: 'a',
        url: 'http://example.org',
        topic: 'MetadataChangeLog_Versioned_v1',
        categories: ['TAG'],
      },
      '/categories',
    ],
    [{ name: 'a', url: 'http://example.org', offsetId: 'nothing' }, '/offsetId'],
  ])('are refused: %j', async (parameters, pointer) => {
    const { status, body } = await operation('registerWebhook', parameters);
    expect({ status, pointer: body.errors[0].pointer }).toEqual({ status: 400, pointer });
    expect(await operation('pauseWebhook', { name: 'absent' })).toMatchObject({ status: 404 });
  });
});

it('webhooks do not reach internal addresses unless they may', async () => {
  const catalog = await TestCatalog.start();
  const receiver = await Receiver.start();
  const register = (url: string) =>
    catalog.post('/operations?action=registerWebhook', { name: 'inside', url });
  for (const url of [
    receiver.url,
    'http://localhost/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://10.1.2.3/',
  ]) {
    const { status, body } = await register(url);
    expect({ url, status, pointer: body.errors[0].pointer }).toEqual({ url, status: 400, pointer: '/url' });
  }
  await catalog.stop();
  await receiver.stop();
});
