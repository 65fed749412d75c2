import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { called, command, type Said } from '../../harness/command.js';
import { importSample } from '../../harness/sample.js';

const PARCELS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,csv.parcels,PROD)';
const ROUTES = 'urn:li:dataset:(urn:li:dataPlatform:postgres,csv.routes,PROD)';
const [CODE, DAYS] = ['csv.code', 'csv.days'].map((name) => `urn:li:structuredProperty:${name}`) as [
  string,
  string,
];
const HOSTILE = '=HYPERLINK("http://x")\r\n"quoted", and;more';

describe('catalog csv', () => {
  let catalog: TestCatalog;
  let token = ADMIN_TOKEN;

  const environment = () => ({ CATALOG_URL: catalog.url, CATALOG_TOKEN: token });
  const csv = (...words: string[]): Promise<Said> =>
    called(catalog.home, ['csv', ...words], { environment: environment() });
  const path = (name: string): string => join(catalog.home, name);
  const imported = async (text: string | Uint8Array, ...words: string[]): Promise<Said> => {
    await writeFile(path('table.csv'), text);
    return csv('import', path('table.csv'), ...words);
  };
  const exported = async (...words: string[]): Promise<string> => {
    const file = path('exported.csv');
    const selected = ['--query', 'csv', '--entity', 'dataset', ...words];
    const { code, err } = await csv('export', file, '--replace', ...selected);
    expect({ code, err }).toMatchObject({ code: 0 });
    return readFile(file, 'utf8');
  };
  const write = (urn: string, aspect: string, value: object): Promise<void> =>
    catalog.ingest([urn, aspect, value]);
  const define = (urn: string, type: string, cardinality: string): Promise<void> =>
    write(urn, 'propertyDefinition', {
      qualifiedName: urn.split(':').at(-1),
      valueType: `urn:li:dataType:platform.${type}`,
      cardinality,
      entityTypes: ['urn:li:entityType:platform.dataset'],
    });

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await importSample(catalog);
    await define(CODE, 'string', 'SINGLE');
    await define(DAYS, 'number', 'MULTIPLE');
    for (const urn of [PARCELS, ROUTES]) {
      await write(urn, 'datasetProperties', { name: `csv ${urn}`, description: 'from the source' });
      await write(urn, 'schemaMetadata', {
        ...{ schemaName: 's', platform: 'urn:li:dataPlatform:postgres', version: 0, hash: '' },
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields: ['id', '-sum'].map((fieldPath) => ({
          fieldPath,
          nativeDataType: 'int',
          type: { type: { 'com.linkedin.schema.NumberType': {} } },
        })),
      });
    }
    await write(PARCELS, 'editableDatasetProperties', { description: HOSTILE });
    await write(PARCELS, 'globalTags', { tags: [{ tag: 'urn:li:tag:gold', context: '{"kept":1}' }] });
    await write(PARCELS, 'ownership', {
      owners: [
        { owner: 'urn:li:corpuser:ines.okafor', type: 'TECHNICAL_OWNER' },
        { owner: 'urn:li:corpuser:ines.okafor', type: 'DATAOWNER' },
      ],
    });
    await write(PARCELS, 'structuredProperties', {
      properties: [
        { propertyUrn: CODE, values: [{ string: '007' }] },
        { propertyUrn: DAYS, values: [{ double: -1.5 }, { double: 30 }] },
      ],
    });
  });
  afterAll(() => catalog.stop());

  it('takes back what it wrote, and changes nothing', async () => {
    for (const words of [[], ['--delimiter', ';', '--columns', '--no-bom'], ['--delimiter', 'tab']]) {
      const file = path('all.csv');
      expect(await csv('export', file, '--replace', ...words)).toMatchObject({ code: 0 });
      const text = await readFile(file, 'utf8');
      expect(text.startsWith('\ufeff')).toBe(!words.includes('--no-bom'));
      const { code, out, err } = await csv('import', file, '--override', '--dry-run');
      expect({ code, out, err }).toEqual({
        code: 0,
        out: '',
        err: expect.stringMatching(/^(\d+) rows: 0 would change, 0 refused, \1 as they are\n$/),
      });
    }
  });

  it('writes cells that no spreadsheet runs or rewrites', async () => {
    const text = await exported('--no-bom', '--property', CODE, '--property', DAYS);
    const piped = await command(
      catalog.home,
      ['csv', 'export', '-', '--query', 'csv', '--entity', 'dataset', '--property', CODE, '--property', DAYS],
      { environment: environment() },
    );
    expect(piped).toMatchObject({ code: 0, out: `\ufeff${text}` });
    expect(text).toContain(`"'=HYPERLINK(""http://x"")\r\n""quoted"", and;more"`);
    expect(text).toContain(",'007,[-1.5|30]\r\n");
    expect(text).toContain('[TECHNICAL_OWNER|DATAOWNER]');
    expect(await exported('--delimiter', ';', '--property', DAYS)).toContain(';"[-1,5|30]"\r\n');
    expect(await exported('--columns', '--no-bom')).toContain(`${ROUTES}",'-sum,`);
    expect(await exported('--no-bom', '--no-properties')).not.toContain(CODE);
  });

  const table = (rows: string[][], headers: string[], delimiter = ','): string =>
    [headers, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\n');
  const versions = async (): Promise<unknown> =>
    (await catalog.get(`/openapi/v3/entity/dataset/${encodeURIComponent(ROUTES)}?systemMetadata=true`)).body;

  it('names every change and every refusal by its line, and writes nothing', async () => {
    const headers = ['resource', 'subresource', 'tags', 'owners', 'ownership_type', 'domain', CODE, DAYS];
    const rows = [
      [
        ROUTES,
        '',
        '[urn:li:tag:gold]',
        '[urn:li:corpuser:ines.okafor]',
        'DATAOWNER',
        'urn:li:domain:commerce',
        'A1',
        '[1|2]',
      ],
      [ROUTES, 'id', 'urn:li:tag:gold', '', '', '', '', ''],
      [ROUTES, '', '[urn:li:tag:nowhere|gold]', '', '', '', '', ''],
      [ROUTES, 'nothing', '', '', '', '', '', ''],
      ['urn:li:dataset:(urn:li:dataPlatform:x,y,PROD)', '', '', '', '', '', '', ''],
      ['nonsense', '', '', '', '', '', '', ''],
      [ROUTES, '', '', 'urn:li:corpuser:ines.okafor', 'MASTER', '', '', ''],
      [ROUTES, '', '', '', '', 'urn:li:tag:gold', '', '[many]'],
      [ROUTES, 'id', '', 'urn:li:corpuser:ines.okafor', '', '', '', ''],
    ];
    const before = await versions();
    const { code, out, err } = await imported(table(rows, headers), '--dry-run');
    expect(code).toBe(1);
    expect(out.split('\n').filter(Boolean)).toEqual([
      `line 2: ${ROUTES}: tags + urn:li:tag:gold`,
      `line 2: ${ROUTES}: owners + urn:li:corpuser:ines.okafor (DATAOWNER)`,
      `line 2: ${ROUTES}: domain + urn:li:domain:commerce`,
      `line 2: ${ROUTES}: ${CODE} + "A1"`,
      `line 2: ${ROUTES}: ${DAYS} + 1`,
      `line 2: ${ROUTES}: ${DAYS} + 2`,
      `line 3: ${ROUTES} id: tags + urn:li:tag:gold`,
    ]);
    for (const said of [
      'line 4 (tags): urn:li:tag:nowhere does not exist',
      'line 4 (tags): gold is no URN of a tag',
      'line 5 (subresource): ',
      'line 6 (resource): urn:li:dataset:(urn:li:dataPlatform:x,y,PROD) does not exist',
      'line 7 (resource): "nonsense" is no URN',
      'line 8 (ownership_type): "MASTER" is none of',
      'line 9 (domain): urn:li:tag:gold is no URN of a domain',
      `line 9 (${DAYS}): "many" should be a number`,
      'line 10 (owners): a column has none of this',
    ])
      expect(err).toContain(said);
    expect(err).toContain('9 rows: 2 would change, 7 refused, 0 as they are');
    expect(await imported(table(rows, headers))).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing is written'),
    });
    expect(await versions()).toEqual(before);
    expect(await imported(table(rows, headers), '--skip-refused')).toMatchObject({
      code: 1,
      err: expect.stringContaining('2 changed, 7 refused'),
    });
    expect(await catalog.read(ROUTES, 'domains')).toMatchObject({ domains: ['urn:li:domain:commerce'] });
    expect(await catalog.read(ROUTES, 'structuredProperties')).toMatchObject({
      properties: [
        { propertyUrn: CODE, values: [{ string: 'A1' }] },
        { propertyUrn: DAYS, values: [{ double: 1 }, { double: 2 }] },
      ],
    });
    expect(await catalog.read(ROUTES, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [{ fieldPath: 'id', globalTags: { tags: [{ tag: 'urn:li:tag:gold' }] } }],
    });
  });

  it('reads what spreadsheet programs write', async () => {
    const headers = ['resource', 'subresource', 'description', CODE, DAYS];
    const row = (text: string): string[] => [PARCELS, '', text, "'0012", '[1,5|30]'];
    const blank = ['', '', '', '', ''];
    const forms: Array<[string, string | Uint8Array]> = [
      [
        'semicolons, CR LF, BOM',
        `\ufeff${table([row('a'), blank], headers, ';')}\n;;;;;;;;`.replaceAll('\n', '\r\n'),
      ],
      ['a separator line', `sep=;\r\n${table([row('b')], headers, ';')}`],
      ['a separator line, and CR alone', `sep=;\n${table([row('b2')], headers, ';')}`.replaceAll('\n', '\r')],
      [
        'UTF-16 and tabs',
        Buffer.from(`\ufeff${table([row('c é')], headers, '\t').replace('1,5', '1.5')}`, 'utf16le'),
      ],
    ];
    for (const [name, text] of forms) {
      const { code, err } = await imported(text, '--override');
      expect({ name, code, err }).toMatchObject({
        code: 0,
        err: expect.stringContaining('1 rows: 1 changed'),
      });
    }
    expect(await catalog.read(PARCELS, 'editableDatasetProperties')).toMatchObject({ description: 'c é' });
    expect(await catalog.read(PARCELS, 'structuredProperties')).toMatchObject({
      properties: expect.arrayContaining([
        { propertyUrn: CODE, values: [{ string: '0012' }] },
        { propertyUrn: DAYS, values: [{ double: 30 }, { double: 1.5 }] },
      ]),
    });
    for (const [text, said] of [
      [Buffer.from('resource,tags\né', 'latin1'), 'line 2: this is not UTF-8'],
      ['resource,tagz\n', 'the column "tagz" is not known'],
      ['tags\n', 'there is no column "resource"'],
      [
        `resource,urn:li:structuredProperty:no\nurn:li:tag:gold,1`,
        'urn:li:structuredProperty:no does not exist',
      ],
      ['resource,tags\n"a"b,c\n', 'line 2: '],
      ['resource,description\nurn:li:tag:gold,b\nurn:li:tag:gold,a "b"\n', 'line 3: '],
      ['', 'is empty'],
    ] as const)
      expect(await imported(text)).toMatchObject({ code: 1, err: expect.stringContaining(said) });
  });

  it('only adds, unless it is told that cells say all', async () => {
    const less = table(
      [[PARCELS, '', '', '', '', '']],
      ['resource', 'subresource', 'tags', 'owners', CODE, DAYS],
    );
    expect(await imported(less)).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 rows leave out what the catalog has'),
    });
    const cell = table([[PARCELS, '[urn:li:tag:experimental|urn:li:tag:gold]']], ['resource', 'tags']);
    expect(await imported(cell)).toMatchObject({ code: 0 });
    // What is known of a tag that stays is not lost.
    expect(await catalog.read(PARCELS, 'globalTags')).toMatchObject({
      tags: [{ tag: 'urn:li:tag:gold', context: '{"kept":1}' }, { tag: 'urn:li:tag:experimental' }],
    });
    const { out } = await imported(less, '--override', '--dry-run');
    expect(out).toContain(`owners - urn:li:corpuser:ines.okafor (TECHNICAL_OWNER)`);
    expect(out).toContain(`${DAYS} - 1.5`);
    expect(await imported(less, '--override')).toMatchObject({ code: 0 });
    expect(await catalog.read(PARCELS, 'globalTags')).toMatchObject({ tags: [] });
    expect(await catalog.read(PARCELS, 'ownership')).toMatchObject({ owners: [] });
    expect(await catalog.read(PARCELS, 'structuredProperties')).toMatchObject({ properties: [] });
  });

  it('finds a column with types in its path by the path without them', async () => {
    const typed = 'urn:li:dataset:(urn:li:dataPlatform:postgres,typed.columns,PROD)';
    const fieldPath = '[version=2.0].[type=struct].[type=struct].buyer.[type=string].city';
    await write(typed, 'schemaMetadata', {
      ...{ schemaName: 's', platform: 'urn:li:dataPlatform:postgres', version: 0, hash: '' },
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: [
        { fieldPath, nativeDataType: 'text', type: { type: { 'com.linkedin.schema.StringType': {} } } },
      ],
    });
    const rows = table([[typed, 'buyer.city', 'a town']], ['resource', 'subresource', 'description']);
    expect(await imported(rows)).toMatchObject({ code: 0 });
    expect(await catalog.read(typed, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [{ fieldPath, description: 'a town' }],
    });
    // What a client wrote under the path without them is changed there, unless a column has that path.
    const told = { fieldPath: 'buyer.city', description: 'told' };
    await write(typed, 'editableSchemaMetadata', { editableSchemaFieldInfo: [told] });
    const anew = table([[typed, 'buyer.city', 'anew']], ['resource', 'subresource', 'description']);
    expect(await imported(anew, '--override')).toMatchObject({ code: 0 });
    expect(await catalog.read(typed, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [{ ...told, description: 'anew' }],
    });
    const schema = await catalog.read(typed, 'schemaMetadata');
    const fields = [...schema.fields, { ...schema.fields[0], fieldPath: 'buyer.city' }];
    await write(typed, 'schemaMetadata', { ...schema, fields });
    const both = [
      [typed, 'buyer.city', 'plain'],
      [typed, fieldPath, 'typed'],
    ];
    expect(
      await imported(table(both, ['resource', 'subresource', 'description']), '--override'),
    ).toMatchObject({ code: 0 });
    expect((await catalog.read(typed, 'editableSchemaMetadata')).editableSchemaFieldInfo).toMatchObject([
      { fieldPath: 'buyer.city', description: 'plain' },
      { fieldPath, description: 'typed' },
    ]);
  });

  it('does what its token may do', async () => {
    token = (await catalog.issueToken({ role: 'READER' })).token;
    const text = table([[PARCELS, 'urn:li:tag:gold']], ['resource', 'tags']);
    expect(await imported(text)).toMatchObject({
      code: 1,
      err: expect.stringContaining('line 2 (resource): '),
    });
    token = ADMIN_TOKEN;
  });
});
