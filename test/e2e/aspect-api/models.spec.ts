import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCatalog, removeHome } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal } from './support.js';

const FILES = {
  'printer.entity.yaml': `
entity: printer
description: A machine that prints.
keyAspect: printerKey
aspects: [printerInfo, printerJob, ownership, globalTags, status]
`,
  'printer-key.aspect.yaml': `
aspect: printerKey
x-key: printer
description: Identity of a printer.
type: object
required: [site, name]
properties: { site: { type: string }, name: { type: string } }
`,
  'deep/er/printer-info.aspect.yaml': `
aspect: printerInfo
description: What a printer can do.
entities: [dataset]
type: object
required: [colour]
properties:
  colour: { type: boolean }
  model: { type: string }
  owner: { type: string, format: urn }
  trays: { type: array, items: { $ref: '#/$defs/Tray' }, default: [] }
$defs:
  Tray: { type: object, required: [size], properties: { size: { type: string, enum: [A3, A4] } } }
x-searchable:
  - { path: model, kind: TEXT_PARTIAL, autocomplete: true }
  - { path: colour, kind: BOOLEAN }
  - { path: trays/*/size, field: traySizes, kind: KEYWORD, facet: true }
x-relationship:
  - { path: owner, name: PrinterOwnedBy, targets: [corpuser] }
x-array-key:
  - { path: trays, keys: [size] }
`,
  'printer-job.aspect.json': JSON.stringify({
    aspect: 'printerJob',
    description: 'A print.',
    'x-timeseries': true,
    type: 'object',
    required: ['timestampMillis', 'pages'],
    properties: {
      timestampMillis: { type: 'integer', format: 'int64' },
      pages: { type: 'integer', format: 'int32' },
    },
  }),
};

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-models-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

describe('entities and aspects of a user', () => {
  const PRINTER = 'urn:li:printer:(hq,p1)';
  const INFO = { colour: true, model: 'Quetzal 9000', owner: ANN, trays: [{ size: 'A3' }, { size: 'A4' }] };
  let models: string;
  let catalog: TestCatalog;
  beforeAll(async () => {
    models = await folderOf(FILES);
    catalog = await TestCatalog.start({ CATALOG_MODELS: models });
    await catalog.ingest(
      [PRINTER, 'printerInfo', INFO],
      [PRINTER, 'globalTags', { tags: [{ tag: 'urn:li:tag:slow' }] }],
    );
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(models, { recursive: true });
  });

  it('are written and read like all others', async () => {
    const { body } = await catalog.get(`/entitiesV2/${encoded(PRINTER)}`);
    expect(body).toMatchObject({ urn: PRINTER, entityName: 'printer' });
    expect(body.aspects).toMatchObject({
      printerInfo: { value: INFO },
      printerKey: { value: { site: 'hq', name: 'p1' } },
    });
    const version = await catalog.get(`/aspects/${encoded(PRINTER)}?aspect=printerinfo&version=1`);
    expect(version.body).toEqual({ version: 1, aspect: { 'com.linkedin.custom.PrinterInfo': INFO } });
  });

  it('come in snapshots', async () => {
    const { body } = await catalog.get(`/entities/${encoded(PRINTER)}`);
    const [record] = Object.keys(body.value as object);
    expect(record).toBe('com.linkedin.metadata.snapshot.PrinterSnapshot');
    const aspects = [{ 'acme.custom.PrinterInfo': { colour: false } }];
    const entity = {
      value: { 'acme.metadata.snapshot.PrinterSnapshot': { urn: 'urn:li:printer:(hq,p2)', aspects } },
    };
    expect((await catalog.post('/entities?action=ingest', { entity })).status).toBe(200);
    expect(await catalog.read('urn:li:printer:(hq,p2)', 'printerInfo')).toEqual({ colour: false, trays: [] });
  });

  it('are checked against their schema', async () => {
    const at = '/proposal/aspect/value';
    expectRefusal(
      await catalog.propose(PRINTER, 'printerInfo', { model: 'x' }),
      422,
      'ASPECT_INVALID',
      `${at}/colour`,
    );
    expectRefusal(
      await catalog.propose(PRINTER, 'printerInfo', { ...INFO, trays: [{ size: 'A5' }] }),
      422,
      'ASPECT_INVALID',
      `${at}/trays/0/size`,
    );
    expectRefusal(
      await catalog.propose(PRINTER, 'printerInfo', { ...INFO, ink: 1 }),
      422,
      'ASPECT_INVALID',
      `${at}/ink`,
    );
    expectRefusal(
      await catalog.propose('urn:li:printer:p1', 'printerInfo', INFO),
      400,
      'URN_MALFORMED',
      '/proposal/entityUrn',
    );
    expectRefusal(
      await catalog.propose(PRINTER, 'schemaMetadata', {}),
      400,
      'ASPECT_UNKNOWN',
      '/proposal/aspectName',
    );
    expect(await catalog.read(PRINTER, 'printerInfo')).toEqual(INFO);
  });

  it.each([
    ['quetzal', {}],
    ['traySizes:A3', {}],
    ['tags:slow', {}],
    ['*', { filter: { or: [{ and: [{ field: 'colour', condition: 'EQUAL', values: ['true'] }] }] } }],
  ])('are found by %s %j', async (input, more) => {
    expect((await catalog.search('printer', input, more)).entities).toEqual([PRINTER]);
  });

  it('have facets, relationships and events', async () => {
    const { metadata } = await catalog.search('printer', 'quetzal');
    expect(metadata.searchResultMetadatas).toContainEqual({
      name: 'traySizes',
      aggregations: { A3: 1, A4: 1 },
    });
    const owned = await catalog.get(
      `/relationships?direction=INCOMING&urn=${encoded(ANN)}&types=PrinterOwnedBy`,
    );
    expect(owned.body.entities).toEqual([PRINTER]);
    await catalog.ingest([PRINTER, 'printerJob', { timestampMillis: 5, pages: 3 }]);
    const events = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
      urn: PRINTER,
      entity: 'printer',
      aspect: 'printerJob',
    });
    expect(events.body.value.values).toHaveLength(1);
  });

  it('have arrays that a patch names by the keys of the model', async () => {
    const urn = 'urn:li:printer:(hq,patched)';
    await catalog.ingest([urn, 'printerInfo', { colour: true, trays: [{ size: 'A3' }] }]);
    const patch = [
      { op: 'add', path: '/trays/A4', value: { size: 'A4' } },
      { op: 'remove', path: '/trays/A3' },
    ];
    expect((await catalog.propose(urn, 'printerInfo', patch, { changeType: 'PATCH' })).status).toBe(200);
    expect(await catalog.read(urn, 'printerInfo')).toEqual({ colour: true, trays: [{ size: 'A4' }] });
    const other = [{ op: 'add', path: '/trays/A4', value: { size: 'A3' } }];
    expectRefusal(
      await catalog.propose(urn, 'printerInfo', other, { changeType: 'PATCH' }),
      400,
      'PATCH_MALFORMED',
      '/proposal/aspect/value/0/value/size',
    );
  });

  it('can be aspects of entities that were there before', async () => {
    const urn = dataset('m.printed');
    await catalog.ingest([urn, 'printerInfo', { colour: false, model: 'Ibis' }]);
    expect(await catalog.read(urn, 'printerInfo')).toMatchObject({ colour: false });
    expect((await catalog.search('dataset', 'ibis')).entities).toEqual([urn]);
  });

  it('are unknown to a service that was not told of them', async () => {
    const other = await TestCatalog.start();
    try {
      expectRefusal(
        await other.propose(PRINTER, 'printerInfo', INFO),
        400,
        'ENTITY_UNKNOWN',
        '/proposal/entityType',
      );
    } finally {
      await other.stop();
    }
  });
});

describe('a model with a fault', () => {
  let models: string;
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-home-'));
  });
  afterEach(async () => {
    await rm(models, { recursive: true, force: true });
    await removeHome(home);
  });

  it.each<[what: string, file: string, text: string, place: string, reason: RegExp]>([
    ['that is no YAML', 'printer.entity.yaml', 'entity: [printer', '', /./],
    [
      'without a key aspect',
      'printer.entity.yaml',
      'entity: printer\ndescription: x\naspects: []',
      '/keyAspect',
      /./,
    ],
    [
      'with an aspect that nobody has',
      'printer.entity.yaml',
      FILES['printer.entity.yaml'].replace('status', 'statu'),
      '/aspects',
      /statu/,
    ],
    [
      'with a reference to nothing',
      'deep/er/printer-info.aspect.yaml',
      FILES['deep/er/printer-info.aspect.yaml'].replace('$defs/Tray', '$defs/Drawer'),
      '',
      /Drawer/,
    ],
    [
      'with a search field of no kind',
      'deep/er/printer-info.aspect.yaml',
      FILES['deep/er/printer-info.aspect.yaml'].replace('kind: KEYWORD', 'kind: LOUD'),
      '/x-searchable/2',
      /LOUD|one of/,
    ],
    [
      'with a path to nothing',
      'deep/er/printer-info.aspect.yaml',
      FILES['deep/er/printer-info.aspect.yaml'].replace('path: owner', 'path: owned'),
      '/x-relationship/0',
      /owned/,
    ],
    [
      'with an entity that is there already',
      'printer.entity.yaml',
      FILES['printer.entity.yaml'].replace('entity: printer', 'entity: dataset'),
      '',
      /dataset|key/,
    ],
  ])('%s stops the start, naming file, place and reason', async (_, file, text, place, reason) => {
    models = await folderOf({ ...FILES, [file]: text });
    const fault = await TestCatalog.start({ CATALOG_MODELS: models }, home).then(
      async (catalog) => (await catalog.stop({ keepHome: true }), undefined),
      (error: Error) => error.message,
    );
    const line = fault?.split('\n').find((l) => l.includes(file.split('/').at(-1)!));
    expect(line).toContain(place);
    expect(line).toMatch(reason);
  });

  it('is told of with all its faults at once', async () => {
    models = await folderOf({
      ...FILES,
      'printer.entity.yaml': FILES['printer.entity.yaml'].replace('ownership', 'ownershi'),
      'deep/er/printer-info.aspect.yaml': FILES['deep/er/printer-info.aspect.yaml'].replace(
        '$defs/Tray',
        '$defs/Drawer',
      ),
    });
    const start = TestCatalog.start({ CATALOG_MODELS: models }, home);
    await expect(start).rejects.toThrow(
      /printer\.entity\.yaml[^]*printer-info\.aspect\.yaml|printer-info\.aspect\.yaml[^]*printer\.entity\.yaml/,
    );
  });

  it('is told of when the folder is not there', async () => {
    models = join(tmpdir(), 'catalog-models-that-are-not-there');
    await expect(TestCatalog.start({ CATALOG_MODELS: models }, home)).rejects.toThrow(
      'catalog-models-that-are-not-there',
    );
  });
});
