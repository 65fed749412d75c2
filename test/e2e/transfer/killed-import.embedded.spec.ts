import { expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { called, command } from '../../harness/command.js';
import { tagExport } from '../../harness/tag-export.js';

const ENTITIES = 5_000;
/** At most: the machine may be too busy to meet as many. */
const KILLS = 3;

/** The last line that an import has recorded as being in the catalog, 0 when there is none. */
function placeIn(home: string): number {
  const database = new DatabaseSync(join(home, 'catalog.db'), { readOnly: true });
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    const row = database.prepare(`SELECT value FROM store_fact WHERE name = 'import'`).get();
    return row === undefined ? 0 : (JSON.parse(String(row['value'])) as { line: number }).line;
  } finally {
    database.close();
  }
}

it('an import that is killed again and again goes on where it ended, and is whole in the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-import-'));
  const home = join(folder, 'home');
  const file = join(folder, 'export.jsonl');
  const text = tagExport(ENTITIES);
  await writeFile(file, text);
  expect(await called(home, ['tokens', 'list'])).toMatchObject({ code: 0 });
  let [reached, kills] = [0, 0];
  for (;;) {
    const advanced = (): boolean => kills < KILLS && placeIn(home) > reached;
    const { code, err } = await command(home, ['import', file], { killWhen: advanced });
    if (code !== null) {
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('went on there') });
      break;
    }
    kills += 1;
    reached = placeIn(home);
  }
  expect(kills).toBeGreaterThan(0);
  const back = join(folder, 'back.jsonl');
  expect(await called(home, ['export', back, '--no-cursor'])).toMatchObject({ code: 0 });
  expect((await readFile(back, 'utf8')) === text).toBe(true);
  await rm(folder, { recursive: true });
});
