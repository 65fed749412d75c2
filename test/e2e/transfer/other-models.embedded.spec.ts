import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineChecksums } from '../../../src/modules/transfer/line-checksums.js';
import { LineWriter } from '../../../src/modules/transfer/line-writer.js';
import { called } from '../../harness/command.js';
import { tagExport } from '../../harness/tag-export.js';

const SHELF = `
aspect: shelf
description: Where a label lies.
entities: [tag]
type: object
required: [row]
properties: { row: { type: integer, format: int32 }, room: { type: string } }
`;

let folder: string;
/** Folders of models: with the aspect, and of a later version that wants more of it. */
const models = { own: '', later: '' };
let withShelf: string;
/** Of the model that has no such aspect. */
const plain = tagExport(3);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'other-models-'));
  for (const [name, text] of [
    ['own', SHELF],
    ['later', SHELF.replace('[row]', '[row, room]')],
  ] as const) {
    models[name] = join(folder, name);
    await mkdir(models[name]);
    await writeFile(join(models[name], 'shelf.aspect.yaml'), text);
  }
  await writeFile(join(folder, 'made.jsonl'), tagOnAShelf());
  expect(await imported('first', 'made.jsonl', models.own)).toMatchObject({ code: 0 });
  withShelf = await exported('first', 'with-shelf.jsonl', models.own);
  await writeFile(join(folder, 'plain.jsonl'), plain);
});
afterAll(() => rm(folder, { recursive: true }));

const settings = (own: string) => ({ environment: { CATALOG_MODELS: own } });
const imported = (home: string, file: string, own: string, ...words: string[]) =>
  called(join(folder, home), ['import', join(folder, file), ...words], settings(own));

async function exported(home: string, file: string, own: string): Promise<string> {
  const words = ['export', join(folder, file), '--no-cursor', '--entity', 'tag', '--replace'];
  expect(await called(join(folder, home), words, settings(own))).toMatchObject({ code: 0 });
  return readFile(join(folder, file), 'utf8');
}

function tagOnAShelf(): string {
  const [writer, checksums] = [new LineWriter(), new LineChecksums()];
  const line = (value: object): void => writer.line(JSON.stringify(value).slice(0, -1));
  const checked = (): string => {
    const part = writer.take();
    checksums.fill(part);
    return part.toString();
  };
  const of = { entityType: 'tag', entityUrn: 'urn:li:tag:a' };
  const created = { time: 1_750_000_000_000, actor: 'urn:li:corpuser:ann' };
  const value = (aspectName: string, json: object): void =>
    line({ kind: 'aspect', ...of, aspectName, version: 1, aspect: { json }, systemMetadata: {}, created });
  line({ kind: 'catalog-export', format: 1, model: 'another', entityTypes: [], urns: [], history: true });
  line({ kind: 'entity', ...of, created });
  value('shelf', { row: 3 });
  value('tagKey', { name: 'a' });
  value('tagProperties', { name: 'a' });
  const lines = checked();
  writer.end({ entities: 1, aspects: 3, history: 0, events: 0, tokens: 0 }, undefined, checksums.sha256());
  return lines + checked();
}

const modelOf = (text: string): unknown => (JSON.parse(text.split('\n')[0]!) as { model: unknown }).model;

/** Without what depends on the fingerprint of the model. */
const contentOf = (text: string): string[] =>
  text
    .split('\n')
    .slice(1, -2)
    .map((line) => line.replace(/,"check":"[0-9a-f]{8}"\}$/, ''));

it('an export is not taken into an older model that lacks what it has, and the line is named', async () => {
  const line = contentOf(withShelf).findIndex((text) => text.includes('"aspectName":"shelf"')) + 2;
  const refusal = `line ${line} (/aspectName): the model of this catalog has no versioned aspect shelf of tag`;
  for (const words of [['--dry-run'], []]) {
    const said = await imported('older', 'with-shelf.jsonl', '', ...words);
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining(refusal) });
  }
  expect(contentOf(await exported('older', 'older.jsonl', ''))).toEqual([]);
});

it('an export of an older model is taken into a newer one as it was', async () => {
  expect(await imported('newer', 'plain.jsonl', models.own)).toMatchObject({ code: 0 });
  const back = await exported('newer', 'newer.jsonl', models.own);
  expect(contentOf(back)).toEqual(contentOf(plain));
  expect(modelOf(back)).toBe(modelOf(withShelf));
  expect(modelOf(back)).not.toBe(modelOf(plain));
});

it('a value that a newer model does not allow is refused with its line and a pointer into it', async () => {
  const line = contentOf(withShelf).findIndex((text) => text.includes('"aspectName":"shelf"')) + 2;
  const said = await imported('later', 'with-shelf.jsonl', models.later);
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining(`line ${line} (/aspect/json/room)`) });
  expect(contentOf(await exported('later', 'later.jsonl', models.later))).toEqual([]);
});
