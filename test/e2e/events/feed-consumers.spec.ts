import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangeLogRetention } from '../../../src/modules/change-log/change-log-retention.js';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';

describe('registered consumers of the change feed', () => {
  let catalog: TestCatalog;
  const operation = async (action: string, parameters: object = {}, token?: string) =>
    catalog.post(`/operations?action=${action}`, parameters, token === undefined ? {} : { token });
  const poll = (query: string, token?: string) =>
    catalog.get(
      `/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&pollTimeoutSeconds=1&aspect=tagProperties&${query}`,
      token === undefined ? {} : { token },
    );
  const write = async (...names: string[]) => {
    for (const name of names) await catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name });
  };
  const urns = ({ body }: any): string[] =>
    body.events.map(({ value }: any) => JSON.parse(value).entityUrn.slice(11));
  const stateOf = async (name: string): Promise<any> =>
    (await operation('listFeedConsumers')).body.value.consumers.find((one: any) => one.name === name);

  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_CHANGE_LOG_DAYS: '0', CATALOG_FEED_HOLD_DAYS: '1' });
  });
  afterAll(() => catalog.stop());

  it('go on behind what they have confirmed, and get the rest again', async () => {
    const { token } = await catalog.issueToken({ user: 'sync', role: 'READER' });
    const registered = await operation('registerFeedConsumer', {
      name: 'sync',
      actor: 'urn:li:corpuser:sync',
    });
    expect(registered.body.value).toMatchObject({ name: 'sync', actor: 'urn:li:corpuser:sync', lag: 0 });
    await write('one', 'two', 'three');
    // A poll answers what is published by then, and several processes publish later than they answer.
    await until(async () => urns(await poll('consumer=sync', token)).length === 3);
    const first = await poll('consumer=sync&limit=2', token);
    expect(urns(first)).toEqual(['one', 'two']);
    // Nothing is confirmed yet.
    expect(urns(await poll('consumer=sync&limit=1', token))).toEqual(['one']);
    const second = await poll(`consumer=sync&offsetId=${first.body.offsetId}`, token);
    expect(urns(second)).toEqual(['three']);
    expect(urns(await poll('consumer=sync', token))).toEqual(['three']);
    expect(await stateOf('sync')).toMatchObject({
      offsetId: first.body.offsetId,
      seenAt: expect.any(Number),
    });
    // An older cursor is read from, and takes nothing back.
    const { offsetId } = registered.body.value;
    expect(urns(await poll(`consumer=sync&limit=1&offsetId=${offsetId}`, token))).toEqual(['one']);
    expect(urns(await poll('consumer=sync', token))).toEqual(['three']);
    const { text } = await catalog.get('/metrics');
    expect(text).toMatch(/catalog_feed_consumer_lag_changes\{consumer="sync"\} [1-9]/);
    expect(text).toMatch(/catalog_feed_consumer_unread_seconds\{consumer="sync"\} [\d.]*[1-9]/);
    expect(text).toMatch(/catalog_feed_hold_limit_seconds 86400\n/);
    // A day more than the log has by itself, which is none here.
    const { keptUntil } = await stateOf('sync');
    expect(keptUntil).toBeGreaterThan(Date.now());
    expect(keptUntil).toBeLessThanOrEqual(Date.now() + 86_400_000);
    expect((await operation('listFeedConsumers')).body.value).toMatchObject({ feedHoldDays: 1 });
  });

  it('hold the log back until they have confirmed it, or are deleted', async () => {
    await operation('registerFeedConsumer', { name: 'slow' });
    await write('held.one', 'held.two');
    const sweep = () => catalog.provider(ChangeLogRetention).sweep(Date.now() + 1);
    // Consumers inside the service come first.
    await until(async () => (await catalog.search('tag', 'held')).numEntities === 2);
    await until(async () => urns(await poll('consumer=slow')).length === 2);
    await sweep();
    const held = await poll('consumer=slow');
    expect(urns(held)).toEqual(['held.one', 'held.two']);
    await operation('deleteFeedConsumer', { name: 'sync' });
    await poll(`consumer=slow&offsetId=${held.body.offsetId}`);
    await write('later');
    await until(async () => {
      await sweep();
      const { status, body } = await poll(`offsetId=${(await stateOf('slow')).offsetId}`);
      return status === 200 && body.count > 0;
    });
    expect(urns(await poll('consumer=slow'))).toEqual(['later']);
  });

  it('are of one user, and administrators register them', async () => {
    const { token } = await catalog.issueToken({ user: 'other', role: 'EDITOR' });
    await operation('registerFeedConsumer', { name: 'mine' });
    expect((await poll('consumer=mine', token)).status).toBe(403);
    expect((await operation('registerFeedConsumer', { name: 'mine' }, token)).status).toBe(403);
    expect((await operation('listFeedConsumers', {}, token)).status).toBe(403);
    expect((await poll('consumer=nobody')).body).toMatchObject({
      code: 'FEED_CONSUMER_NOT_FOUND',
      errors: [{ pointer: '/consumer' }],
    });
    expect((await operation('registerFeedConsumer', { name: 'a name' })).status).toBe(400);
    expect((await operation('deleteFeedConsumer', { name: 'mine' })).body.value).toEqual({ deleted: true });
    expect((await operation('deleteFeedConsumer', { name: 'mine' })).body.value).toEqual({ deleted: false });
  });
});
