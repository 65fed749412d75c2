import { expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Model, modelDigest } from '../../../src/catalog/model/index.js';
import { LineWriter } from '../../../src/modules/transfer/export-format.js';
import { command } from '../../harness/command.js';

const ENTITIES = 15_000;

/** An export of many entities with three versions of an aspect each. */
function largeExport(): string {
  const writer = new LineWriter();
  const created = { time: 1_750_000_000_000, actor: 'urn:li:corpuser:ann' };
  const selection = {
    entityTypes: [],
    urns: [],
    history: true,
    timeseries: true,
    secrets: false,
    tokens: false,
  };
  const line = (value: object): void => writer.line(JSON.stringify(value).slice(0, -1));
  line({ kind: 'catalog-export', format: 1, model: modelDigest(Model.load()), ...selection });
  for (let i = 0; i < ENTITIES; i += 1) {
    const of = { entityType: 'tag', entityUrn: `urn:li:tag:t${String(i).padStart(6, '0')}` };
    const value = (kind: string, aspectName: string, version: number, json: object): void =>
      line({ kind, ...of, aspectName, version, aspect: { json }, systemMetadata: {}, created });
    line({ kind: 'entity', ...of, created });
    value('aspect', 'tagKey', 1, { name: `t${i}` });
    value('aspect', 'tagProperties', 3, { name: `third ${i}` });
    value('history', 'tagProperties', 1, { name: `first ${i}` });
    value('history', 'tagProperties', 2, { name: `second ${i}` });
  }
  const counts = { entities: ENTITIES, aspects: 2 * ENTITIES, history: 2 * ENTITIES, events: 0, tokens: 0 };
  return writer.end(counts, undefined).toString();
}

it('an import that is killed again and again goes on where it ended, and is whole in the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-import-'));
  const home = join(folder, 'home');
  const file = join(folder, 'export.jsonl');
  const text = largeExport();
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
