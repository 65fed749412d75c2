import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { until } from '../../harness/until.js';
import { TestCatalog } from '../../harness/catalog.js';
import { data } from './support.js';

const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const D = urn('shop.orders');
const ANN = 'urn:li:corpuser:ann';
const STAMP = { time: 1_700_000_000_000, actor: ANN };
const [PII, HOT] = ['urn:li:tag:pii', 'urn:li:tag:hot'];
const [MONEY, PERSON] = ['urn:li:glossaryTerm:Finance.Money', 'urn:li:glossaryTerm:Person'];
const field = (fieldPath: string, more: object = {}) => ({
  fieldPath,
  nativeDataType: 'varchar',
  type: { type: { 'com.linkedin.schema.StringType': {} } },
  nullable: true,
  recursive: false,
  isPartOfKey: false,
  ...more,
});
const schema = (...fields: object[]) => ({
  schemaName: 'orders',
  platform: 'urn:li:dataPlatform:hive',
  version: 0,
  hash: '',
  created: STAMP,
  lastModified: STAMP,
  platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '' } },
  fields,
});
const terms = (...urns: string[]) => ({ terms: urns.map((term) => ({ urn: term })), auditStamp: STAMP });
const tags = (...urns: string[]) => ({ tags: urns.map((tag) => ({ tag })) });

const WHOLE = `
  urn type exists name origin platform { urn name }
  properties { name qualifiedName origin description customProperties { key value } externalUrl lastModified { time } }
  editableProperties { description }
  ownership { owners { owner { ... on CorpUser { urn username properties { displayName } } ... on CorpGroup { urn name } } type } lastModified { time actor } }
  tags { tags { tag { urn name properties { description } } associatedUrn context } }
  globalTags { tags { tag { urn } } }
  glossaryTerms { terms { term { urn name glossaryTermInfo { name description termSource } properties { definition } } } }
  institutionalMemory { elements { url label description author { username } created { time } } }
  schemaMetadata(version: 0) { name version hash platformUrn fields { fieldPath type description nullable nativeDataType recursive isPartOfKey
    tags { tags { tag { name } } } glossaryTerms { terms { term { urn } } } schemaFieldEntity { urn fieldPath parent { urn } } } }
  editableSchemaMetadata { editableSchemaFieldInfo { fieldPath description tags { tags { tag { urn } } } } }
  status { removed } deprecation { deprecated note replacement { urn } }
  domain { domain { urn properties { name } } } container { urn properties { name } }
  browsePaths { path } browsePathV2 { path { name entity { urn } } } subTypes { typeNames }`;

describe('reading over GraphQL', () => {
  let catalog: TestCatalog;
  let models: string;

  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'catalog-models-'));
    await writeFile(
      join(models, 'robot-key.aspect.yaml'),
      'aspect: robotKey\nrecord: acme.RobotKey\nx-key: robot\ndescription: Key of a robot.\ntype: object\nrequired: [id]\nadditionalProperties: false\nproperties:\n  id: {type: string}\n',
    );
    await writeFile(
      join(models, 'robot-info.aspect.yaml'),
      'aspect: robotInfo\nrecord: acme.RobotInfo\ndescription: What is known of a robot.\ntype: object\nadditionalProperties: false\nproperties:\n  arms: {type: integer}\n',
    );
    await writeFile(
      join(models, 'robot.entity.yaml'),
      'entity: robot\ndescription: A machine.\ncategory: core\nkeyAspect: robotKey\naspects: [robotInfo, status]\nsearchGroup: primary\n',
    );
    catalog = await TestCatalog.start({ CATALOG_MODELS: models });
    await catalog.ingest(
      [ANN, 'corpUserInfo', { active: true, displayName: 'Ann' }],
      [PII, 'tagProperties', { name: 'Personal', description: 'About people' }],
      [MONEY, 'glossaryTermInfo', { name: 'Money', definition: 'What things cost', termSource: 'INTERNAL' }],
      ['urn:li:domain:sales', 'domainProperties', { name: 'Sales' }],
      ['urn:li:container:shop', 'containerProperties', { name: 'shop' }],
      [
        D,
        'datasetProperties',
        {
          name: 'orders',
          qualifiedName: 'db.shop.orders',
          description: 'From the platform',
          customProperties: { team: 'red' },
        },
      ],
      [D, 'editableDatasetProperties', { created: STAMP, lastModified: STAMP, description: 'From *people*' }],
      [D, 'ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }], lastModified: STAMP }],
      [D, 'globalTags', tags(PII)],
      [D, 'glossaryTerms', terms(MONEY)],
      [
        D,
        'institutionalMemory',
        { elements: [{ url: 'https://wiki/orders', description: 'Wiki', createStamp: STAMP }] },
      ],
      [
        D,
        'schemaMetadata',
        schema(
          field('id', {
            isPartOfKey: true,
            description: 'Ingested',
            globalTags: tags(PII),
            glossaryTerms: terms(MONEY),
          }),
          field('name', { description: 'Ingested' }),
        ),
      ],
      [
        D,
        'editableSchemaMetadata',
        {
          created: STAMP,
          lastModified: STAMP,
          editableSchemaFieldInfo: [
            {
              fieldPath: 'id',
              description: 'Written',
              globalTags: tags(HOT, PII),
              glossaryTerms: terms(PERSON),
            },
          ],
        },
      ],
      [D, 'status', { removed: true }],
      [D, 'deprecation', { deprecated: true, note: 'old', actor: ANN, replacement: urn('shop.orders2') }],
      [D, 'domains', { domains: ['urn:li:domain:sales'] }],
      [D, 'container', { container: 'urn:li:container:shop' }],
      [D, 'subTypes', { typeNames: ['Table'] }],
      ['urn:li:robot:r2', 'robotInfo', { arms: 2 }],
    );
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(models, { recursive: true, force: true });
  });

  it('answers all that is known about a dataset, soft-deleted as it is, each time the same', async () => {
    const query = `query($urn: String!) { dataset(urn: $urn) { ${WHOLE} } }`;
    const { dataset: found } = await data(catalog, query, { urn: D });
    expect(found).toMatchObject({
      urn: D,
      type: 'DATASET',
      exists: true,
      name: 'orders',
      origin: 'PROD',
      platform: { urn: 'urn:li:dataPlatform:hive', name: 'hive' },
      properties: {
        name: 'orders',
        qualifiedName: 'db.shop.orders',
        description: 'From *people*',
        customProperties: [{ key: 'team', value: 'red' }],
        externalUrl: null,
      },
      editableProperties: { description: 'From *people*' },
      ownership: {
        owners: [
          { owner: { urn: ANN, username: 'ann', properties: { displayName: 'Ann' } }, type: 'DATAOWNER' },
        ],
      },
      tags: {
        tags: [
          {
            tag: { urn: PII, name: 'Personal', properties: { description: 'About people' } },
            associatedUrn: D,
            context: null,
          },
        ],
      },
      globalTags: { tags: [{ tag: { urn: PII } }] },
      glossaryTerms: {
        terms: [
          {
            term: {
              urn: MONEY,
              name: 'Money',
              glossaryTermInfo: { name: 'Money', description: 'What things cost', termSource: 'INTERNAL' },
              properties: { definition: 'What things cost' },
            },
          },
        ],
      },
      institutionalMemory: {
        elements: [
          {
            url: 'https://wiki/orders',
            label: 'Wiki',
            description: 'Wiki',
            author: { username: 'ann' },
            created: { time: STAMP.time },
          },
        ],
      },
      status: { removed: true },
      deprecation: { deprecated: true, note: 'old', replacement: { urn: urn('shop.orders2') } },
      domain: { domain: { urn: 'urn:li:domain:sales', properties: { name: 'Sales' } } },
      container: { urn: 'urn:li:container:shop', properties: { name: 'shop' } },
      subTypes: { typeNames: ['Table'] },
    });
    // The second time the query is compiled, the third it is only run: both must answer what the first did.
    for (let i = 0; i < 3; i += 1) expect((await data(catalog, query, { urn: D })).dataset).toEqual(found);
  });

  it('shows columns with the texts, tags and terms of both origins, what people wrote first', async () => {
    const { dataset: found } = await data(catalog, `{ dataset(urn: "${D}") { ${WHOLE} } }`);
    const [id, name] = found.schemaMetadata.fields;
    expect(id).toEqual({
      fieldPath: 'id',
      type: 'STRING',
      description: 'Written',
      nullable: true,
      nativeDataType: 'varchar',
      recursive: false,
      isPartOfKey: true,
      tags: { tags: [{ tag: { name: 'hot' } }, { tag: { name: 'Personal' } }] },
      glossaryTerms: { terms: [{ term: { urn: PERSON } }, { term: { urn: MONEY } }] },
      schemaFieldEntity: { urn: `urn:li:schemaField:(${D},id)`, fieldPath: 'id', parent: { urn: D } },
    });
    expect(name).toMatchObject({
      fieldPath: 'name',
      description: 'Ingested',
      tags: null,
      glossaryTerms: null,
    });
    expect(found.editableSchemaMetadata.editableSchemaFieldInfo).toEqual([
      {
        fieldPath: 'id',
        description: 'Written',
        tags: { tags: [{ tag: { urn: HOT } }, { tag: { urn: PII } }] },
      },
    ]);
  });

  it('answers null for what does not exist, and asks about it without an error', async () => {
    const found = await data(
      catalog,
      `{ dataset(urn: "${urn('nope')}") { urn } entity(urn: "${urn('nope')}") { urn } entityExists(urn: "${urn('nope')}")
         there: entityExists(urn: "${D}") entities(urns: ["${D}", "${urn('nope')}"]) { urn }
         unchecked: entities(urns: ["${urn('nope')}"], checkForExistence: false) { urn exists } tag(urn: "${HOT}") { name } }`,
    );
    expect(found).toEqual({
      dataset: null,
      entity: null,
      entityExists: false,
      there: true,
      entities: [{ urn: D }, null],
      unchecked: [{ urn: urn('nope'), exists: false }],
      tag: null,
    });
  });

  it('shows the aspects of any entity as JSON, also those of models of your own', async () => {
    const found = await data(
      catalog,
      `{ entity(urn: "urn:li:robot:r2") { __typename urn type aspects { aspectName payload } ... on Robot { entityName } }
         dataset(urn: "${D}") { aspects(input: { aspectNames: ["status"] }) { aspectName payload } } }`,
    );
    expect(found.entity).toMatchObject({ __typename: 'Robot', type: 'OTHER', entityName: 'robot' });
    const aspects = Object.fromEntries(
      found.entity.aspects.map((a: any) => [a.aspectName, JSON.parse(a.payload)]),
    );
    expect(aspects).toMatchObject({ robotKey: { id: 'r2' }, robotInfo: { arms: 2 } });
    expect(found.dataset.aspects).toEqual([{ aspectName: 'status', payload: '{"removed":true}' }]);
  });

  it('reads an earlier version of a schema', async () => {
    const urnOfTwo = urn('shop.two');
    await catalog.ingest([urnOfTwo, 'schemaMetadata', schema(field('a'))]);
    await catalog.ingest([urnOfTwo, 'schemaMetadata', schema(field('b'))]);
    const found = await data(
      catalog,
      `{ dataset(urn: "${urnOfTwo}") { latest: schemaMetadata(version: 0) { fields { fieldPath } } first: schemaMetadata(version: 1) { fields { fieldPath } } none: schemaMetadata(version: 9) { hash } } }`,
    );
    expect(found.dataset).toEqual({
      latest: { fields: [{ fieldPath: 'b' }] },
      first: { fields: [{ fieldPath: 'a' }] },
      none: null,
    });
  });

  it('answers introspection in full to everybody with a token', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    const { getIntrospectionQuery, buildClientSchema } = await import('graphql');
    const query = getIntrospectionQuery({ inputValueDeprecation: true });
    const answer = await catalog.post('/api/graphql', { query }, { token });
    expect(answer.body.errors).toBeUndefined();
    expect(buildClientSchema(answer.body.data).getType('Dataset')).toBeDefined();
    // From then on the answer is kept.
    expect((await catalog.post('/api/graphql', { query })).body).toEqual(answer.body);
    expect((await catalog.post('/api/graphql', { query }, { token: 'none' })).status).toBe(401);
    const name = 'query inputTypeFields($name: String!) { __type(name: $name) { inputFields { name } } }';
    expect((await data(catalog, name, { name: 'SearchFlags' })).__type.inputFields).toContainEqual({
      name: 'skipCache',
    });
  });
});

describe('reading many', () => {
  let catalog: TestCatalog;
  const names = Array.from({ length: 100 }, (_, i) => urn(`many.t${String(i).padStart(3, '0')}`));

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    for (const [i, name] of names.entries()) {
      await catalog.ingest(
        [name, 'datasetProperties', { name: `t${i}`, description: `number ${i}` }],
        [name, 'globalTags', tags(`urn:li:tag:t${i % 30}`)],
        [name, 'glossaryTerms', terms(`urn:li:glossaryTerm:g${i % 30}`)],
        [
          name,
          'ownership',
          { owners: [{ owner: `urn:li:corpuser:u${i % 30}`, type: 'NONE' }], lastModified: STAMP },
        ],
        [name, 'schemaMetadata', schema(field('a', { globalTags: tags(`urn:li:tag:c${i % 30}`) }))],
        [name, 'structuredProperties', { properties: [] }],
        [`urn:li:tag:t${i % 30}`, 'tagProperties', { name: `tag ${i % 30}` }],
      );
    }
  });
  afterAll(() => catalog.stop());

  it('costs no more statements for a hundred datasets than for ten', async () => {
    const query = `query($count: Int!) {
      searchAcrossEntities(input: { types: [DATASET], query: "*", count: $count }) { searchResults { entity { ... on Dataset {
        ${WHOLE} structuredProperties { properties { associatedUrn } }
        relationships(input: { types: [], direction: OUTGOING }) { total relationships { entity { urn } } }
        lineage(input: { direction: UPSTREAM }) { total }
      } } } } }`;
    // What the service does for itself meanwhile does not count.
    const OWN = /\b(job|change_log|consumer\w*|index_holder|access_token|webhook|store_fact)\b/;
    // A busy machine may still be indexing, which reads the same tables.
    await until(async () => {
      const all = jest.spyOn(Object.getPrototypeOf(catalog.provider(Database)) as Database, 'all');
      await new Promise((resolve) => setTimeout(resolve, 100));
      const idle = all.mock.calls.every(([sql]) => OWN.test(sql));
      all.mockRestore();
      return idle;
    });
    const statements = async (count: number): Promise<number> => {
      const all = jest.spyOn(Object.getPrototypeOf(catalog.provider(Database)) as Database, 'all');
      try {
        const { searchAcrossEntities: found } = await data(catalog, query, { count });
        expect(found.searchResults).toHaveLength(count);
        expect(
          found.searchResults.every(({ entity }: any) => entity.tags.tags[0].tag.properties !== undefined),
        ).toBe(true);
        return all.mock.calls.filter(([sql]) => !OWN.test(sql)).length;
      } finally {
        all.mockRestore();
      }
    };
    await statements(10);
    const ten = await statements(10);
    expect(ten).toBeGreaterThan(1);
    expect(ten).toBeLessThan(20);
    // Where most of a page was not read recently, all of it is read at once.
    expect(await statements(100)).toBeLessThanOrEqual(ten);
  });
});
