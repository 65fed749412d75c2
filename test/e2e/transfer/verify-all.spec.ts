import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { command } from '../../harness/command.js';

const TAG = 'urn:li:tag:verified';
const table = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [KEPT, HARMED] = [table('verify.kept'), table('verify.harmed')];
const PROFILE = { timestampMillis: 1_600_000_000_000, rowCount: 7 };

describe('verify --all', () => {
  let catalog: TestCatalog;

  /** In a process of its own: it takes the lowest priority, and reads the database file without a break. */
  const verify = async (...words: string[]) => {
    const environment = { CATALOG_URL: catalog.url, CATALOG_TOKEN: ADMIN_TOKEN };
    const { code, out } = await command(catalog.home, ['verify', '--all', ...words], { environment });
    return { code, out: out.trimEnd() };
  };
  const sql = (text: string, parameters: Array<string | number> = []) =>
    catalog.provider(Database).transaction((tx) => tx.run(text, parameters));
  const store = async (body: object = {}): Promise<any> =>
    (await catalog.post('/operations?action=verifyStore', body)).body.value;
  const idOf = async (urn: string): Promise<number> => {
    const [row] = await catalog
      .provider(Database)
      .all<{ id: number }>('SELECT id FROM entity WHERE urn = ?', [urn]);
    return Number(row!.id);
  };

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    for (const urn of [KEPT, HARMED]) {
      for (const name of ['one', 'two', 'three']) await catalog.ingest([urn, 'datasetProperties', { name }]);
      await catalog.ingest(
        [TAG, 'tagProperties', { name: 'verified' }],
        [urn, 'globalTags', { tags: [{ tag: TAG }] }],
        [urn, 'datasetProfile', PROFILE],
      );
    }
    // Those that are gone have left nothing that should not be there.
    await catalog.ingest([table('verify.gone'), 'globalTags', { tags: [{ tag: TAG }] }]);
    await catalog.post('/entities?action=delete', { urn: table('verify.gone') });
  });
  afterAll(() => catalog.stop());

  it('finds what was written sound, also while more is written', async () => {
    const writes = Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        catalog.ingest(
          [table(`verify.w${i % 5}`), 'globalTags', { tags: i % 2 === 0 ? [{ tag: TAG }] : [] }],
          [table(`verify.w${i % 5}`), 'datasetProperties', { name: `n${i}` }],
        ),
      ),
    );
    const found = [await store(), await store()];
    await writes;
    found.push(await store());
    expect(found.map(({ faults }) => faults)).toEqual([[], [], []]);
    expect(found[2]).toMatchObject({ faultCount: 0, events: 2 });
    expect(found[2].history).toBeGreaterThanOrEqual(4);
    expect(found[2].relationships).toBeGreaterThanOrEqual(2);
    expect(found[2]).not.toHaveProperty('next');
    const { code, out } = await verify();
    expect({ code, last: out.split('\n').at(-1) }).toEqual({ code: 0, last: 'the catalog is sound' });
    for (const part of ['health', 'store', 'index', 'queue', 'audit'])
      expect(out).toMatch(new RegExp(`^${part}: sound, `, 'm'));
  });

  it('goes on from where it was, and knows no other place', async () => {
    const whole = await store();
    const behind = await store({ from: '["aspect_history"]' });
    expect(behind).toMatchObject({ entities: 0, history: whole.history, events: whole.events });
    const [id] = [await idOf(HARMED)];
    const rest = await store({ from: JSON.stringify(['aspect_history', id, 'datasetProperties', 1]) });
    expect(rest.history).toBeLessThan(whole.history);
    for (const from of ['', '[]', '["job"]', '["entity",1,2]', '["entity",null]', '{"a":1}'])
      expect(await catalog.post('/operations?action=verifyStore', { from })).toMatchObject({ status: 400 });
  });

  it('names what does not fit, and ends with 1', async () => {
    const id = await idOf(HARMED);
    const tag = await idOf(TAG);
    const none = 1_000_000_000;
    await sql(`UPDATE aspect SET value = '{"name":' WHERE entity_id = ? AND aspect = 'datasetProperties'`, [
      id,
    ]);
    await sql(`DELETE FROM relationship WHERE source_id = ? AND aspect = 'globalTags'`, [id]);
    await sql(
      `INSERT INTO relationship (source_id, type, target_id, aspect, path) VALUES (?, 'TaggedWith', ?, 'globalTags', 'tags/*/tag')`,
      [tag, id],
    );
    await sql(`UPDATE aspect_history SET version = 9 WHERE entity_id = ? AND version = 2`, [id]);
    await sql(`UPDATE aspect_history SET value = 'x' WHERE entity_id = ? AND version = 1`, [id]);
    await sql(`UPDATE timeseries_aspect SET entity_id = ? WHERE entity_id = ?`, [none, id]);
    const { faults, faultCount } = await store();
    expect(faults).toHaveLength(faultCount);
    const shown = faults.map(({ kind, entity, aspect }: Record<string, string>) => [kind, entity, aspect]);
    expect(shown.sort()).toEqual(
      [
        ['value', HARMED, 'datasetProperties'],
        ['relationship', HARMED, 'globalTags'],
        ['relationship', TAG, 'globalTags'],
        ['history', HARMED, 'datasetProperties'],
        ['history', HARMED, 'datasetProperties'],
        ['leftOver', `number ${none}`, 'datasetProfile'],
      ].sort(),
    );
    expect(await store({ limit: 1 })).toMatchObject({ faultCount, faults: [expect.anything()] });
    const { code, out } = await verify('--limit', '2');
    expect(code).toBe(1);
    expect(out).toMatch(/^store: NOT SOUND, /m);
    expect(out).toContain(`  and ${faultCount - 2} more`);
    expect(out.split('\n').at(-1)).toMatch(/^the catalog is not sound: .*\bstore\b/);
    const json = JSON.parse((await verify('--json')).out) as { sound: boolean; parts: object[] };
    expect(json.sound).toBe(false);
    expect(json.parts).toContainEqual(expect.objectContaining({ part: 'store', sound: false }));
  });

  it('is for administrators, and not mixed with what changes something', async () => {
    expect((await verify('--repair')).code).toBe(2);
    expect((await verify('--token', 'none')).code).toBe(1);
  });
});
