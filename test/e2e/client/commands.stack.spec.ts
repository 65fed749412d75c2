import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { Shop } from './shop.js';

const dataset = Shop.dataset;
const TEAPOTS = dataset('teapots');
const REFUSED = /^catalog_http_request_seconds_count\{.*status="4\d\d"\} /;

describe("the field's command line, unmodified", () => {
  let shop: Shop;
  const datahub = (...args: string[]): Promise<string> => shop.client.datahub(...args);
  /** How many requests were refused for what they say. */
  const refusals = async (): Promise<number> => {
    const answer = await fetch(`${shop.service.url}/metrics`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const lines = (await answer.text()).split('\n').filter((line) => REFUSED.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

  it('check server-config', async () => {
    const printed = await datahub('check', 'server-config');
    expect(printed).toContain("'noCode': 'true'");
    expect(printed).toContain("'statefulIngestionCapable': True");
  });

  describe('put and get', () => {
    beforeAll(async () => {
      await shop.put(TEAPOTS, 'datasetProperties', { name: 'teapots', description: 'Jede Kanne 急須' });
      await shop.put(TEAPOTS, 'datasetProfile', { timestampMillis: 1_700_000_000_000, rowCount: 5 });
      await shop.put(TEAPOTS, 'datasetProfile', { timestampMillis: 1_700_086_400_000, rowCount: 7 });
    });

    it('put says that it succeeded', async () => {
      const printed = await shop.put(
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
      expect(await shop.exists(TEAPOTS)).toBe(true);
      expect(await shop.exists(dataset('no'))).toBe(false);
    });

    it('get of what is not there fails', async () => {
      expect((await shop.client.attempt(['get', '--urn', dataset('no')])).code).not.toBe(0);
      const ended = await shop.client.attempt(['get', '--urn', dataset('no'), '-a', 'status']);
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('not found');
    });

    it('put of a wrong value fails at once and says where', async () => {
      const before = await refusals();
      const path = await shop.file('wrong.json', { nme: 'teapots' });
      const ended = await shop.client.attempt([
        'put',
        '--urn',
        TEAPOTS,
        '-a',
        'datasetProperties',
        '-d',
        path,
      ]);
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('/nme');
      // It is not sent again.
      expect((await refusals()) - before).toBe(1);
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
      expect(await shop.client.aspect('urn:li:dataPlatform:teashop', 'dataPlatformInfo')).toEqual({
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
      const users = await shop.file(
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
      expect(await shop.client.aspect('urn:li:corpuser:bela', 'corpUserEditableInfo')).toMatchObject({
        aboutMe: 'Keeps the kettles',
        slack: 'bela',
        phone: '555',
      });
      expect(await shop.search('corpuser', 'lovelace')).toEqual(['urn:li:corpuser:ada']);
    });

    it('user upsert --override-editable', async () => {
      await datahub('user', 'upsert', '--override-editable', '-f', 'users.yml');
      expect(await shop.client.aspect('urn:li:corpuser:ada', 'corpUserEditableInfo')).toMatchObject({
        displayName: 'Ada Lovelace',
      });
    });

    it('group upsert, with members', async () => {
      const group = await shop.file(
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
      expect(await shop.client.aspect('urn:li:corpuser:chen', 'groupMembership')).toEqual({
        groups: ['urn:li:corpGroup:tasters'],
      });
      await datahub('group', 'upsert', '--override-editable', '-f', group);
      expect(await shop.client.aspect('urn:li:corpGroup:tasters', 'corpGroupEditableInfo')).toMatchObject({
        description: 'People who taste',
      });
    });
  });

  describe('structured properties and datasets in YAML', () => {
    const cups = dataset('cups');
    const column = (name: string): string => `urn:li:schemaField:(${cups},${name})`;

    beforeAll(async () => {
      const properties = await shop.file(
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
      await shop.put('urn:li:glossaryTerm:Crockery', 'glossaryTermInfo', {
        definition: 'To drink from',
        termSource: 'INTERNAL',
      });
      await shop.put('urn:li:glossaryTerm:Glaze', 'glossaryTermInfo', {
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

    it('properties list', async () => {
      const names = ['retention', 'steward', 'note'].map((id) => `urn:li:structuredProperty:shop.${id}`);
      const briefly = await datahub('properties', 'list', '--no-details');
      for (const urn of names) expect(briefly).toContain(urn);
      const details = await datahub('properties', 'list', '--details');
      for (const urn of names) expect(details).toContain(urn);
      expect(details).toContain('Days that rows are kept');
    });

    it('properties get --to-file, and back again', async () => {
      await datahub('properties', 'get', '--urn', 'shop.steward', '--to-file', 'steward.yml');
      const urn = 'urn:li:structuredProperty:shop.steward';
      const before = await datahub('get', '--urn', urn, '--details');
      const written = await readFile(join(shop.home, 'steward.yml'), 'utf8');
      expect(written).toContain('urn:li:entityType:datahub.corpuser');
      const list = written
        .split('\n')
        .map((line, i) => (i === 0 ? '- ' : '  ') + line)
        .join('\n');
      await datahub('properties', 'upsert', '-f', await shop.file('steward-list.yml', list));
      expect(JSON.parse(await datahub('get', '--urn', urn, '--details')).propertyDefinition.value).toEqual(
        JSON.parse(before).propertyDefinition.value,
      );
    });

    it('dataset upsert', async () => {
      const datasets = await shop.file(
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
      expect(await shop.client.aspect(column('glaze'), 'structuredProperties')).toMatchObject({
        properties: [
          { propertyUrn: 'urn:li:structuredProperty:shop.note', values: [{ string: 'three kinds' }] },
        ],
      });
      expect(await shop.search('dataset', 'glaze')).toEqual([cups]);
    });

    it('dataset upsert skips a dataset whose terms are missing', async () => {
      const datasets = await shop.file(
        'missing.yml',
        '- {id: shop.jugs, platform: postgres, name: jugs, glossary_terms: [Nowhere]}\n',
      );
      const ended = await shop.client.attempt(['dataset', 'upsert', '-f', datasets]);
      expect(ended.code).not.toBe(0);
      expect(ended.stdout + ended.stderr).toContain('urn:li:glossaryTerm:Nowhere');
      expect(await shop.exists(dataset('jugs'))).toBe(false);
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
      expect(await readFile(join(shop.home, 'cups.yml'), 'utf8')).toContain('description: Every cup');
    });

    it('dataset add-sibling', async () => {
      await datahub('dataset', 'add-sibling', '--urn', TEAPOTS, '--sibling-urns', cups);
      expect(await shop.client.aspect(TEAPOTS, 'siblings')).toEqual({ primary: true, siblings: [cups] });
      expect(await shop.client.aspect(cups, 'siblings')).toEqual({ primary: false, siblings: [TEAPOTS] });
    });
  });

  it('leaves nothing in the log of the service', () => {
    expect(shop.service.log).toBe('');
  });
});
