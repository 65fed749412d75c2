import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';
import { FieldClient } from './field-client.js';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;
const TEAPOTS = dataset('teapots');

describe("the field's command line, unmodified", () => {
  let home: string;
  let service: ServiceProcess;
  let client: FieldClient;
  const datahub = (...args: string[]): Promise<string> => client.datahub(...args);

  /** Puts a file into the folder that commands run in and answers its name. */
  const file = async (name: string, content: unknown): Promise<string> => {
    await writeFile(join(home, name), typeof content === 'string' ? content : JSON.stringify(content));
    return name;
  };
  const put = async (urn: string, aspect: string, value: unknown, ...more: string[]): Promise<string> =>
    datahub('put', '--urn', urn, '-a', aspect, '-d', await file('aspect.json', value), ...more);
  const exists = async (urn: string): Promise<boolean> => JSON.parse(await datahub('exists', '--urn', urn));
  const search = async (entity: string, input: string): Promise<string[]> => {
    const answer = await service.post('/entities?action=search', { entity, input, start: 0, count: 50 });
    return answer.body.value.entities;
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-commands-'));
    service = await ServiceProcess.start(join(home, 'catalog'));
    client = new FieldClient(home, service);
  });

  afterAll(async () => {
    await service?.kill();
    await rm(home, { recursive: true, force: true });
  });

  it('check server-config', async () => {
    const printed = await datahub('check', 'server-config');
    expect(printed).toContain("'noCode': 'true'");
    expect(printed).toContain("'statefulIngestionCapable': True");
  });

  describe('put and get', () => {
    beforeAll(async () => {
      await put(TEAPOTS, 'datasetProperties', { name: 'teapots', description: 'Jede Kanne 急須' });
      await put(TEAPOTS, 'datasetProfile', { timestampMillis: 1_700_000_000_000, rowCount: 5 });
      await put(TEAPOTS, 'datasetProfile', { timestampMillis: 1_700_086_400_000, rowCount: 7 });
    });

    it('put says that it succeeded', async () => {
      const printed = await put(
        TEAPOTS,
        'globalTags',
        { tags: [{ tag: 'urn:li:tag:hot' }] },
        '--run-id',
        'by-hand',
      );
      expect(printed).toContain('Update succeeded with status 200');
      const details = JSON.parse(await datahub('get', '--urn', TEAPOTS, '--details'));
      expect(details.globalTags.systemMetadata.runId).toBe('by-hand');
    });

    it('get answers the whole entity', async () => {
      expect(JSON.parse(await datahub('get', '--urn', TEAPOTS))).toEqual({
        datasetKey: { platform: 'urn:li:dataPlatform:postgres', name: 'shop.teapots', origin: 'PROD' },
        datasetProperties: {
          name: 'teapots',
          description: 'Jede Kanne 急須',
          customProperties: {},
          tags: [],
        },
        globalTags: { tags: [{ tag: 'urn:li:tag:hot' }] },
        dataPlatformInstance: { platform: 'urn:li:dataPlatform:postgres' },
        browsePathsV2: { path: [{ id: 'shop' }] },
      });
    });

    it('get -a answers chosen aspects, of a time series the latest', async () => {
      const printed = await datahub(
        'get',
        '--urn',
        TEAPOTS,
        '-a',
        'globalTags',
        '-a',
        'datasetProfile',
        '-a',
        'domains',
      );
      expect(JSON.parse(printed)).toEqual({
        globalTags: { tags: [{ tag: 'urn:li:tag:hot' }] },
        datasetProfile: expect.objectContaining({ timestampMillis: 1_700_086_400_000, rowCount: 7 }),
      });
    });

    it('get --details tells who and when', async () => {
      const details = JSON.parse(await datahub('get', '--urn', TEAPOTS, '--details'));
      expect(details.datasetProperties).toMatchObject({
        value: { name: 'teapots' },
        created: { actor: 'urn:li:corpuser:admin', time: expect.any(Number) },
        systemMetadata: { version: '1' },
      });
    });

    it('exists', async () => {
      expect(await exists(TEAPOTS)).toBe(true);
      expect(await exists(dataset('no'))).toBe(false);
    });

    it('get of what is not there fails', async () => {
      expect((await client.attempt(['get', '--urn', dataset('no')])).code).not.toBe(0);
      const ended = await client.attempt(['get', '--urn', dataset('no'), '-a', 'status']);
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('not found');
    });

    it('put of a wrong value fails at once and says where', async () => {
      const started = Date.now();
      const path = await file('wrong.json', { nme: 'teapots' });
      const ended = await client.attempt(['put', '--urn', TEAPOTS, '-a', 'datasetProperties', '-d', path]);
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('/nme');
      expect(Date.now() - started).toBeLessThan(15_000);
    });

    it('put platform', async () => {
      const printed = await datahub(
        'put',
        'platform',
        '--name',
        'Teashop',
        '--display_name',
        'Tea shop',
        '--logo',
        'https://example.org/l.png',
        '--run-id',
        'platforms',
      );
      expect(printed).toContain('urn:li:dataPlatform:teashop');
      expect(await client.aspect('urn:li:dataPlatform:teashop', 'dataPlatformInfo')).toEqual({
        name: 'Teashop',
        displayName: 'Tea shop',
        type: 'OTHERS',
        datasetNameDelimiter: '.',
        logoUrl: 'https://example.org/l.png',
      });
    });
  });

  describe('users and groups', () => {
    it('user upsert', async () => {
      const users = await file(
        'users.yml',
        `- {id: ada, first_name: Ada, last_name: Lovelace, email: ada@example.org, title: Taster, groups: [tasters]}
- {id: bela, display_name: Béla, email: bela@example.org, description: Keeps the kettles, slack: bela, phone: "555"}
`,
      );
      expect(await datahub('user', 'upsert', '-f', users)).toBe(
        'Update succeeded for urn urn:li:corpuser:ada.\nUpdate succeeded for urn urn:li:corpuser:bela.\n',
      );
      expect(JSON.parse(await datahub('get', '--urn', 'urn:li:corpuser:ada'))).toMatchObject({
        corpUserKey: { username: 'ada' },
        corpUserInfo: { active: true, fullName: 'Ada Lovelace', email: 'ada@example.org', title: 'Taster' },
        corpUserStatus: { status: 'ACTIVE' },
        groupMembership: { groups: ['urn:li:corpGroup:tasters'] },
        status: { removed: false },
      });
      expect(await client.aspect('urn:li:corpuser:bela', 'corpUserEditableInfo')).toMatchObject({
        aboutMe: 'Keeps the kettles',
        slack: 'bela',
        phone: '555',
      });
      expect(await search('corpuser', 'lovelace')).toEqual(['urn:li:corpuser:ada']);
    });

    it('user upsert --override-editable', async () => {
      await datahub('user', 'upsert', '--override-editable', '-f', 'users.yml');
      expect(await client.aspect('urn:li:corpuser:ada', 'corpUserEditableInfo')).toMatchObject({
        displayName: 'Ada Lovelace',
      });
    });

    it('group upsert, with members', async () => {
      const group = await file(
        'group.yml',
        `id: tasters
display_name: Tasters
email: tasters@example.org
description: People who taste
owners: [bela]
members: [ada, {id: chen, display_name: Chen, email: chen@example.org}]
`,
      );
      expect(await datahub('group', 'upsert', '-f', group)).toContain(
        'Update succeeded for group urn:li:corpGroup:tasters.',
      );
      expect(JSON.parse(await datahub('get', '--urn', 'urn:li:corpGroup:tasters'))).toMatchObject({
        corpGroupInfo: { displayName: 'Tasters', members: ['urn:li:corpuser:ada', 'urn:li:corpuser:chen'] },
        ownership: { owners: [{ owner: 'urn:li:corpuser:bela', type: 'TECHNICAL_OWNER' }] },
        status: { removed: false },
      });
      expect(await client.aspect('urn:li:corpuser:chen', 'groupMembership')).toEqual({
        groups: ['urn:li:corpGroup:tasters'],
      });
      await datahub('group', 'upsert', '--override-editable', '-f', group);
      expect(await client.aspect('urn:li:corpGroup:tasters', 'corpGroupEditableInfo')).toMatchObject({
        description: 'People who taste',
      });
    });
  });

  describe('structured properties and datasets in YAML', () => {
    const cups = dataset('cups');
    const column = (name: string): string => `urn:li:schemaField:(${cups},${name})`;

    beforeAll(async () => {
      const properties = await file(
        'properties.yml',
        `- id: shop.retention
  type: number
  display_name: Retention
  description: Days that rows are kept
  cardinality: SINGLE
  entity_types: [dataset]
  allowed_values: [{value: 30, description: a month}, {value: 365}]
- id: shop.steward
  type: urn
  type_qualifier: {allowed_types: [corpuser]}
  cardinality: MULTIPLE
  entity_types: [dataset, schemaField]
- id: shop.note
  type: string
  entity_types: [dataset, schemaField]
  structured_property_settings: {show_in_search_filters: true}
`,
      );
      await datahub('properties', 'upsert', '-f', properties);
      await put('urn:li:glossaryTerm:Crockery', 'glossaryTermInfo', {
        definition: 'To drink from',
        termSource: 'INTERNAL',
      });
      await put('urn:li:glossaryTerm:Glaze', 'glossaryTermInfo', {
        definition: 'Shine',
        termSource: 'INTERNAL',
      });
    });

    it('properties get', async () => {
      expect(JSON.parse(await datahub('properties', 'get', '--urn', 'shop.retention'))).toEqual({
        urn: 'urn:li:structuredProperty:shop.retention',
        qualified_name: 'shop.retention',
        type: 'urn:li:dataType:datahub.number',
        display_name: 'Retention',
        description: 'Days that rows are kept',
        cardinality: 'SINGLE',
        entity_types: ['urn:li:entityType:datahub.dataset'],
        allowed_values: [{ value: 30, description: 'a month' }, { value: 365 }],
      });
      expect(await datahub('properties', 'get', '--urn', 'shop.no')).toContain('does not exist');
    });

    it('properties get --to-file, and back again', async () => {
      await datahub('properties', 'get', '--urn', 'shop.steward', '--to-file', 'steward.yml');
      const urn = 'urn:li:structuredProperty:shop.steward';
      const before = await datahub('get', '--urn', urn, '--details');
      const written = await readFile(join(home, 'steward.yml'), 'utf8');
      expect(written).toContain('urn:li:entityType:datahub.corpuser');
      const list = written
        .split('\n')
        .map((line, i) => (i === 0 ? '- ' : '  ') + line)
        .join('\n');
      await datahub('properties', 'upsert', '-f', await file('steward-list.yml', list));
      expect(JSON.parse(await datahub('get', '--urn', urn, '--details')).propertyDefinition.value).toEqual(
        JSON.parse(before).propertyDefinition.value,
      );
    });

    it('dataset upsert', async () => {
      const datasets = await file(
        'datasets.yml',
        `- id: shop.cups
  platform: postgres
  name: cups
  description: Every cup
  subtype: Table
  external_url: https://example.org/cups
  properties: {room: kitchen}
  tags: [fragile]
  glossary_terms: [Crockery]
  owners: [{id: ada, type: DATAOWNER}, bela]
  structured_properties: {shop.retention: 30, shop.note: handle with care}
  schema:
    fields:
      - {id: id, type: number, nativeDataType: bigint, description: Number of the cup, isPartOfKey: true}
      - id: glaze
        type: string
        nativeDataType: varchar
        nullable: true
        globalTags: [shiny]
        glossaryTerms: [Glaze]
        structured_properties: {shop.note: three kinds}
`,
      );
      expect(await datahub('dataset', 'upsert', '-f', datasets)).toContain(
        `Update succeeded for urn ${cups}.`,
      );
      expect(JSON.parse(await datahub('get', '--urn', cups))).toMatchObject({
        datasetProperties: {
          name: 'cups',
          description: 'Every cup',
          externalUrl: 'https://example.org/cups',
          customProperties: { room: 'kitchen' },
        },
        subTypes: { typeNames: ['Table'] },
        globalTags: { tags: [{ tag: 'urn:li:tag:fragile' }] },
        glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Crockery' }] },
        ownership: {
          owners: [
            { owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' },
            { owner: 'urn:li:corpuser:bela', type: 'TECHNICAL_OWNER' },
          ],
        },
        structuredProperties: {
          properties: [
            { propertyUrn: 'urn:li:structuredProperty:shop.retention', values: [{ double: 30 }] },
            { propertyUrn: 'urn:li:structuredProperty:shop.note', values: [{ string: 'handle with care' }] },
          ],
        },
        schemaMetadata: {
          fields: [
            { fieldPath: 'id', description: 'Number of the cup', isPartOfKey: true },
            { fieldPath: 'glaze', nullable: true, globalTags: { tags: [{ tag: 'urn:li:tag:shiny' }] } },
          ],
        },
      });
      expect(await client.aspect(column('glaze'), 'structuredProperties')).toMatchObject({
        properties: [
          { propertyUrn: 'urn:li:structuredProperty:shop.note', values: [{ string: 'three kinds' }] },
        ],
      });
      expect(await search('dataset', 'glaze')).toEqual([cups]);
    });

    it('dataset upsert skips a dataset whose terms are missing', async () => {
      const datasets = await file(
        'missing.yml',
        '- {id: shop.jugs, platform: postgres, name: jugs, glossary_terms: [Nowhere]}\n',
      );
      const ended = await client.attempt(['dataset', 'upsert', '-f', datasets]);
      expect(ended.code).not.toBe(0);
      expect(ended.stdout + ended.stderr).toContain('urn:li:glossaryTerm:Nowhere');
      expect(await exists(dataset('jugs'))).toBe(false);
    });

    it('dataset get --to-file, and back again', async () => {
      const printed = await datahub('dataset', 'get', '--urn', cups, '--to-file', 'cups.yml');
      expect(JSON.parse(printed.slice(0, printed.lastIndexOf('}') + 1))).toMatchObject({
        id: 'shop.cups',
        platform: 'postgres',
        description: 'Every cup',
        subtype: 'Table',
        tags: ['fragile'],
        glossary_terms: ['Crockery'],
        owners: [{ id: 'urn:li:corpuser:ada', type: 'DATAOWNER' }, 'urn:li:corpuser:bela'],
        structured_properties: { 'shop.retention': 30, 'shop.note': 'handle with care' },
        schema_metadata: {
          fields: [
            { id: 'id', type: 'number', nativeDataType: 'bigint' },
            { id: 'glaze', type: 'string', structured_properties: { 'shop.note': 'three kinds' } },
          ],
        },
      });
      await datahub('dataset', 'upsert', '-f', 'cups.yml');
      await datahub('dataset', 'sync', '--from-datahub', '-f', 'cups.yml');
      await datahub('dataset', 'sync', '--to-datahub', '-f', 'cups.yml');
      expect(await readFile(join(home, 'cups.yml'), 'utf8')).toContain('description: Every cup');
    });

    it('dataset add-sibling', async () => {
      await datahub('dataset', 'add-sibling', '--urn', TEAPOTS, '--sibling-urns', cups);
      expect(await client.aspect(TEAPOTS, 'siblings')).toEqual({ primary: true, siblings: [cups] });
      expect(await client.aspect(cups, 'siblings')).toEqual({ primary: false, siblings: [TEAPOTS] });
    });
  });

  describe('delete', () => {
    const made = async (name: string): Promise<string> => {
      await put(dataset(name), 'datasetProperties', { name, description: 'breakable' });
      return dataset(name);
    };

    it('softly, and undone', async () => {
      const urn = await made('plates');
      expect(await datahub('delete', '--urn', urn, '--soft')).toMatch(/^Soft deleted 1 entities/);
      expect(await client.aspect(urn, 'status')).toEqual({ removed: true });
      expect(await search('dataset', 'plates')).toEqual([]);
      await datahub('delete', 'undo-by-filter', '--urn', urn, '-f');
      expect(await client.aspect(urn, 'status')).toEqual({ removed: false });
      expect(await search('dataset', 'plates')).toEqual([urn]);
    });

    it('hard, with everything', async () => {
      const urn = await made('saucers');
      await put(urn, 'datasetProfile', { timestampMillis: 1_700_000_000_000, rowCount: 5 });
      expect(await datahub('delete', '--urn', urn, '--hard', '-f', '-n')).toContain(
        '[Dry-run] Would delete 1 entities',
      );
      expect(await exists(urn)).toBe(true);
      expect(await datahub('delete', '--urn', urn, '--hard', '-f')).toMatch(
        /^Hard deleted 1 entities \(impacts 4 versioned rows and 1 timeseries aspect rows\)/,
      );
      expect(await exists(urn)).toBe(false);
      expect(await search('dataset', 'saucers')).toEqual([]);
    });

    it('by a file of URNs', async () => {
      const urns = [await made('forks'), await made('spoons')];
      const list = await file('urns.txt', `${urns.join('\n')}\n`);
      expect(await datahub('delete', '--urn-file', list, '--soft', '--force')).toContain(
        'Soft deleted 2 entities',
      );
      expect(await client.aspect(urns[1] as string, 'status')).toEqual({ removed: true });
      expect(await datahub('delete', '--urn-file', list, '--hard', '--force', '--workers', '2')).toContain(
        'Hard deleted 2 entities',
      );
      expect(await Promise.all(urns.map(exists))).toEqual([false, false]);
    });

    it('a stretch of a time series', async () => {
      const urn = await made('kettles');
      await put(urn, 'datasetProfile', { timestampMillis: Date.UTC(2023, 5, 1), rowCount: 1 });
      await put(urn, 'datasetProfile', { timestampMillis: Date.UTC(2022, 5, 1), rowCount: 2 });
      const range = ['--start-time', '2023-01-01', '--end-time', '2024-01-01'];
      const printed = await datahub('delete', '--urn', urn, '-a', 'datasetProfile', '--hard', '-f', ...range);
      expect(printed).toContain('0 versioned rows and 1 timeseries aspect rows');
      expect(await client.aspect(urn, 'datasetProfile')).toMatchObject({ rowCount: 2 });
    });

    it('references, first counted', async () => {
      const tag = 'urn:li:tag:delicate';
      await put(tag, 'tagProperties', { name: 'delicate' });
      const urn = await made('vases');
      await put(urn, 'globalTags', { tags: [{ tag }, { tag: 'urn:li:tag:hot' }] });
      const dry = await datahub('delete', 'references', '--urn', tag, '-n');
      expect(dry).toContain(`Found 1 references to ${tag}`);
      expect(dry).toMatch(/TaggedWith +urn:li:dataset:\S+shop\.vases,PROD\) +globalTags/);
      expect((await client.aspect(urn, 'globalTags')).tags).toHaveLength(2);
      await datahub('delete', 'references', '--urn', tag, '-f');
      expect(await client.aspect(urn, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:hot' }] });
      expect(await datahub('delete', 'references', '--urn', tag, '-f')).toContain(
        `No references to ${tag} found`,
      );
      expect(await exists(tag)).toBe(true);
    });

    it('a term, with what refers to it', async () => {
      const term = 'urn:li:glossaryTerm:Porcelain';
      await put(term, 'glossaryTermInfo', { definition: 'Thin', termSource: 'INTERNAL' });
      const urn = await made('figures');
      await put(urn, 'glossaryTerms', {
        terms: [{ urn: term }],
        auditStamp: { time: 1, actor: 'urn:li:corpuser:ada' },
      });
      const printed = await datahub('delete', '--urn', term, '--hard', '-f');
      expect(printed).toContain('cleaned up 1 referenced entities');
      expect(await exists(term)).toBe(false);
      expect((await client.aspect(urn, 'glossaryTerms')).terms).toEqual([]);
    });
  });

  it('timeline', async () => {
    const urn = dataset('trays');
    const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
    await put(urn, 'datasetProperties', { name: 'trays', description: 'To carry' });
    await put(urn, 'datasetProperties', { name: 'trays', description: 'To carry cups' });
    await put(urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:hot' }] });
    await put(urn, 'globalTags', { tags: [] });
    await put(urn, 'glossaryTerms', { terms: [{ urn: 'urn:li:glossaryTerm:Crockery' }], auditStamp: stamp });
    await put(urn, 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' }],
      lastModified: stamp,
    });

    const all = await datahub(
      'timeline',
      '--urn',
      urn,
      '-c',
      'tag',
      '-c',
      'owner',
      '-c',
      'documentation',
      '-c',
      'glossary_term',
      '-c',
      'technical_schema',
    );
    const events = [...all.matchAll(/^\t(\w+) (\w+) /gm)].map(
      ([, operation, category]) => `${operation} ${category}`,
    );
    expect(events).toEqual([
      'ADD DOCUMENTATION',
      'MODIFY DOCUMENTATION',
      'ADD TAG',
      'REMOVE TAG',
      'ADD GLOSSARY_TERM',
      'ADD OWNERSHIP',
    ]);
    const verbose = await datahub(
      'timeline',
      '--urn',
      urn,
      '-c',
      'tag',
      '--verbose',
      '--start',
      '7daysago',
      '--raw',
    );
    const transactions = JSON.parse(verbose.slice(verbose.indexOf('\n') + 1));
    expect(transactions).toHaveLength(2);
    expect(transactions[0]).toMatchObject({
      timestamp: expect.any(Number),
      semVer: expect.stringMatching(/^\d+\.\d+\.\d+-computed$/),
      changeEvents: [{ category: 'TAG', operation: 'ADD', entityUrn: urn, modifier: 'urn:li:tag:hot' }],
    });
    const past = await datahub(
      'timeline',
      '--urn',
      urn,
      '-c',
      'tag',
      '--verbose',
      '--start',
      '14daysago',
      '--end',
      '7daysago',
    );
    expect(JSON.parse(past.slice(past.indexOf('\n') + 1))).toEqual([]);
  });

  it('check restore-indices', async () => {
    await datahub('check', 'restore-indices', '--urn', TEAPOTS);
    await datahub(
      'check',
      'restore-indices',
      '--urn',
      'urn:li:dataset:%',
      '--aspect',
      'datasetProperties',
      '--start',
      '0',
      '--batch-size',
      '10',
    );
    await datahub(
      'check',
      'restore-indices',
      '--file',
      await file('restore.txt', `${TEAPOTS}\nurn:li:tag:%\n`),
    );
    expect(await search('dataset', 'teapots')).toEqual([TEAPOTS]);
  });

  it('state inspect finds no state', async () => {
    const ended = await client.attempt(['state', 'inspect', '--pipeline-name', 'no', '--platform', 'mysql']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('No ingestion state found');
  });

  it('leaves nothing in the log of the service', () => {
    expect(service.log).toBe('');
  });
});

describe("the field's ingestion from a file", () => {
  interface Line {
    entityUrn: string;
    aspectName: string;
    aspect: { json: Record<string, unknown> };
  }
  const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
  const brews = 'urn:li:dataset:(urn:li:dataPlatform:kafka,brews,PROD)';
  const record = (name: string, value: unknown) => ({ [`com.linkedin.pegasus2avro.${name}`]: value });
  const snapshots = [
    record('metadata.snapshot.DatasetSnapshot', {
      urn: brews,
      aspects: [
        record('common.Status', { removed: false }),
        record('dataset.DatasetProperties', { name: 'brews', description: 'One event a pot' }),
        record('common.Ownership', {
          owners: [{ owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' }],
          lastModified: stamp,
        }),
        record('common.GlobalTags', { tags: [{ tag: 'urn:li:tag:hot' }] }),
        record('schema.SchemaMetadata', {
          schemaName: 'brews',
          platform: 'urn:li:dataPlatform:kafka',
          version: 0,
          hash: '',
          platformSchema: record('schema.KafkaSchema', { documentSchema: '{}' }),
          created: stamp,
          lastModified: stamp,
          fields: [
            {
              fieldPath: 'pot',
              nativeDataType: 'string',
              type: { type: record('schema.StringType', {}) },
              nullable: false,
              recursive: false,
            },
          ],
        }),
      ],
    }),
    record('metadata.snapshot.ChartSnapshot', {
      urn: 'urn:li:chart:(looker,brews)',
      aspects: [
        record('chart.ChartInfo', {
          title: 'Brews',
          description: 'By hour',
          inputs: [{ string: brews }],
          lastModified: { created: stamp, lastModified: stamp },
        }),
      ],
    }),
    record('metadata.snapshot.CorpUserSnapshot', {
      urn: 'urn:li:corpuser:ada',
      aspects: [
        record('identity.CorpUserInfo', { active: true, displayName: 'Ada', email: 'ada@example.org' }),
      ],
    }),
  ].map((proposedSnapshot) => ({ proposedSnapshot }));

  describe.each(['SYNC', 'ASYNC', 'ASYNC_BATCH'])('sink mode %s', (mode) => {
    let home: string;
    let service: ServiceProcess;
    let client: FieldClient;
    let lines: Line[];
    const printed: Record<string, string> = {};

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'catalog-file-'));
      service = await ServiceProcess.start(join(home, 'catalog'));
      client = new FieldClient(home, service);
      const jsonLines = await readFile(join(ROOT, 'examples', 'warehouse.jsonl'), 'utf8');
      lines = jsonLines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      for (const [run, records] of [
        ['warehouse', lines],
        ['snapshots', snapshots],
      ] as const) {
        await writeFile(join(home, `${run}.json`), JSON.stringify(records));
        const recipe = {
          run_id: run,
          source: { type: 'file', config: { path: `${run}.json` } },
          sink: {
            type: 'datahub-rest',
            config: { server: '${DATAHUB_GMS_URL}', token: '${DATAHUB_GMS_TOKEN}', mode },
          },
        };
        // JSON is YAML.
        await writeFile(join(home, `${run}.yml`), JSON.stringify(recipe));
        printed[run] = await client.datahub('ingest', '-c', `${run}.yml`);
      }
    });

    afterAll(async () => {
      await service?.kill();
      await rm(home, { recursive: true, force: true });
    });

    it.each(['warehouse', 'snapshots'])('has every record of %s accepted', (run) => {
      expect(printed[run]).toContain('Pipeline finished successfully');
      const sink = printed[run]?.slice(printed[run].indexOf('Sink (datahub-rest) report'));
      expect(sink).toMatch(/'failures': \[\]/);
      expect(sink).toMatch(/'warnings': \[\]/);
      expect(service.log).toBe('');
    });

    it('stores what the file says', async () => {
      const read = new Map<string, any>();
      const latest = new Map(lines.map((line) => [`${line.entityUrn} ${line.aspectName}`, line]));
      const differs: string[] = [];
      for (const [name, { entityUrn, aspectName, aspect }] of latest) {
        if (['datasetProfile', 'datasetUsageStatistics', 'operation'].includes(aspectName)) continue;
        if (!read.has(entityUrn)) {
          const answer = await fetch(`${service.url}/entitiesV2/${encodeURIComponent(entityUrn)}`, {
            headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'x-restli-protocol-version': '2.0.0' },
          });
          read.set(entityUrn, ((await answer.json()) as any).aspects);
        }
        try {
          expect(read.get(entityUrn)[aspectName]?.value).toMatchObject(aspect.json);
        } catch {
          differs.push(name);
        }
      }
      expect(differs).toEqual([]);
    });

    it('stores the events of time series', async () => {
      const of = (aspect: string) => lines.filter((line) => line.aspectName === aspect).length;
      for (const aspect of ['datasetProfile', 'datasetUsageStatistics', 'operation']) {
        const answer = await service.post('/aspects?action=getCount', { aspect });
        expect({ aspect, count: answer.body.value }).toEqual({ aspect, count: of(aspect) });
      }
    });

    it('stores snapshots', async () => {
      expect(JSON.parse(await client.datahub('get', '--urn', brews))).toMatchObject({
        status: { removed: false },
        datasetProperties: { name: 'brews' },
        ownership: { owners: [{ owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' }] },
        globalTags: { tags: [{ tag: 'urn:li:tag:hot' }] },
        schemaMetadata: {
          platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '{}' } },
          fields: [{ fieldPath: 'pot', type: { type: { 'com.linkedin.schema.StringType': {} } } }],
        },
      });
      expect(await client.aspect('urn:li:chart:(looker,brews)', 'chartInfo')).toMatchObject({
        title: 'Brews',
        inputs: [{ string: brews }],
      });
      expect(await client.aspect('urn:li:corpuser:ada', 'corpUserInfo')).toMatchObject({
        displayName: 'Ada',
      });
    });

    it('the run reports itself', async () => {
      const result = await client.aspect(
        'urn:li:dataHubExecutionRequest:warehouse',
        'dataHubExecutionRequestResult',
      );
      expect(result).toMatchObject({ status: 'SUCCESS' });
    });

    it('list-runs, show, rollback', async () => {
      const rows = (table: string): string[][] =>
        table
          .split('\n')
          .filter((line) => line.startsWith('| '))
          .map((line) =>
            line
              .split('|')
              .slice(1, -1)
              .map((cell) => cell.trim()),
          );
      const runs = new Map(
        rows(await client.datahub('ingest', 'list-runs')).map(([id, count]) => [id, count]),
      );
      expect(Number(runs.get('warehouse'))).toBeGreaterThanOrEqual(lines.length);
      expect(Number(runs.get('snapshots'))).toBeGreaterThan(7);

      const shown = rows(await client.datahub('ingest', 'show', '--run-id', 'snapshots'));
      expect(shown).toContainEqual([brews, 'schemaMetadata', expect.stringMatching(/^\d{4}-/)]);
      expect(await client.datahub('ingest', 'show', '--run-id', 'snapshots', '-a')).toContain(
        'One event a pot',
      );
      expect(
        rows(await client.datahub('ingest', 'show', '--run-id', 'warehouse', '--count', '5')).length,
      ).toBe(6);

      const dry = await client.datahub('ingest', 'rollback', '--run-id', 'snapshots', '-n');
      expect(dry).toMatch(/This rollback will delete \d entities and will roll back \d+ aspects/);
      expect(rows(dry)).toContainEqual([brews, 'datasetProperties', expect.any(String)]);
      expect(await client.aspect(brews, 'status')).toEqual({ removed: false });

      // Later, by hand: what a safe rollback must not destroy.
      await writeFile(join(home, 'domains.json'), '{"domains": ["urn:li:domain:kitchen"]}');
      await client.datahub(
        'put',
        '--urn',
        brews,
        '-a',
        'domains',
        '-d',
        'domains.json',
        '--run-id',
        'by-hand',
      );
      const real = await client.datahub('ingest', 'rollback', '--run-id', 'snapshots', '-f');
      expect(real).toMatch(/This rollback +deleted \d entities and rolled back \d+ aspects/);
      expect(real).toContain('WARNING: This rollback has hidden');
      const exists = async (urn: string) => JSON.parse(await client.datahub('exists', '--urn', urn));
      expect(await exists('urn:li:chart:(looker,brews)')).toBe(false);
      expect(JSON.parse(await client.datahub('get', '--urn', brews))).toMatchObject({
        status: { removed: true },
        domains: { domains: ['urn:li:domain:kitchen'] },
      });
      expect(await client.aspect(brews, 'schemaMetadata')).toBeUndefined();

      // The rest too: --nuke takes what others wrote to the entities of the run.
      await client.datahub('ingest', 'rollback', '--run-id', 'warehouse', '-f', '--nuke');
      const left = await service.post('/aspects?action=getCount', { aspect: 'schemaMetadata' });
      expect(left.body.value).toBe(0);
      expect(
        new Map(rows(await client.datahub('ingest', 'list-runs')).map((row) => [row[0], row])).has(
          'snapshots',
        ),
      ).toBe(false);
    });
  });
});
