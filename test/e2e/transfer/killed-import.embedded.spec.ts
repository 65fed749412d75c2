import { expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../harness/command.js';
import { tagExport } from '../../harness/tag-export.js';

const ENTITIES = 15_000;

it('an import that is killed again and again goes on where it ended, and is whole in the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-import-'));
  const home = join(folder, 'home');
  const file = join(folder, 'export.jsonl');
  const text = tagExport(ENTITIES);
  await writeFile(file, text);
  let resumptions = 0;
  for (let killAfterMs = 300; ; killAfterMs *= 1.1 + Math.random() / 5) {
    const { code, err } = await command(home, ['import', file], { killAfterMs });
    if (code === null) continue;
    expect({ code, err }).toMatchObject({ code: 0 });
    if (err.includes('went on there')) resumptions += 1;
    break;
  }
  expect(resumptions).toBe(1);
  const after = await command(home, ['export', '-', '--no-cursor']);
  expect(after.out === text).toBe(true);
  await rm(folder, { recursive: true });
});
