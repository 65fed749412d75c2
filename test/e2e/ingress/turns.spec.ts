import { setImmediate as nextRound } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { AspectValueRepository } from '../../../src/modules/entities/store/aspect-values.repository.js';
import { EdgeWalkRepository } from '../../../src/modules/entities/store/edge-walk.repository.js';
import { EntityStateRepository } from '../../../src/modules/entities/store/entity-state.repository.js';
import { EventWalkRepository } from '../../../src/modules/entities/store/event-walk.repository.js';
import { EventRepository } from '../../../src/modules/entities/store/events.repository.js';
import { NeighbourRepository } from '../../../src/modules/entities/store/neighbours.repository.js';
import { DecideStep } from '../../../src/modules/ingest/write/decide-step.js';
import { ProposalProcessor } from '../../../src/modules/ingest/write/proposal-processor.js';
import { RollbackPlanner } from '../../../src/modules/lifecycle/runs/rollback-planner.js';
import { LineageProposals } from '../../../src/modules/openlineage/lineage-proposals.js';
import { EventTable } from '../../../src/modules/timeseries/event-table.js';
import { Counts } from '../../../src/modules/timeseries/usage.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { head, RawRequest } from '../../harness/raw-request.js';

const CALLERS = 30;
const TAGS = ['urn:li:tag:a', 'urn:li:tag:b'];
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,turns.orders,PROD)';
const HEADERS = {
  Authorization: `Bearer ${ADMIN_TOKEN}`,
  'Content-Type': 'application/json',
  'X-RestLi-Protocol-Version': '2.0.0',
};

let catalog: TestCatalog;
const open: RawRequest[] = [];
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    ...TAGS.map((urn): [string, string, unknown] => [urn, 'tagProperties', { name: urn }]),
  );
  // A search waits for the indexer, which reads what was written: here only callers are to be counted.
  await catalog.search('tag', '*');
});
afterAll(() => catalog.stop());
afterEach(() => {
  for (const request of open.splice(0)) request.close();
});

/** Lets each call of a method take as long as a large answer does, without giving way, and counts them. */
function burden(target: object, method: string): { done: number; ms: number; lift: () => void } {
  const methods = target as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const original = methods[method]!;
  const burdened = {
    done: 0,
    ms: 20,
    lift: () => {
      methods[method] = original;
    },
  };
  methods[method] = async (...args) => {
    const answer = await original.apply(target, args);
    const end = performance.now() + burdened.ms;
    while (performance.now() < end);
    burdened.done++;
    return answer;
  };
  return burdened;
}

/** Lets each call of a method hold the event loop for longer than a slice, whoever it is called on, and counts them. */
function slow(target: object, method: string): { calls: number; lift: () => void } {
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[method]!;
  const slowed = {
    calls: 0,
    lift: () => {
      methods[method] = original;
    },
  };
  methods[method] = function (...args) {
    const end = performance.now() + 8;
    while (performance.now() < end);
    slowed.calls++;
    return original.apply(this, args);
  };
  return slowed;
}

async function connection(): Promise<RawRequest> {
  const request = await RawRequest.send(catalog.url, head('GET', '/health/live'));
  open.push(request);
  expect((await request.answer()).status).toBe(200);
  return request;
}

describe('a burst of large answers', () => {
  const ids = `List(${TAGS.map(encodeURIComponent).join()})`;
  const wanted = JSON.stringify(TAGS.map((urn) => ({ urn })));
  const post = (path: string, body: string) =>
    head('POST', path, { ...HEADERS, 'Content-Length': body.length }) + body;

  it.each([
    [
      'entitiesV2 of several',
      EntityStateRepository,
      'stored',
      head('GET', `/entitiesV2?ids=${ids}`, HEADERS),
    ],
    ['snapshots of several', EntityStateRepository, 'stored', head('GET', `/entities?ids=${ids}`, HEADERS)],
    ['batchGet', EntityStateRepository, 'stored', post('/openapi/v3/entity/tag/batchGet', wanted)],
    [
      'relationships',
      NeighbourRepository,
      'page',
      head('GET', `/relationships?direction=INCOMING&urn=${encodeURIComponent(TAGS[0]!)}`, HEADERS),
    ],
    [
      'pages of relationships',
      EdgeWalkRepository,
      'page',
      head('GET', '/openapi/v3/relationship/OwnedBy', HEADERS),
    ],
    [
      'events of one entity',
      EventRepository,
      'page',
      post(
        '/aspects?action=getTimeseriesAspectValues',
        JSON.stringify({ urn: DATASET, entity: 'dataset', aspect: 'operation' }),
      ),
    ],
    [
      'events of all entities',
      EventWalkRepository,
      'page',
      head('GET', '/openapi/v2/timeseries/dataset/operation', HEADERS),
    ],
    [
      'timelines',
      AspectValueRepository,
      'versions',
      head(
        'GET',
        `/openapi/v2/timeline/v1/${encodeURIComponent(TAGS[0]!)}?categories=DOCUMENTATION`,
        HEADERS,
      ),
    ],
  ])('lets others be answered in between: %s', async (_name, type, method, request) => {
    const connections = await Promise.all(Array.from({ length: CALLERS + 1 }, connection));
    const health = connections.pop()!;
    const burdened = burden(catalog.provider<object>(type), method);
    try {
      // All of it arrives in one go, the health check last.
      for (const each of connections) each.write(request);
      health.write(head('GET', '/health/live'));
      expect((await health.answer()).status).toBe(200);
      expect(burdened.done).toBeLessThan(CALLERS);
      // What was to be seen was seen: the others need not work for nothing.
      burdened.ms = 0;
      for (const each of connections) expect((await each.answer()).status).toBe(200);
      expect(burdened.done).toBeGreaterThanOrEqual(CALLERS);
    } finally {
      burdened.lift();
    }
  });
});

describe('a large batch of writes', () => {
  const ITEMS = 30;
  const urn = (i: number) => `urn:li:tag:turns-${i}`;
  const items = <T>(item: (i: number) => T): T[] => Array.from({ length: ITEMS }, (_, i) => item(i));
  const value = (i: number) => ({ name: `turns ${i} ${Math.random()}` });
  const post = (path: string, body: unknown) => {
    const text = JSON.stringify(body);
    return head('POST', path, { ...HEADERS, 'Content-Length': text.length }) + text;
  };
  const SURFACES: Record<string, () => string> = {
    proposals: () =>
      post('/aspects?action=ingestProposalBatch', {
        proposals: items((i) => ({
          entityType: 'tag',
          entityUrn: urn(i),
          changeType: 'UPSERT',
          aspectName: 'tagProperties',
          aspect: { value: JSON.stringify(value(i)), contentType: 'application/json' },
        })),
        async: 'false',
      }),
    snapshots: () =>
      post('/entities?action=batchIngest', {
        entities: items((i) => ({
          value: {
            'com.linkedin.metadata.snapshot.TagSnapshot': {
              urn: urn(i),
              aspects: [{ 'com.linkedin.tag.TagProperties': value(i) }],
            },
          },
        })),
      }),
    'OpenAPI v3': () =>
      post(
        '/openapi/v3/entity/tag?async=false',
        items((i) => ({ urn: urn(i), tagProperties: { value: value(i) } })),
      ),
    'OpenAPI v2': () =>
      post(
        '/openapi/v2/entity/tag?async=false',
        items((i) => ({ urn: urn(i), aspects: { tagProperties: { value: value(i) } } })),
      ),
    'OpenAPI v1': () =>
      post(
        '/openapi/entities/v1/?async=false',
        items((i) => ({
          entityType: 'tag',
          entityUrn: urn(i),
          aspect: { __type: 'TagProperties', ...value(i) },
        })),
      ),
  };
  /** What is done with each item, before the transaction and within it. */
  const STEPS: Array<[object, string]> = [
    [ProposalProcessor.prototype, 'check'],
    [DecideStep.prototype, 'decide'],
  ];

  it.each(
    Object.entries(SURFACES).flatMap(([name, request]) =>
      STEPS.map(([target, step]) => [name, step, target, request] as const),
    ),
  )('lets others be answered between its items: %s, %s', async (_name, step, target, request) => {
    const writer = await connection();
    const health = await connection();
    const slowed = slow(target, step);
    try {
      writer.write(request());
      health.write(head('GET', '/health/live'));
      expect((await health.answer()).status).toBe(200);
      expect(slowed.calls).toBeLessThan(ITEMS);
      expect([200, 201]).toContain((await writer.answer()).status);
      expect(slowed.calls).toBeGreaterThanOrEqual(ITEMS);
    } finally {
      slowed.lift();
    }
  });
});

describe('a large event of OpenLineage', () => {
  it('lets others be answered between its datasets', async () => {
    const writer = await connection();
    const health = await connection();
    const inputs = Array.from({ length: 30 }, (_, i) => ({ namespace: 'hive://h', name: `turns.${i}` }));
    const text = JSON.stringify({
      eventTime: '2026-06-14T04:30:00Z',
      producer: 'https://github.com/apache/airflow/',
      job: { namespace: 'turns', name: 'turns.job' },
      inputs,
    });
    const slowed = slow(LineageProposals.prototype, 'ofDataset');
    try {
      const path = '/openapi/openlineage/api/v1/lineage';
      writer.write(head('POST', path, { ...HEADERS, 'Content-Length': text.length }) + text);
      health.write(head('GET', '/health/live'));
      expect((await health.answer()).status).toBe(200);
      expect(slowed.calls).toBeLessThan(inputs.length);
      expect((await writer.answer()).status).toBe(200);
      expect(slowed.calls).toBe(inputs.length);
    } finally {
      slowed.lift();
    }
  });
});

describe('the rollback of a large run', () => {
  it('lets others be answered between its entities', async () => {
    const ENTITIES = 30;
    const proposals = Array.from({ length: ENTITIES }, (_, i) => ({
      entityType: 'tag',
      entityUrn: `urn:li:tag:rolled-back-${i}`,
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: JSON.stringify({ name: 'x' }), contentType: 'application/json' },
      systemMetadata: { runId: 'turns-run', lastObserved: 1 },
    }));
    await catalog.post('/aspects?action=ingestProposalBatch', { proposals, async: 'false' });
    const caller = await connection();
    const health = await connection();
    const slowed = slow(RollbackPlanner.prototype, 'plan');
    try {
      const text = JSON.stringify({ runId: 'turns-run', dryRun: true });
      caller.write(
        head('POST', '/runs?action=rollback', { ...HEADERS, 'Content-Length': text.length }) + text,
      );
      // It has begun, and is not over.
      while (slowed.calls === 0) await nextRound();
      health.write(head('GET', '/health/live'));
      expect((await health.answer()).status).toBe(200);
      expect(slowed.calls).toBeLessThan(ENTITIES);
      expect((await caller.answer()).status).toBe(200);
      expect(slowed.calls).toBe(ENTITIES);
    } finally {
      slowed.lift();
    }
  });
});

describe('the counting of many events', () => {
  const EVENTS = 30;
  const USED = 'urn:li:dataset:(urn:li:dataPlatform:hive,turns.used,PROD)';
  const day = (i: number) => Date.now() - i * 3_600_000;
  const post = (path: string, body: unknown) => {
    const text = JSON.stringify(body);
    return head('POST', path, { ...HEADERS, 'Content-Length': text.length }) + text;
  };
  beforeAll(() =>
    catalog.ingest(
      ...Array.from({ length: EVENTS }, (_, i): [string, string, unknown] => [
        USED,
        'datasetUsageStatistics',
        { timestampMillis: day(i), userCounts: [{ user: 'urn:li:corpuser:turns', count: 1 }] },
      ]),
    ),
  );

  it.each<[string, object, string, string]>([
    [
      'the use of a dataset',
      Counts.prototype,
      'add',
      post('/api/graphql', {
        query: `{ dataset(urn: "${USED}") { usageStats(range: ALL) { aggregations { uniqueUserCount } } } }`,
      }),
    ],
    [
      'a table of events',
      EventTable.prototype,
      'add',
      post('/analytics?action=getTimeseriesStats', {
        entityName: 'dataset',
        aspectName: 'datasetUsageStatistics',
        metrics: [{ aggregationType: 'CARDINALITY', fieldPath: 'timestampMillis' }],
      }),
    ],
  ])('lets others be answered in between: %s', async (_name, target, method, request) => {
    const caller = await connection();
    const health = await connection();
    const slowed = slow(target, method);
    try {
      caller.write(request);
      while (slowed.calls === 0) await nextRound();
      health.write(head('GET', '/health/live'));
      expect((await health.answer()).status).toBe(200);
      expect(slowed.calls).toBeLessThan(EVENTS);
      const { status, body } = await caller.answer();
      expect([status, body.errors]).toEqual([200, undefined]);
      expect(slowed.calls).toBe(EVENTS);
    } finally {
      slowed.lift();
    }
  });
});

describe('what looks at a large part of the catalog', () => {
  const post = (path: string, body: object) => catalog.post(path, body);

  it.each([
    ['aspects', () => post('/aspects?action=getCount', { aspect: 'tagProperties' })],
    ['entities', () => post('/entities?action=getTotalEntityCount', { entity: 'tag' })],
    ['URNs', () => post('/entities?action=listUrns', { entity: 'tag', start: 0, count: 10 })],
    ['runs', () => post('/runs?action=list', { pageOffset: 0, pageSize: 10, includeSoft: true })],
    ['entities to restore', () => post('/operations?action=restoreIndices', { urnLike: '%nothing%' })],
    ['versions to verify', () => post('/operations?action=verifyStore', { from: '["aspect_history"]' })],
    ['one run', () => post('/runs?action=describe', { runId: 'no-run-id-provided', start: 0, count: 10 })],
  ])('is not done where requests are served: %s', async (_name, request) => {
    const database = catalog.provider<object>(Database) as Record<
      'allAside',
      (...statement: unknown[]) => Promise<unknown>
    >;
    const original = database.allAside;
    let asked = 0;
    database.allAside = (...statement) => {
      asked += 1;
      return original.apply(database, statement);
    };
    try {
      expect((await request()).status).toBe(200);
      expect(asked).toBeGreaterThan(0);
    } finally {
      database.allAside = original;
    }
  });
});
