import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { dataset, encoded } from '../aspect-api/support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const PROPERTIES = 'datasetProperties';

/** Writes the properties of a dataset as a run that saw them at a time. */
async function write(urn: string, description: string, runId: string, lastObserved: number): Promise<void> {
  const systemMetadata = { runId, lastObserved };
  const answer = await catalog.post('/aspects?action=ingestProposal', {
    proposal: proposal(urn, PROPERTIES, { description }, { systemMetadata }),
  });
  expect(answer.status).toBe(200);
}

/** Where the properties came from, as the OpenAPI surface tells of one aspect. */
async function seen(urn: string): Promise<Record<string, unknown>> {
  const answer = await catalog.get(
    `/openapi/v3/entity/dataset/${encoded(urn)}/${PROPERTIES}?systemMetadata=true`,
  );
  const { lastObserved, runId, lastRunId, version } = answer.body[PROPERTIES].systemMetadata;
  return { lastObserved, runId, lastRunId, version };
}

const first = { lastObserved: 1_000, runId: 'monday', lastRunId: 'monday', version: '1' };
const again = { lastObserved: 2_000, runId: 'monday', lastRunId: 'tuesday', version: '1' };

describe('a value that is written again as it is', () => {
  it('has been seen last by the run that wrote it again, and stays a value of the one that wrote it first', async () => {
    const urn = dataset('equal.seen');
    await write(urn, 'same', 'monday', 1_000);
    expect(await seen(urn)).toEqual(first);
    await write(urn, 'same', 'tuesday', 2_000);
    expect(await seen(urn)).toEqual(again);
    await write(urn, 'same', 'wednesday', 3_000);
    expect(await seen(urn)).toMatchObject({ lastObserved: 3_000, runId: 'monday', lastRunId: 'wednesday' });
  });

  it('says so wherever an entity is read, also one that was read before', async () => {
    const [urn, other] = [dataset('equal.read'), dataset('equal.other')];
    for (const each of [urn, other]) await write(each, 'same', 'monday', 1_000);
    const reads: Array<() => Promise<unknown>> = [
      async () =>
        (await catalog.get(`/openapi/v3/entity/dataset/${encoded(urn)}?systemMetadata=true`)).body[PROPERTIES]
          .systemMetadata,
      async () =>
        (
          await catalog.post('/openapi/v3/entity/dataset/batchGet?systemMetadata=true', [
            { urn, [PROPERTIES]: {} },
            { urn: other, [PROPERTIES]: {} },
          ])
        ).body[0][PROPERTIES].systemMetadata,
      async () =>
        (
          await catalog.get(`/entitiesV2/${encoded(urn)}?aspects=List(${PROPERTIES})`, {
            headers: { 'x-restli-protocol-version': '2.0.0' },
          })
        ).body.aspects[PROPERTIES].systemMetadata,
    ];
    for (const read of reads) expect(await read()).toMatchObject(first);
    await write(urn, 'same', 'tuesday', 2_000);
    for (const read of reads) expect(await read()).toMatchObject(again);
    const query = `{ dataset(urn: ${JSON.stringify(urn)}) { lastIngested } }`;
    expect((await catalog.post('/api/graphql', { query })).body.data.dataset.lastIngested).toBe(2_000);
  });

  it('is no new version, no event and no part of the run that wrote it again', async () => {
    const urn = dataset('equal.silent');
    await write(urn, 'same', 'monday', 1_000);
    const poll = `/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&lookbackWindowDays=1&pollTimeoutSeconds=0&limit=1000&urn=${encoded(urn)}`;
    const events = async () => (await catalog.get(poll)).body.events;
    // Where another process publishes, events come a moment later.
    await until(async () => (await events()).length > 0);
    const before = await events();
    await write(urn, 'same', 'silent-run', 2_000);
    const other = dataset('equal.told');
    await write(other, 'same', 'monday', 1_000);
    const othersPoll = poll.replace(encoded(urn), encoded(other));
    await until(async () => (await catalog.get(othersPoll)).body.events.length > 0);
    expect(await events()).toEqual(before);
    const runs = await catalog.post('/runs?action=describe', { runId: 'silent-run', start: 0, count: 10 });
    expect(runs.body.value).toEqual([]);
    await catalog.post('/runs?action=rollback', { runId: 'silent-run', dryRun: false, safe: true });
    expect(await seen(urn)).toMatchObject({ runId: 'monday', version: '1' });
  });

  it('says nothing of the value that comes after it, nor of one that is deleted and written anew', async () => {
    const urn = dataset('equal.after');
    await write(urn, 'same', 'monday', 1_000);
    await write(urn, 'same', 'tuesday', 9_000);
    await write(urn, 'other', 'wednesday', 3_000);
    const third = { lastObserved: 3_000, runId: 'wednesday', lastRunId: 'wednesday' };
    expect(await seen(urn)).toEqual({ ...third, version: '2' });
    await write(urn, 'other', 'thursday', 9_000);
    await catalog.request('DELETE', `/openapi/v3/entity/dataset/${encoded(urn)}/${PROPERTIES}`);
    await write(urn, 'other', 'wednesday', 3_000);
    expect(await seen(urn)).toEqual({ ...third, version: '3' });
  });

  it('may come twice in one batch, and before another value', async () => {
    const urn = dataset('equal.batch');
    await write(urn, 'same', 'monday', 1_000);
    const of = (description: string, runId: string, lastObserved: number) =>
      proposal(urn, PROPERTIES, { description }, { systemMetadata: { runId, lastObserved } });
    const batch = (...proposals: unknown[]) =>
      catalog.post('/aspects?action=ingestProposalBatch', { proposals });
    expect((await batch(of('same', 'x', 1_500), of('same', 'tuesday', 2_000))).status).toBe(200);
    expect(await seen(urn)).toEqual(again);
    expect((await batch(of('same', 'x', 9_000), of('other', 'friday', 5_000))).status).toBe(200);
    expect(await seen(urn)).toEqual({
      lastObserved: 5_000,
      runId: 'friday',
      lastRunId: 'friday',
      version: '2',
    });
  });

  it('is not seen by what a refused batch says of it', async () => {
    const urn = dataset('equal.refused');
    await write(urn, 'same', 'monday', 1_000);
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: [
        proposal(
          urn,
          PROPERTIES,
          { description: 'same' },
          { systemMetadata: { runId: 'x', lastObserved: 5 } },
        ),
        proposal(urn, 'ownership', { owners: 1 }),
      ],
    });
    expect(answer.status).toBe(422);
    expect(await seen(urn)).toEqual(first);
  });
});
