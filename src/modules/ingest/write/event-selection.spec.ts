import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogStore, EDITOR } from '../../../../test/harness/catalog-store.js';
import type { ChangeProposal, EventSelection } from '../../../catalog/change/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)';

describe('a deletion of events', () => {
  let store: CatalogStore;
  beforeEach(async () => {
    store = await CatalogStore.open();
    for (const time of [1, 2, 3]) await store.put(URN, 'datasetProfile', { timestampMillis: time });
  });
  afterEach(() => store.close());

  function proposal(aspect: string, more: Partial<ChangeProposal>): ChangeProposal {
    const entity = store.model.findEntity('dataset');
    const spec = entity?.aspects.get(aspect);
    if (!entity || !spec) throw new Error(`no ${aspect}`);
    const base = { systemMetadata: {}, pointer: '', valuePointer: '' };
    return { ...base, entity, urn: parseUrn(URN), aspect: spec, changeType: 'UPSERT', ...more };
  }
  const deletion = (events: EventSelection) => proposal('datasetProfile', { changeType: 'DELETE', events });
  const event = (time: number, runId = 'run-2') =>
    proposal('datasetProfile', { value: { timestampMillis: time }, systemMetadata: { runId } });
  const submit = (...proposals: ChangeProposal[]) => store.ingest.submit(EDITOR, proposals);
  const times = async () =>
    (await store.database.all<{ time: number }>('SELECT time FROM timeseries_aspect ORDER BY time')).map(
      (row) => row.time,
    );
  const sequence = async () =>
    (await store.database.all<{ sequence: number }>('SELECT sequence FROM entity WHERE urn = ?', [URN]))[0]
      ?.sequence ?? 0;

  it.each<[selection: EventSelection, left: number[]]>([
    [{}, []],
    [{ from: 2 }, [1]],
    [{ to: 2 }, [3]],
    [{ from: 2, to: 2 }, [1, 3]],
    [{ runId: 'run-1' }, []],
    [{ runId: 'run-2' }, [1, 2, 3]],
  ])('takes %p, tells how many, and logs when there were some', async (selection, left) => {
    const before = await sequence();
    const [outcome] = await submit(deletion(selection));
    expect(outcome).toMatchObject({
      changed: left.length < 3,
      removed: { rows: 0, events: 3 - left.length },
    });
    expect(await times()).toEqual(left);
    expect((await sequence()) - before).toBe(left.length < 3 ? 1 : 0);
  });

  it('sees what the same submission wrote before it, and spares what comes after', async () => {
    const outcomes = await submit(
      event(4),
      event(5, 'run-3'),
      deletion({ from: 2, runId: 'run-2' }),
      event(6),
    );
    expect(outcomes[2]?.removed).toEqual({ rows: 0, events: 1 });
    expect(await times()).toEqual([1, 2, 3, 5, 6]);
    await submit(deletion({}), event(2));
    expect(await times()).toEqual([2]);
  });

  it('is undone with a submission that is refused', async () => {
    const refused = proposal('datasetProperties', { changeType: 'UPDATE', value: { name: 'x' } });
    await expect(submit(event(4), deletion({}), event(5), refused)).rejects.toMatchObject({
      code: 'ASPECT_NOT_FOUND',
    });
    expect(await times()).toEqual([1, 2, 3]);
  });

  it('of an entity that has changed since it was looked at is refused', async () => {
    const seen = await sequence();
    const key = (ifSequence: number) => proposal('datasetKey', { changeType: 'DELETE', ifSequence });
    await store.put(URN, 'datasetProperties', { name: 'x' });
    await expect(submit(key(seen))).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    const [outcome] = await submit(key(await sequence()));
    expect(outcome?.removed).toEqual({ rows: 4, events: 3 });
  });
});
