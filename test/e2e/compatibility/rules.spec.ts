import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RULES, type Followed } from '../../../src/catalog/compatibility/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded } from '../aspect-api/support.js';
import { path } from '../openapi/support.js';

type Rule = keyof typeof RULES;

/** What the service does, in the words of the test, and what is expected of it in both ways. */
interface Case {
  does: (catalog: TestCatalog) => Promise<unknown>;
  specification: unknown;
  reference: unknown;
}

const NOBODY = dataset('compatibility.nobody');
const HERE = dataset('compatibility.here');
const PROPERTY = 'urn:li:structuredProperty:compatibility.level';
const COMPATIBLE_USER = { __typename: 'CorpUser', username: 'compatibility' };

/** Statuses of several calls. */
const statuses = async (calls: Array<ReturnType<TestCatalog['get']>>): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);

const found = async (catalog: TestCatalog, action: string, body: object): Promise<unknown> =>
  (await catalog.post(`/entities?action=${action}`, body)).body.value.entities;

/** The word between the type and the name of a URN of a data type that was shipped. */
async function typesOf(catalog: TestCatalog): Promise<string[]> {
  const { body } = await catalog.post('/entities?action=search', {
    entity: 'dataType',
    input: '*',
    start: 0,
    count: 10,
  });
  const urns: string[] = body.value.metadata.urns;
  return [...new Set(urns.map((urn) => urn.replace(/^urn:li:dataType:(\w+)\..*/, '$1')))];
}

const wanted = { input: 'compatibility.here', count: 5 };
const searches = { ...wanted, entity: 'dataset', start: 0 };

const CASES: Record<Rule, Case> = {
  searchHitsAsObjects: {
    does: async (catalog) => [
      await found(catalog, 'search', searches),
      await found(catalog, 'filter', {
        entity: 'dataset',
        start: 0,
        count: 5,
        filter: { or: [{ and: [{ field: 'urn', condition: 'EQUAL', values: [HERE] }] }] },
      }),
      await found(catalog, 'searchAcrossEntities', { ...wanted, entities: ['dataset'], start: 0 }),
      await found(catalog, 'scrollAcrossEntities', { ...wanted, entities: ['dataset'], keepAlive: '1m' }),
    ],
    specification: Array(4).fill([HERE]),
    reference: Array(4).fill([{ entity: HERE, matchedFields: expect.any(Array) }]),
  },
  browseCountsGroups: {
    does: async (catalog) => {
      const at = async (of: string): Promise<unknown> => {
        const body = { path: of, entity: 'dataset', start: 0, limit: 10 };
        return (await catalog.post('/entities?action=browse', body)).body.value.metadata.totalNumEntities;
      };
      return [await at('/compatibility'), await at('/compatibility/shelf')];
    },
    specification: [1, 1],
    reference: [1, 0],
  },
  bareAspect: {
    does: async (catalog) => [
      (await catalog.get(path(HERE, 'status'))).body,
      (await catalog.get(`${path(HERE, 'status')}?version=1`)).body,
      (await catalog.get(path(HERE, 'operation'))).body,
      (await catalog.get(path(HERE, 'status', 'v2'))).body,
    ],
    specification: [
      { urn: HERE, status: { value: { removed: false } } },
      { urn: HERE, status: { value: { removed: false } } },
      { urn: HERE, operation: { value: expect.objectContaining({ timestampMillis: 1 }) } },
      { value: { removed: false } },
    ],
    reference: [
      { value: { removed: false } },
      { value: { removed: false } },
      { value: expect.objectContaining({ timestampMillis: 1 }) },
      { value: { removed: false } },
    ],
  },
  deletesOfAbsent: {
    does: (catalog) =>
      statuses(
        ['', 'status', 'datasetKey', 'operation']
          .flatMap((aspect) =>
            ['v2', 'v3'].map((version) => catalog.request('DELETE', path(NOBODY, aspect, version))),
          )
          .concat(
            ['clear=true', 'aspects=status'].map((query) =>
              catalog.request('DELETE', `${path(NOBODY)}?${query}`),
            ),
          ),
      ),
    specification: Array(10).fill(404),
    reference: Array(10).fill(200),
  },
  unknownNamesPassedOver: {
    does: async (catalog) => {
      const answers = await Promise.all([
        catalog.get(`/entitiesV2/${encoded(HERE)}?aspects=List(status,phaseOfTheMoon)`),
        catalog.get(`/entitiesV2/${encoded(HERE)}?aspects=List(phaseOfTheMoon)`),
        catalog.get(`${path(HERE, '', 'v2')}?aspects=status&aspects=phaseOfTheMoon`),
      ]);
      return answers.map(({ status, body }) => (status === 200 ? Object.keys(body.aspects).sort() : status));
    },
    specification: [400, 400, 400],
    reference: [['datasetKey', 'status'], ['datasetKey'], ['status']],
  },
  absentHaveKeys: {
    does: async (catalog) => {
      const [one, several, v2, v3, exists] = await Promise.all([
        catalog.get(`/entitiesV2/${encoded(NOBODY)}`),
        catalog.get(`/entitiesV2?ids=List(${encoded(NOBODY)})`),
        catalog.get(path(NOBODY, '', 'v2')),
        catalog.get(path(NOBODY)),
        catalog.request('HEAD', path(NOBODY)),
      ]);
      return [
        [one.status, one.body.aspects?.datasetKey?.value],
        [Object.keys(several.body.results), Object.keys(several.body.errors)],
        [v2.status, v2.body.aspects],
        [v3.status, exists.status],
      ];
    },
    specification: [
      [404, undefined],
      [[], [NOBODY]],
      [404, undefined],
      [404, 404],
    ],
    reference: [
      [200, { platform: 'urn:li:dataPlatform:kafka', name: 'compatibility.nobody', origin: 'PROD' }],
      [[NOBODY], []],
      [200, { datasetKey: { value: expect.objectContaining({ name: 'compatibility.nobody' }) } }],
      [404, 404],
    ],
  },
  valuesMakeEntities: {
    does: async (catalog) => {
      const urn = dataset('compatibility.by-values');
      const value = { properties: [{ propertyUrn: PROPERTY, values: [{ string: 'high' }] }] };
      const written = await catalog.post(path(urn, 'structuredProperties'), { value });
      return [written.status, (await catalog.request('HEAD', path(urn))).status];
    },
    specification: [404, 404],
    reference: [200, 204],
  },
  parallelListsFilled: {
    does: async (catalog) => {
      const domain = 'urn:li:domain:compatibility';
      await catalog.propose(HERE, 'domains', { domains: [domain] });
      return catalog.read(HERE, 'domains');
    },
    specification: { domains: ['urn:li:domain:compatibility'] },
    reference: {
      domains: ['urn:li:domain:compatibility'],
      domainAssociations: [{ domain: 'urn:li:domain:compatibility' }],
    },
  },
  createIfNotExistsWrites: {
    does: async (catalog) => {
      const write = async (kind: string, version: string, body: object, method = 'POST'): Promise<number> => {
        const urn = dataset(`compatibility.not-there.${kind}.${version}.${method}`);
        const at = `${path(urn, kind, version)}?createIfNotExists=false`;
        return (await catalog.request(method, at, { body })).status;
      };
      const patch = { patch: [{ op: 'add', path: '/removed', value: false }] };
      return [
        await write('status', 'v2', { removed: false }),
        await write('status', 'v3', { value: { removed: false } }),
        await write('datasetProfile', 'v3', { value: { timestampMillis: 5, rowCount: 1 } }),
        await write('status', 'v3', patch, 'PATCH'),
      ];
    },
    specification: [404, 404, 404, 404],
    reference: [200, 200, 200, 200],
  },
  statusMakesEntities: {
    does: async (catalog) => {
      const urn = 'urn:li:dataFlow:(airflow,compatibility,PROD)';
      const property = 'urn:li:structuredProperty:compatibility.byStatus';
      return statuses([
        catalog.propose(urn, 'status', { removed: true }),
        catalog.propose(property, 'status', { removed: false }),
        catalog.propose(`${property}.settings`, 'structuredPropertySettings', { isHidden: true }),
      ]);
    },
    specification: [404, 404, 404],
    reference: [200, 200, 200],
  },
  graphqlTypes: {
    does: async (catalog) => {
      const user = 'urn:li:corpuser:compatibility';
      const property = 'urn:li:structuredProperty:compatibility.shown';
      const model = 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,compatibility,PROD)';
      const [view, several] = ['one', 'several'].map((name) => `urn:li:dataHubView:compatibility-${name}`);
      const filter = (...or: string[][]) => ({
        or: or.map((fields) => ({
          and: fields.map((field) => ({ field, condition: 'EQUAL', values: ['a'] })),
        })),
      });
      const at = { time: 1, actor: user };
      const shows = (or: object) => ({
        ...{ name: 'view', type: 'GLOBAL', created: at, lastModified: at },
        definition: { entityTypes: ['dataset', 'dataJob'], filter: or },
      });
      await Promise.all([
        catalog.propose(user, 'corpUserStatus', { status: 'SUSPENDED', lastModified: at }),
        catalog.propose('urn:li:dataPlatform:compatibility', 'dataPlatformInfo', {
          ...{ name: 'compatibility', type: 'OTHERS', datasetNameDelimiter: '.' },
        }),
        catalog.propose(HERE, 'institutionalMemory', {
          elements: [{ url: 'https://example.org', description: 'a page', createStamp: at }],
        }),
        catalog.propose(model, 'mlModelProperties', {
          ...{ version: { versionTag: '1.2' }, mlFeatures: ['urn:li:mlFeature:(shop,price)'] },
        }),
        catalog.propose(HERE, 'siblings', { siblings: [NOBODY], primary: true }),
        catalog.propose(property, 'propertyDefinition', {
          qualifiedName: 'compatibility.shown',
          valueType: 'urn:li:dataType:datahub.string',
          entityTypes: ['urn:li:entityType:datahub.dataset'],
          allowedPlatforms: ['urn:li:dataPlatform:compatibility'],
        }),
        catalog.propose(view!, 'dataHubViewInfo', shows(filter(['tags', 'domains']))),
        catalog.propose(several!, 'dataHubViewInfo', shows(filter(['tags'], ['domains']))),
      ]);
      const filters = 'filter { operator filters { field values } }';
      const fields: Record<string, string> = {
        status: `corpUser(urn: "${user}") { status }`,
        view: `entity(urn: "${view}") { ... on DataHubView { definition { entityTypes ${filters} } } }`,
        several: `entity(urn: "${several}") { ... on DataHubView { definition { ${filters} } } }`,
        actor: `dataset(urn: "${HERE}") { institutionalMemory { elements { actor { __typename
          ... on CorpUser { username } ... on CorpGroup { name } } } } }`,
        platform: `structuredProperty(urn: "${property}") { definition { valueType { info { type } }
          allowedPlatforms { name properties { type } } } }`,
        model: `mlModel(urn: "${model}") { properties { version mlFeatures } }`,
        siblings: `dataset(urn: "${HERE}") { siblings { siblings { ... on Dataset { name } ... on Chart { chartId } } } }`,
      };
      const answers = await Promise.all(
        Object.entries(fields).map(async ([name, field]) => {
          const { body } = await catalog.post('/api/graphql', { query: `{ it: ${field} }` });
          return [name, body.errors ? 'refused' : body.data.it];
        }),
      );
      return Object.fromEntries(answers);
    },
    specification: {
      ...{ status: 'refused', view: 'refused', several: 'refused', platform: 'refused', siblings: 'refused' },
      model: 'refused',
      actor: { institutionalMemory: { elements: [{ actor: COMPATIBLE_USER }] } },
    },
    reference: {
      status: { status: 'SUSPENDED' },
      view: {
        definition: {
          entityTypes: ['DATASET', 'DATA_JOB'],
          filter: {
            operator: 'AND',
            filters: [
              { field: 'tags', values: ['a'] },
              { field: 'domains', values: ['a'] },
            ],
          },
        },
      },
      several: {
        definition: {
          filter: {
            operator: 'OR',
            filters: [
              { field: 'tags', values: ['a'] },
              { field: 'domains', values: ['a'] },
            ],
          },
        },
      },
      actor: { institutionalMemory: { elements: [{ actor: COMPATIBLE_USER }] } },
      platform: {
        definition: {
          valueType: { info: { type: 'STRING' } },
          allowedPlatforms: [{ name: 'compatibility', properties: { type: 'OTHERS' } }],
        },
      },
      model: { properties: { version: '1.2', mlFeatures: ['urn:li:mlFeature:(shop,price)'] } },
      siblings: { siblings: { siblings: [{ name: 'compatibility.nobody' }] } },
    },
  },
  removedAreAbsent: {
    does: async (catalog) => {
      const urn = dataset('compatibility.removed');
      await catalog.propose(urn, 'status', { removed: false });
      await catalog.propose(urn, 'status', { removed: true });
      const at = ['v2', 'v3'].map((version) => path(urn, '', version));
      return statuses([
        ...at.map((url) => catalog.request('HEAD', url)),
        ...at.map((url) => catalog.request('HEAD', `${url}?includeSoftDelete=true`)),
        ...at.map((url) => catalog.get(url)),
      ]);
    },
    specification: [204, 204, 204, 204, 200, 200],
    reference: [404, 404, 204, 204, 200, 200],
  },
  unknownFields: {
    does: async (catalog) => {
      const urn = dataset('compatibility.unknown-field');
      const { status } = await catalog.propose(urn, 'status', { removed: false, mood: 'good' });
      return [status, await catalog.read(urn, 'status')];
    },
    specification: [422, undefined],
    reference: [200, { removed: false, mood: 'good' }],
  },
  vendor: {
    does: typesOf,
    specification: ['platform'],
    reference: ['datahub'],
  },
  administrator: {
    does: async (catalog) => {
      const { body } = await catalog.get(`${path(HERE, 'status')}?systemMetadata=true`);
      return (body.auditStamp ?? body.status.auditStamp).actor;
    },
    specification: 'urn:li:corpuser:admin',
    reference: 'urn:li:corpuser:datahub',
  },
  administratorStored: {
    does: async (catalog) => {
      const body = { entity: 'corpuser', input: '*', start: 0, count: 5 };
      const urns: string[] = (await catalog.post('/entities?action=search', body)).body.value.metadata.urns;
      const others = urns.filter((urn) => urn !== 'urn:li:corpuser:compatibility');
      return [others, await catalog.read('urn:li:corpuser:datahub', 'corpUserInfo')];
    },
    specification: [[], undefined],
    reference: [
      ['urn:li:corpuser:datahub'],
      { active: true, system: true, displayName: 'datahub', customProperties: {} },
    ],
  },
};

describe.each<Followed>(['specification', 'reference'])('CATALOG_COMPATIBILITY=%s', (followed) => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_COMPATIBILITY: followed });
    const prepared = await Promise.all([
      catalog.propose(HERE, 'status', { removed: false }),
      catalog.propose(HERE, 'browsePaths', { paths: ['/compatibility/shelf'] }),
      catalog.propose(HERE, 'operation', {
        timestampMillis: 1,
        operationType: 'INSERT',
        lastUpdatedTimestamp: 1,
      }),
      catalog.propose(PROPERTY, 'propertyDefinition', {
        qualifiedName: 'compatibility.level',
        valueType: 'urn:li:dataType:datahub.string',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
      }),
    ]);
    expect(prepared.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
  afterAll(() => catalog.stop());

  it.each(Object.keys(CASES) as Rule[])('%s', async (rule) => {
    const { does, [followed]: expected } = CASES[rule];
    expect(await does(catalog)).toEqual(expected);
  });
});

it('has a case for each rule that differs, and only those', () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(RULES));
  for (const { specification, reference } of Object.values(RULES))
    expect(specification.value).not.toEqual(reference.value);
});

it('obeys a variable that is set', async () => {
  const catalog = await TestCatalog.start({
    CATALOG_COMPATIBILITY: 'reference',
    CATALOG_VENDOR: 'platform',
    CATALOG_UNKNOWN_FIELDS: 'refuse',
  });
  try {
    expect(await typesOf(catalog)).toEqual(['platform']);
    expect((await catalog.propose(HERE, 'status', { removed: false, mood: 'good' })).status).toBe(422);
  } finally {
    await catalog.stop();
  }
});
