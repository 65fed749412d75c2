import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { RemovalStep } from '../../../src/modules/structured-properties/removal/removal.step.js';
import { ValueRemover } from '../../../src/modules/structured-properties/removal/value-remover.js';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { assetWith, define, hardDelete, holds, property, shown } from './support.js';

let catalog: TestCatalog;
let step: RemovalStep;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  step = catalog.provider(RemovalStep);
  step.pauseMs = 10;
});
afterAll(() => catalog.stop());

const NONE_LEFT = 'no values of removed structured properties are left';

const held = async (name: string, count: number): Promise<string> => {
  const urn = await define(catalog, name, 'string');
  for (let i = 0; i < count; i += 1) {
    await assetWith(catalog, dataset(`${name}.${i}`), holds(urn, 'a'));
  }
  return urn;
};

const sql = async (text: string, params: Array<string | number>): Promise<any[]> =>
  catalog.provider(Database).all(text, params);
const edges = (urn: string): Promise<any[]> =>
  sql(
    `SELECT s.urn FROM relationship r JOIN entity s ON s.id = r.source_id JOIN entity t ON t.id = r.target_id
     WHERE t.urn = ? AND r.type = 'HasStructuredProperty' ORDER BY s.urn`,
    [urn],
  );
const stored = async (urn: string): Promise<string> => {
  const [row] = await sql(
    `SELECT v.value FROM aspect v JOIN entity e ON e.id = v.entity_id WHERE e.urn = ? AND v.aspect = ?`,
    [urn, 'structuredProperties'],
  );
  return row.value;
};

const removals = async (urn: string): Promise<any[]> =>
  (await catalog.post('/operations?action=propertyRemovals', { urn })).body.value.removals;

/** What a removal did is written down after it was done. */
async function isDone(urn: string): Promise<void> {
  while ((await removals(urn))[0]?.state !== 'done') await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Lets no removal go on until the answer is called. */
function holdRemovals(): () => void {
  const remover = catalog.provider(ValueRemover);
  const advance = remover.advance.bind(remover);
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  remover.advance = async (...given) => {
    await begun;
    return advance(...given);
  };
  return () => {
    begin();
    remover.advance = advance;
  };
}

/** As a version of the service would have left it that made no such relationships. */
const dropEdges = (urn: string): Promise<unknown> =>
  catalog.provider(Database).transaction((tx) =>
    tx.run(
      `DELETE FROM relationship WHERE type = 'HasStructuredProperty'
       AND target_id IN (SELECT id FROM entity WHERE urn = ?)`,
      [urn],
    ),
  );

describe('the system update', () => {
  it('waits for a removal that goes on, and tells how much is left', async () => {
    const urn = await held('w.waits', 3);
    const goOn = holdRemovals();
    try {
      await hardDelete(catalog, urn);
      const lines: string[] = [];
      let over = false;
      const waiting = step.run((line) => lines.push(line)).then(() => (over = true));
      while (lines.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(over).toBe(false);
      expect(new Set(lines)).toEqual(new Set([`${urn} still has values on 3 entities`]));
      goOn();
      await waiting;
      expect(lines.at(-1)).toBe(NONE_LEFT);
      expect(await stored(dataset('w.waits.0'))).toBe('{"properties":[]}');
    } finally {
      goOn();
    }
  });

  it('is refused when the removal does not go on', async () => {
    const urn = await held('w.refused', 2);
    const goOn = holdRemovals();
    const { patienceMs } = step;
    step.patienceMs = 50;
    try {
      await hardDelete(catalog, urn);
      const lines: string[] = [];
      await expect(step.run((line) => lines.push(line))).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
        message: `values of removed structured properties are left, and their removal does not go on: ${urn} (2)`,
      });
      expect(lines).toContain(`${urn} still has values on 2 entities`);
    } finally {
      goOn();
      step.patienceMs = patienceMs;
    }
    expect((await catalog.checkRemovals()).at(-1)).toBe(NONE_LEFT);
  });

  it('makes relationships that are missing, so that a later removal finds the values', async () => {
    const urn = await held('w.edges', 3);
    const before = await edges(urn);
    expect(before).toHaveLength(3);
    await dropEdges(urn);
    expect(await edges(urn)).toEqual([]);
    expect(await catalog.checkRemovals()).toEqual([
      '3 relationships between values and their properties were missing',
      NONE_LEFT,
    ]);
    expect(await edges(urn)).toEqual(before);
    expect(await catalog.checkRemovals()).toEqual([NONE_LEFT]);
    expect(await shown(catalog, dataset('w.edges.1'))).toEqual({ 'w.edges': ['a'] });
    await hardDelete(catalog, urn);
    expect((await catalog.checkRemovals()).at(-1)).toBe(NONE_LEFT);
    expect(await stored(dataset('w.edges.1'))).toBe('{"properties":[]}');
  });

  it('finds what an earlier removal has missed, and has it removed', async () => {
    const urn = await held('w.missed', 3);
    await dropEdges(urn);
    await hardDelete(catalog, urn);
    await isDone(urn);
    expect(await stored(dataset('w.missed.2'))).toContain(property('w.missed'));
    expect((await catalog.checkRemovals()).at(-1)).toBe(NONE_LEFT);
    expect(await stored(dataset('w.missed.2'))).toBe('{"properties":[]}');
    await isDone(urn);
    expect(await removals(urn)).toMatchObject([{ state: 'done', removed: 3 }]);
  });

  it('has removed what was deleted when there were no removals yet', async () => {
    const urn = await held('w.older', 2);
    await dropEdges(urn);
    await hardDelete(catalog, urn);
    await isDone(urn);
    await catalog
      .provider(Database)
      .transaction((tx) =>
        tx.run('DELETE FROM property_removal WHERE entity_id IN (SELECT id FROM entity WHERE urn = ?)', [
          urn,
        ]),
      );
    expect((await catalog.checkRemovals()).at(-1)).toBe(NONE_LEFT);
    expect(await stored(dataset('w.older.1'))).toBe('{"properties":[]}');
    await isDone(urn);
    expect(await removals(urn)).toMatchObject([{ state: 'done', removed: 2 }]);
  });
});
