import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DiscoveryService } from '@nestjs/core';
import { CatalogStore, READER } from '../../../test/harness/catalog-store.js';
import type { Principal } from '../../catalog/auth/index.js';
import { compatibilityWith } from '../../catalog/compatibility/index.js';
import { AspectReadFilter } from '../../catalog/extension/index.js';
import type { JsonText } from '../../catalog/json/index.js';
import { textInParts } from '../../routing/text-in-parts.js';
import { EntityNames, EventRepository, ReadFilters, type EntityReader } from '../entities/index.js';
import type { EventSizes } from './event-sizes.service.js';
import type { EventTruncation } from './event-truncation.service.js';
import { TimeseriesActions } from './timeseries.actions.js';
import { TimeseriesService } from './timeseries.service.js';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)';
const subject = { urn: ORDERS, entity: 'dataset', aspect: 'operation' };

describe('getTimeseriesAspectValues', () => {
  let store: CatalogStore;
  let filters: ReadFilters;
  let actions: TimeseriesActions['actions'];

  beforeEach(async () => {
    store = await CatalogStore.open();
    filters = new ReadFilters({ getProviders: () => [] } as unknown as DiscoveryService);
    const service = new TimeseriesService(new EventRepository(store.database), filters, {} as EntityReader);
    const names = new EntityNames(store.model, { compatibility: compatibilityWith('specification') });
    actions = new TimeseriesActions(service, {} as EventTruncation, {} as EventSizes, names, store.model)
      .actions;
  });
  afterEach(() => store.close());

  interface Answer {
    limit: number;
    values: Array<{ aspect: { value: string; contentType: string }; systemMetadata: object }>;
  }
  const ask = async (body: Record<string, unknown> = {}, principal: Principal = READER) => {
    const { parts } = (await actions[0]!.run(principal, { ...subject, ...body })) as JsonText;
    return JSON.parse((await textInParts(parts)) as string) as Answer;
  };
  const times = async (body?: Record<string, unknown>) =>
    (await ask(body)).values.map(
      (v) => (JSON.parse(v.aspect.value) as { timestampMillis: number }).timestampMillis,
    );
  const add = (time: number, operationType = 'UPDATE', more: object = {}) =>
    store.put(ORDERS, 'operation', {
      timestampMillis: time,
      operationType,
      lastUpdatedTimestamp: time,
      ...more,
    });

  it('answers events as serialized aspects, newest first', async () => {
    await add(1);
    await add(3);
    await add(2);
    const answer = await ask({ startTimeMillis: 0, endTimeMillis: 9 });
    expect(answer).toMatchObject({
      entityName: 'dataset',
      aspectName: 'operation',
      startTimeMillis: 0,
      endTimeMillis: 9,
      limit: 10000,
    });
    expect(answer.values[0]).toMatchObject({
      aspect: { contentType: 'application/json' },
      systemMetadata: { runId: 'run-1' },
    });
    expect(await times()).toEqual([3, 2, 1]);
    expect(await ask()).not.toHaveProperty('startTimeMillis');
  });

  it('includes both ends of the range', async () => {
    for (const time of [1, 2, 3, 4]) await add(time);
    expect(await times({ startTimeMillis: 2, endTimeMillis: 3 })).toEqual([3, 2]);
    expect(await times({ startTimeMillis: 3 })).toEqual([4, 3]);
    expect(await times({ endTimeMillis: 1 })).toEqual([1]);
    expect(await times({ startTimeMillis: 4, endTimeMillis: 1 })).toEqual([]);
  });

  it('limits, and sorts either way', async () => {
    for (const time of [1, 2, 3]) await add(time);
    expect(await times({ limit: 2 })).toEqual([3, 2]);
    expect(await times({ latestValue: true })).toEqual([3]);
    expect(await times({ limit: 2, sort: { field: 'timestampMillis', order: 'ASCENDING' } })).toEqual([1, 2]);
    expect((await ask({ limit: 99999 })).limit).toBe(10000);
  });

  it('filters on fields of the events', async () => {
    await add(1, 'UPDATE', {
      numAffectedRows: 5,
      affectedDatasets: [ORDERS],
      customProperties: { team: 'A' },
    });
    await add(2, 'INSERT', { numAffectedRows: 50 });
    await add(3, 'DELETE');
    const by = (field: string, condition?: string, ...values: string[]) =>
      times({ filter: { or: [{ and: [{ field, values, ...(condition && { condition }) }] }] } });
    expect(await by('operationType', undefined, 'UPDATE')).toEqual([1]);
    expect(await by('operationType', 'EQUAL', 'UPDATE', 'DELETE')).toEqual([3, 1]);
    expect(await by('operationType', 'IEQUAL', 'insert')).toEqual([2]);
    expect(await by('operationType', 'START_WITH', 'up')).toEqual([1]);
    expect(await by('numAffectedRows', 'GREATER_THAN', '5')).toEqual([2]);
    expect(await by('numAffectedRows', 'LESS_THAN_OR_EQUAL_TO', '50')).toEqual([2, 1]);
    expect(await by('numAffectedRows', 'EXISTS')).toEqual([2, 1]);
    expect(await by('numAffectedRows', 'IS_NULL')).toEqual([3]);
    expect(await by('affectedDatasets', 'EQUAL', ORDERS)).toEqual([1]);
    expect(await by('customProperties.team', 'EQUAL', 'A')).toEqual([1]);
    expect(await by('timestampMillis', 'GREATER_THAN', '1')).toEqual([3, 2]);
    const update = { field: 'operationType', value: 'UPDATE' };
    expect(await times({ filter: {} })).toEqual([3, 2, 1]);
    expect(await times({ filter: { criteria: [update] } })).toEqual([1]);
    expect(await times({ filter: { or: [{ and: [{ ...update, negated: true }] }] } })).toEqual([3, 2]);
    expect(
      await times({
        filter: { or: [{ and: [update] }, { and: [{ field: 'numAffectedRows', value: '50' }] }] },
      }),
    ).toEqual([2, 1]);
  });

  it('looks through all events for those that pass a filter', async () => {
    const rows = Array.from({ length: 2500 }, (_, time) => {
      const value = { timestampMillis: time, operationType: time % 1000 === 7 ? 'DELETE' : 'INSERT' };
      return [1, 'operation', time, '', JSON.stringify(value), '{}', 0, 'urn:li:corpuser:x'];
    });
    await add(0, 'INSERT');
    const [head] = await store.database.all<{ id: number }>('SELECT id FROM entity WHERE urn = ?', [ORDERS]);
    const columns = [
      'entity_id',
      'aspect',
      'time',
      'message',
      'value',
      'system_metadata',
      'created_at',
      'created_by',
    ];
    const events = rows.slice(1).map(([, ...rest]) => [head?.id ?? 0, ...rest]);
    await store.database.transaction((tx) => tx.insert('timeseries_aspect', columns, events));
    const filter = { or: [{ and: [{ field: 'operationType', values: ['DELETE'] }] }] };
    expect(await times({ filter })).toEqual([2007, 1007, 7]);
    expect(await times({ filter, limit: 2 })).toEqual([2007, 1007]);
    expect(await times({ limit: 10000 })).toHaveLength(2500);
  });

  it('tells events of one instant apart, in a fixed order', async () => {
    for (const messageId of ['b', 'a', 'c']) await add(1, 'UPDATE', { messageId });
    const ids = (await ask()).values.map(
      (v) => (JSON.parse(v.aspect.value) as { messageId: string }).messageId,
    );
    expect(ids).toEqual(['c', 'b', 'a']);
    const filter = { or: [{ and: [{ field: 'messageId', values: ['a'] }] }] };
    expect(await times({ filter })).toEqual([1]);
  });

  it('shows what the filters of other modules let through', async () => {
    class NoInserts extends AspectReadFilter {
      readonly aspects = ['operation'];
      async filter(values: ReadonlyArray<{ value: Record<string, unknown> }>) {
        return values.map(({ value }) => (value['operationType'] === 'INSERT' ? undefined : value));
      }
    }
    filters.add(new NoInserts());
    await add(1, 'INSERT');
    await add(2, 'UPDATE');
    await add(3, 'INSERT');
    expect(await times()).toEqual([2]);
    expect(await times({ limit: 1 })).toEqual([2]);
  });

  it('has no events of an entity it does not know', async () => {
    expect(await times()).toEqual([]);
  });

  it.each<[Record<string, unknown>, string, string]>([
    [{ urn: undefined }, 'PARAMETER_MISSING', '/urn'],
    [{ urn: 'x' }, 'URN_MALFORMED', '/urn'],
    [{ urn: 'urn:li:tag:x' }, 'PARAMETER_INVALID', '/urn'],
    [{ entity: 'table' }, 'ENTITY_UNKNOWN', '/entity'],
    [{ aspect: 'nothing' }, 'ASPECT_UNKNOWN', '/aspect'],
    [{ aspect: 'status' }, 'ASPECT_KIND_WRONG', '/aspect'],
    [{ limit: 0 }, 'PARAMETER_INVALID', '/limit'],
    [{ limit: 'many' }, 'PARAMETER_INVALID', '/limit'],
    [{ startTimeMillis: 'yesterday' }, 'PARAMETER_INVALID', '/startTimeMillis'],
    [{ start: 1 }, 'PARAMETER_INVALID', '/start'],
    [{ sort: { field: 'numAffectedRows' } }, 'PARAMETER_INVALID', '/sort/field'],
    [{ sort: { field: 'timestampMillis', order: 'UP' } }, 'PARAMETER_INVALID', '/sort/order'],
    [{ filter: [] }, 'FILTER_INVALID', '/filter'],
    [{ filter: { and: [] } }, 'FILTER_INVALID', '/filter/and'],
    [{ filter: { or: [{}] } }, 'FILTER_INVALID', '/filter/or/0/and'],
    [
      { filter: { criteria: [{ field: 'nothing', value: 'x' }] } },
      'FILTER_INVALID',
      '/filter/criteria/0/field',
    ],
    [{ filter: { criteria: [{ field: 'operationType' }] } }, 'FILTER_INVALID', '/filter/criteria/0/values'],
    [
      { filter: { criteria: [{ field: 'operationType', value: 'x', condition: 'NEAR' }] } },
      'FILTER_INVALID',
      '/filter/criteria/0/condition',
    ],
    [
      { filter: { criteria: [{ field: 'numAffectedRows', value: 'x', condition: 'GREATER_THAN' }] } },
      'FILTER_INVALID',
      '/filter/criteria/0/values',
    ],
  ])('refuses %j', async (body, code, pointer) => {
    await expect(ask(body)).rejects.toMatchObject({ code, errors: [{ pointer }] });
  });

  it('asks for the right to read', async () => {
    const unprivileged = { actor: 'urn:li:corpuser:x', role: 'NONE' } as unknown as Principal;
    await expect(ask({}, unprivileged)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  });
});
