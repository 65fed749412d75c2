import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, graphql } from './support.js';

const P1 = 'urn:li:printer:(hq,p1)';
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';

/** A model with what names and types of GraphQL cannot say as they are. */
const FILES = (colours: string): Record<string, string> => ({
  'printer.entity.yaml': `
entity: printer
description: A machine that prints.
keyAspect: printerKey
aspects: [printerInfo, ownership, status, globalTags]
`,
  'printer-key.aspect.yaml': `
aspect: printerKey
x-key: printer
description: Identity of a printer.
type: object
required: [site, name]
properties: { site: { type: string }, name: { type: string } }
`,
  'printer-info.aspect.yaml': `
aspect: printerInfo
description: What a printer can do.
entities: [dataset]
type: object
required: [colour]
properties:
  colour: { $ref: '#/$defs/Colour' }
  spare: { $ref: '#/$defs/Colour' }
  displayName: { type: string, description: 'What people call it.' }
  pages-per-minute: { type: integer, format: int32 }
  2sided: { type: boolean }
  owner: { type: string, format: urn }
  serves: { type: array, items: { type: string, format: urn }, default: [] }
  trays: { type: array, items: { $ref: '#/$defs/Tray' }, default: [] }
  levels: { type: object, additionalProperties: { type: number } }
  slots: { type: object, additionalProperties: { $ref: '#/$defs/Tray' } }
  grid: { type: array, items: { type: array, items: { type: integer } } }
  state: { x-union: [string, double] }
  part: { x-union: [custom.PrinterInfo.Tray, custom.PrinterInfo.Lamp] }
  place: { type: object, properties: { floor: { type: integer } } }
  anything: { type: object }
$defs:
  Colour: { type: string, enum: [${colours}] }
  Paper: { type: string, enum: ['A4-long', letter] }
  Lamp: { type: object, properties: { watts: { type: integer } } }
  Tray: { type: object, required: [size], properties: { size: { $ref: '#/$defs/Paper' }, next: { $ref: '#/$defs/Tray' } } }
x-searchable:
  - { path: colour, kind: KEYWORD, facet: true }
x-relationship:
  - { path: owner, name: PrinterOwnedBy, targets: [corpuser] }
`,
  // What its clients know otherwise.
  'plotter.entity.yaml': `
entity: plotter
description: A machine that draws.
keyAspect: plotterKey
aspects: [plotterInfo]
graphql: { type: DrawingMachine, query: drawingMachine, fieldsOf: plotterInfo, rename: { pens: colours }, without: [maker] }
`,
  'plotter-key.aspect.yaml': `
aspect: plotterKey
x-key: plotter
type: object
required: [name]
properties: { name: { type: string } }
`,
  'plotter-info.aspect.yaml': `
aspect: plotterInfo
x-graphql: { type: Drawing, field: details }
type: object
properties:
  pens: { type: array, items: { type: string }, x-graphql: { also: nibs } }
  maker: { type: string, format: urn, x-graphql: { urns: text } }
  user: { type: string, format: urn, x-graphql: { entity: corpuser } }
  columns: { type: array, items: { type: string, format: urn }, x-graphql: { urns: column } }
`,
});

const VALUE = {
  colour: 'RED',
  spare: 'BLUE',
  displayName: 'The red one',
  'pages-per-minute': 12,
  '2sided': true,
  owner: 'urn:li:corpuser:ann',
  serves: ['urn:li:corpuser:ann', 'urn:li:corpGroup:all'],
  trays: [{ size: 'A4-long', next: { size: 'letter' } }],
  levels: { black: 0.5 },
  slots: { left: { size: 'letter' } },
  grid: [[1, 2], [3]],
  state: { double: 1.5 },
  part: { 'custom.PrinterInfo.Lamp': { watts: 5 } },
  place: { floor: 3 },
  anything: { at: ['all'] },
};

const WHOLE = `
  colour spare displayName pages_per_minute _2sided
  owner { urn displayName } ownerUrn
  serves { urn __typename }
  trays { size next { size } }
  levels { key value } slots { key value { size } } grid
  state { ... on NumberValue { numberValue } ... on StringValue { stringValue } }
  part { __typename ... on Lamp { watts } ... on Tray { size } }
  place { floor } anything`;

describe('a model of your own in GraphQL', () => {
  let models: string;
  let catalog: TestCatalog;
  const write = (colours: string) =>
    Promise.all(Object.entries(FILES(colours)).map(([name, text]) => writeFile(join(models, name), text)));

  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'catalog-models-'));
    await write('RED, BLUE');
    catalog = await TestCatalog.start({ CATALOG_MODELS: models });
    await catalog.ingest(
      [P1, 'printerInfo', VALUE],
      [P1, 'status', { removed: false }],
      [ORDERS, 'printerInfo', { colour: 'BLUE' }],
      [
        'urn:li:plotter:big',
        'plotterInfo',
        {
          pens: ['black'],
          maker: 'urn:li:corpGroup:makers',
          user: 'urn:li:corpuser:ann',
          columns: [`urn:li:schemaField:(${ORDERS},id)`],
        },
      ],
      ['urn:li:corpuser:ann', 'corpUserInfo', { active: true, displayName: 'Ann' }],
    );
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(models, { recursive: true, force: true });
  });

  it('has a query, a type and fields for every kind of value', async () => {
    const found = await data(
      catalog,
      `{ printer(urn: "${P1}") { __typename urn type displayName entityName key { site name } status { removed }
           info { ${WHOLE} } } }`,
    );
    expect(found.printer).toEqual({
      __typename: 'Printer',
      urn: P1,
      type: 'OTHER',
      displayName: 'The red one',
      entityName: 'printer',
      key: { site: 'hq', name: 'p1' },
      status: { removed: false },
      info: {
        colour: 'RED',
        spare: 'BLUE',
        displayName: 'The red one',
        pages_per_minute: 12,
        _2sided: true,
        owner: { urn: 'urn:li:corpuser:ann', displayName: 'Ann' },
        ownerUrn: 'urn:li:corpuser:ann',
        serves: [
          { urn: 'urn:li:corpuser:ann', __typename: 'CorpUser' },
          { urn: 'urn:li:corpGroup:all', __typename: 'CorpGroup' },
        ],
        trays: [{ size: 'A4-long', next: { size: 'letter' } }],
        levels: [{ key: 'black', value: 0.5 }],
        slots: [{ key: 'left', value: { size: 'letter' } }],
        grid: [[1, 2], [3]],
        state: { numberValue: 1.5 },
        part: { __typename: 'Lamp', watts: 5 },
        place: { floor: 3 },
        anything: '{"at":["all"]}',
      },
    });
  });

  it('says it the same when the query is compiled', async () => {
    const query = `{ printer(urn: "${P1}") { info { ${WHOLE} } } }`;
    const first = await data(catalog, query);
    for (let i = 0; i < 4; i += 1) expect(await data(catalog, query)).toEqual(first);
  });

  it('has the names that its files give to clients', async () => {
    const found = await data(
      catalog,
      `{ drawingMachine(urn: "urn:li:plotter:big") {
           __typename colours
           details { __typename pens nibs maker makerEntity { urn } user { displayName } columns { urn path } }
         }
         __type(name: "DrawingMachine") { fields { name } } }`,
    );
    expect(found.drawingMachine).toEqual({
      __typename: 'DrawingMachine',
      colours: ['black'],
      details: {
        __typename: 'Drawing',
        pens: ['black'],
        nibs: ['black'],
        maker: 'urn:li:corpGroup:makers',
        makerEntity: { urn: 'urn:li:corpGroup:makers' },
        user: { displayName: 'Ann' },
        columns: [{ urn: `urn:li:schemaField:(${ORDERS},id)`, path: 'id' }],
      },
    });
    const fields = found.__type.fields.map(({ name }: { name: string }) => name);
    expect(fields).toContain('user');
    expect(fields).not.toContain('maker');
  });

  it('adds an aspect to an entity that ships with the service', async () => {
    const found = await data(
      catalog,
      `{ dataset(urn: "${ORDERS}") { name printerInfo { colour displayName trays { size } } } }`,
    );
    expect(found.dataset).toEqual({
      name: 'orders',
      printerInfo: { colour: 'BLUE', displayName: null, trays: [] },
    });
  });

  it('names the entity by its URN where nothing else does', async () => {
    const found = await data(catalog, `{ entity(urn: "${ORDERS}") { displayName } }`);
    expect(found.entity.displayName).toBe('orders');
    const none = await data(catalog, '{ printer(urn: "urn:li:printer:(hq,p9)") { urn } }');
    expect(none.printer).toBeNull();
  });

  it('describes everything in the words of the model', async () => {
    const { __type: type } = await data(
      catalog,
      '{ __type(name: "PrinterInfo") { description fields { name description } } }',
    );
    expect(type.description).toBe('What a printer can do.');
    const texts = Object.fromEntries(type.fields.map((field: any) => [field.name, field.description]));
    expect(texts).toMatchObject({
      displayName: 'What people call it.',
      pages_per_minute: 'Pages per minute.',
    });
  });

  it('shows the rest of an aspect whose optional value the model no longer has', async () => {
    await catalog.stop({ keepHome: true });
    await write('RED, GREEN');
    catalog = await TestCatalog.start({ CATALOG_MODELS: models }, catalog.home);
    const answer = await graphql(catalog, `{ printer(urn: "${P1}") { urn info { colour spare } } }`);
    expect(answer.body.data.printer).toEqual({ urn: P1, info: { colour: 'RED', spare: null } });
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0]).toMatchObject({ path: ['printer', 'info', 'spare'] });
  });
});
