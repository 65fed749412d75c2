import { afterEach, describe, expect, it } from '@jest/globals';
import { EventLoopRounds } from '../../../../test/harness/event-loop-rounds.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { Model } from '../../../catalog/model/index.js';
import type { Transaction } from '../../../catalog/store/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { EntityRows } from './entity-rows.js';
import type { Head } from './head.js';
import type { Submission } from './submission.js';
import { UnitOfWork } from './unit-of-work.js';

const COUNT = 10_000;
const entity = Model.load().findEntity('tag')!;
const aspect = entity.aspects.get('tagProperties')!;
const urnOf = (k: number) => `urn:li:tag:t${String(k).padStart(6, '0')}`;

/** A database in which each tag lives, with a value. */
function transaction(): { tx: Transaction; most: () => number } {
  let most = 0;
  const all = async (sql: string, params: readonly unknown[]): Promise<unknown[]> => {
    if (sql.includes('FROM entity')) {
      most = Math.max(most, params.length);
      return params.map((urn) => ({
        id: Number(String(urn).slice(-6)) + 1,
        ...{ urn, type: 'tag', sequence: 1, live: 1, removed: 0, created_at: 1, created_by: '' },
      }));
    }
    const ids = params.filter((param): param is number => typeof param === 'number');
    return [...new Set(ids)].map((id) => ({
      ...{ entity_id: id, aspect: aspect.name, value: `{"name":"${id}"}`, version: 1, system_metadata: '{}' },
      ...{ created_at: 1, created_by: '', observation: null },
    }));
  };
  const dialect = {
    forUpdate: '',
    forShare: '',
    in: (_: string, params: readonly unknown[]) => ({ sql: '?', params }),
  };
  return { tx: { all, dialect } as unknown as Transaction, most: () => most };
}

describe('UnitOfWork', () => {
  const rows = EntityRows.prototype as unknown as { get: (urn: string) => Head };
  const { get } = rows;
  afterEach(() => {
    rows.get = get;
  });

  it('loads what very many proposals name while others are served', async () => {
    const proposals = Array.from(
      { length: COUNT },
      (_, k) => ({ urn: parseUrn(urnOf(k)), entity, aspect }) as unknown as ChangeProposal,
    );
    const principal = { actor: 'urn:li:corpuser:ada', role: 'ADMIN' };
    const { tx, most } = transaction();
    const work = new UnitOfWork(tx);
    const loop = new EventLoopRounds();
    const rounds = new Set<number>();
    let calls = 0;
    // As if a thousand of them took longer than a slice.
    rows.get = function (urn) {
      calls += 1;
      const end = performance.now() + (calls % 1_000 === 0 ? 8 : 0);
      while (performance.now() < end);
      rounds.add(loop.current);
      return get.call(this, urn);
    };
    try {
      await work.load([{ principal, proposals } as unknown as Submission], 1);
    } finally {
      loop.stop();
    }
    expect(rounds.size).toBeGreaterThanOrEqual(COUNT / 1_000);
    expect(most()).toBeLessThanOrEqual(2_000);
    const last = await work.current(work.head(urnOf(COUNT - 1)), aspect.name);
    expect(last).toMatchObject({ text: `{"name":"${COUNT}"}`, version: 1 });
  });
});
