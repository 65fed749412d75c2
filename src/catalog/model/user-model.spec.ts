import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseUrn } from '../urn/urn.js';
import { ModelError } from './model-error.js';
import { Model } from './model.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function problems(): Array<{ file: string; place: string; reason: string }> {
  try {
    Model.load({ userFolder: folder });
  } catch (error) {
    if (error instanceof ModelError) {
      return error.problems.map((p) => ({ ...p, file: p.file.slice(folder.length + 1) }));
    }
    throw error;
  }
  return [];
}

const KEY = `
aspect: printerKey
x-key: printer
description: Identity of a printer.
type: object
required: [site, name]
properties:
  site: {type: string}
  name: {type: string}
`;

const INFO = `
aspect: printerInfo
description: What a printer can do.
entities: [dataset]
type: object
required: [colour]
properties:
  colour: {type: boolean}
  trays: {type: array, items: {$ref: acme.Tray}, default: []}
  room: {$ref: '#/$defs/Room'}
$defs:
  Room: {type: object, properties: {floor: {type: integer, minimum: 0}}}
x-searchable:
  - {path: trays/*/size, field: traySizes, kind: KEYWORD, facet: true}
  - {path: room/floor, kind: COUNT}
x-relationship:
  - {path: trays/*/owner, name: TrayOwnedBy, targets: [corpuser]}
`;

const ENTITY = `
entity: printer
description: A machine that prints.
keyAspect: printerKey
aspects: [printerInfo, ownership, status]
`;

const RECORDS = `
acme.Tray:
  type: object
  required: [size]
  properties:
    size: {$ref: acme.PaperSize}
    owner: {type: string, format: urn}
acme.PaperSize: {type: string, enum: [A3, A4]}
`;

describe('a user’s own model', () => {
  it('adds an entity, and an aspect to an entity of the service', () => {
    write('printer-key.aspect.yaml', KEY);
    write('printer-info.aspect.yml', INFO);
    write('printer.entity.yaml', ENTITY);
    write('records.yaml', RECORDS);
    const model = Model.load({ userFolder: folder });

    const printer = model.findEntity('Printer');
    if (!printer) throw new Error('no printer');
    expect([...printer.aspects.keys()]).toEqual(['printerKey', 'printerInfo', 'ownership', 'status']);
    expect(printer.category).toBe('core');
    expect(model.findEntity('dataset')?.has('printerInfo')).toBe(true);
    expect(model.keyFromUrn(parseUrn('urn:li:printer:(hq,p1)')).key).toEqual({ site: 'hq', name: 'p1' });

    const info = model.findAspect(printer, 'printerinfo');
    if (!info) throw new Error('no printerInfo');
    expect(info).toMatchObject({ record: 'custom.PrinterInfo', kind: 'versioned', schemaVersion: 1 });
    expect(info.search[0]).toMatchObject({ field: 'traySizes', facet: true });
    const value = { colour: true };
    expect(model.validate(info, value)).toEqual([]);
    expect(value).toEqual({ colour: true, trays: [] });
    expect(
      model.validate(info, { colour: true, trays: [{ size: 'A5' }], room: { floor: -1, x: 1 } }),
    ).toEqual(
      expect.arrayContaining([
        { pointer: '/trays/0/size', message: 'must be one of A3, A4' },
        { pointer: '/room/x', message: 'unknown field' },
        { pointer: '/room/floor', message: 'must be >= 0' },
      ]),
    );
  });

  it('may be JSON', () => {
    const aspect = {
      aspect: 'printed',
      entities: ['dataset'],
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' } },
    };
    write('printed.json', JSON.stringify(aspect));
    const model = Model.load({ userFolder: folder });
    const spec = model.aspects.get('printed');
    expect(spec && model.validate(spec, { at: 'yesterday' })).toEqual([
      { pointer: '/at', message: 'must be written as date-time' },
    ]);
  });

  it('is refused when the folder is missing', () => {
    expect(() => Model.load({ userFolder: join(folder, 'nowhere') })).toThrow(/nowhere.*no such folder/);
  });

  it.each<[string, string, string, string]>([
    ['broken YAML', 'aspect: [unclosed\ntype: object\n', 'line 2, column 1', 'Flow sequence'],
    ['a list', '- a\n', '', 'must be a map'],
    ['no kind', 'foo: {type: object}\n', '/foo', 'bad record name "foo"'],
    ['a bad name', 'aspect: "a b"\ntype: object\n', '/aspect', 'must be a name'],
    [
      'a taken name',
      'aspect: STATUS\nentities: [dataset]\ntype: object\n',
      '/aspect',
      'duplicate aspect STATUS',
    ],
    [
      'a taken record',
      'aspect: a1\nrecord: common.Status\nentities: [dataset]\ntype: object\n',
      '',
      'duplicate record common.Status',
    ],
    ['no object', 'aspect: a1\ntype: string\n', '/type', 'an aspect is an object'],
    ['no entity', 'aspect: a1\ntype: object\n', '', 'no entity has the aspect "a1"'],
    [
      'an unknown entity',
      'aspect: a1\nentities: [datasett]\ntype: object\n',
      '/entities/0',
      'unknown entity "datasett"',
    ],
    [
      'an unknown reference',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {$ref: common.Nope}\n',
      'line 5 /properties/x/$ref',
      'unknown record or enum "common.Nope"',
    ],
    [
      'an unknown union member',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {x-union: [string, a.B]}\n',
      '/properties/x/x-union',
      'unknown member "a.B"',
    ],
    [
      'an unknown keyword',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {typ: string}\n',
      '',
      'unknown keyword: "typ"',
    ],
    [
      'an unknown type',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: text}\n',
      'line 5 /properties/x/type',
      'not a JSON Schema',
    ],
    [
      'an unknown format',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string, format: urnn}\n',
      '',
      'unknown format "urnn"',
    ],
    [
      'a reserved field',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  toString: {type: string}\n',
      '/properties/toString',
      'reserved',
    ],
    [
      'a path to nowhere',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string}\nx-searchable:\n  - {path: x/y, kind: TEXT}\n',
      'line 7 /x-searchable/0/path',
      '"y" is not a field there',
    ],
    [
      'a star on no array',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string}\nx-searchable:\n  - {path: x/*, kind: TEXT}\n',
      '/x-searchable/0/path',
      'needs an array or a map',
    ],
    [
      'an unknown kind',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string}\nx-searchable:\n  - {path: x, kind: TXT}\n',
      '/x-searchable/0/kind',
      'unknown kind "TXT"',
    ],
    [
      'an unknown key of a mark',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string}\nx-searchable:\n  - {path: x, kind: TEXT, fuzzy: true}\n',
      '/x-searchable/0/fuzzy',
      'unknown key "fuzzy"',
    ],
    [
      'a mark of the wrong type',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string}\nx-searchable:\n  - {path: x, kind: TEXT, boost: high}\n',
      '/x-searchable/0/boost',
      'must be a number',
    ],
    [
      'a mark without a path',
      'aspect: a1\nentities: [dataset]\ntype: object\nx-searchable:\n  - {kind: TEXT}\n',
      '/x-searchable/0',
      '"path" is required',
    ],
    [
      'the key of no array',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string}\nx-array-key:\n  - {path: x}\n',
      '/x-array-key/0/path',
      'needs an array or a map',
    ],
    [
      'a key that elements do not have',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: array, items: {type: object, properties: {y: {type: string}}}}\nx-array-key:\n  - {path: x, keys: [z]}\n',
      '/x-array-key/0/keys/0',
      '"z" is not a field there',
    ],
    [
      'a key of no parts',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: array, items: {type: string}}\nx-array-key:\n  - {path: x, keys: []}\n',
      '/x-array-key/0/keys',
      'leave it out where the element is its own key',
    ],
    [
      'an unknown target',
      'aspect: a1\nentities: [dataset]\ntype: object\nproperties:\n  x: {type: string, format: urn}\nx-relationship:\n  - {path: x, name: Xs, targets: [user]}\n',
      '/x-relationship/0/targets',
      'unknown entity "user"',
    ],
    [
      'a series without time',
      'aspect: a1\nentities: [dataset]\nx-timeseries: true\ntype: object\n',
      '/properties',
      'timestampMillis',
    ],
    [
      'a key of nothing',
      'aspect: a1\nentities: [dataset]\nx-key: dataset\ntype: object\n',
      '/x-key',
      'no entity has it as its key aspect',
    ],
    [
      'an unknown key aspect',
      'entity: printer\nkeyAspect: printerKey\n',
      '/keyAspect',
      'unknown key aspect "printerKey"',
    ],
    [
      'a key aspect in use',
      'entity: printer\nkeyAspect: tagKey\n',
      '/keyAspect',
      'already the key aspect of "tag"',
    ],
    [
      'the text of a value that an enum does not have',
      'acme.Size: {type: string, enum: [A3], x-enum-descriptions: {A4: Small.}}\n',
      '/acme.Size/x-enum-descriptions',
      'must map values of the enum to strings',
    ],
    ['an unknown key of an entity', 'entity: tagg\nkeyAspect: tagKey\nlabel: x\n', '/label', 'unknown key'],
  ])('is refused for %s, with file, place and reason', (_, text, place, reason) => {
    write('a.yaml', text);
    const found = problems();
    expect(found.map((p) => p.file)).toContain('a.yaml');
    const match = found.find((p) => p.reason.includes(reason));
    expect([found, match?.place.includes(place)]).toEqual([found, true]);
  });

  it.each([
    ['platformField: colour', '/platformField', 'must be a field of printerKey: site, name'],
    ['browsePath: site', '/browsePath', 'must be a map of levels and folders'],
    ['browsePath: {levels: site}', '/browsePath/levels', 'must be an array of key fields'],
    [
      'browsePath: {levels: [site, floor]}',
      '/browsePath/levels/1',
      'must be a field of printerKey: site, name',
    ],
    ['browsePath: {depth: 3}', '/browsePath/depth', 'unknown key "depth", must be one of levels, folders'],
    ['apiDocument: {part: rest}', '/apiDocument/part', 'must be core or pipelines'],
    ['apiDocument: {part: core, place: first}', '/apiDocument/place', 'must be a number'],
    ['strictReferences: yes please', '/strictReferences', 'must be true or false'],
    ['graphql: {type: a-b}', '/graphql/type', 'must be a name that GraphQL takes'],
    ['graphql: {fieldsOf: domains}', '/graphql/fieldsOf', '"domains" is no aspect of the entity'],
    [
      'graphql: {label: x}',
      '/graphql/label',
      'unknown key "label", must be one of type, query, fieldsOf, rename, without',
    ],
  ])('is refused for the mark %s of an entity', (mark, place, reason) => {
    write('printer-key.aspect.yaml', KEY);
    write('printer-info.aspect.yml', INFO);
    write('records.yaml', RECORDS);
    write('printer.entity.yaml', `${ENTITY}${mark}\n`);
    expect(problems()).toEqual([
      { file: 'printer.entity.yaml', place: expect.stringContaining(place), reason },
    ]);
  });

  it.each([
    ['x-parallel-list', '{path: trays, key: depth, list: trays}', '"depth" is not a field there'],
    ['x-patch-stamp', '{path: trays/*/changed}', '"changed" is not a field there'],
  ])('is refused when the mark %s of an aspect leads nowhere', (mark, row, reason) => {
    write('printer-key.aspect.yaml', KEY);
    write('printer-info.aspect.yml', `${INFO}${mark}:\n  - ${row}\n`);
    write('records.yaml', RECORDS);
    write('printer.entity.yaml', ENTITY);
    expect(problems()).toEqual([
      {
        file: 'printer-info.aspect.yml',
        place: expect.stringContaining(`/${mark}/0/path`),
        reason: expect.stringContaining(reason),
      },
    ]);
  });

  it.each([
    ['x-graphql: {urns: both}', '/x-graphql/urns', 'must be text or column'],
    ['x-graphql: {entity: robot}', '/x-graphql/entity', 'unknown entity "robot"'],
    ['x-graphql: {counted: {type: Runs}}', '/x-graphql/counted', '"member" is required'],
    ['x-removed: colour', '/x-removed', 'the aspect "status" says so already'],
    ['x-removed: [colour]', '/x-removed', 'must be the name of a field'],
    ['x-graphql: {also: 1st}', '/x-graphql/also', 'must be a name that GraphQL takes'],
  ])('is refused for the mark %s of an aspect', (mark, place, reason) => {
    write('printer-key.aspect.yaml', KEY);
    write('printer-info.aspect.yml', `${INFO}${mark}\n`);
    write('records.yaml', RECORDS);
    write('printer.entity.yaml', ENTITY);
    expect(problems()).toContainEqual({
      file: 'printer-info.aspect.yml',
      place: expect.stringContaining(place),
      reason,
    });
  });

  it('is refused when a parent field leads to no other entity', () => {
    write('printer-key.aspect.yaml', KEY);
    write('printer-info.aspect.yml', INFO);
    write('records.yaml', RECORDS);
    write('printer.entity.yaml', `${ENTITY}parentField: traySizes\n`);
    expect(problems()).toEqual([
      {
        file: 'printer.entity.yaml',
        place: expect.stringContaining('/parentField'),
        reason: '"traySizes" is no search field of "printer" with a relationship over the same path',
      },
    ]);
  });

  it('is refused with all that is wrong, not only the first', () => {
    write('a.yaml', 'aspect: a1\ntype: string\n');
    write('b.yaml', 'entity: b\nkeyAspect: nothing\n');
    write('c.yaml', '{');
    expect(new Set(problems().map((p) => p.file))).toEqual(new Set(['a.yaml', 'b.yaml', 'c.yaml']));
  });
});
