import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';

const property = (name: string): string => `urn:li:structuredProperty:${name}`;
const path = (version: string, urn: string, aspect = ''): string =>
  `/openapi/${version}/entity/${urn.split(':')[2]}/${encoded(urn)}${aspect === '' ? '' : `/${aspect}`}`;

/** A definition as users send it, and as it is read back: what the schema fills in comes along. */
const definition = (name: string) => ({
  qualifiedName: name,
  displayName: 'Retention Time',
  description: 'How long to keep it',
  valueType: 'urn:li:dataType:platform.number',
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:platform.dataset', 'urn:li:entityType:platform.dataFlow'],
  allowedValues: [
    { value: { double: 30 }, description: 'short' },
    { value: { double: 90 }, description: 'long' },
  ],
});

const patched = (catalog: TestCatalog, version: string, urn: string, patch: unknown[]): Promise<Answer> =>
  catalog.request('PATCH', path(version, urn, 'structuredProperties'), {
    body: { patch, arrayPrimaryKeys: { properties: ['propertyUrn'] } },
    headers: { 'content-type': 'application/json-patch+json' },
  });

describe.each(['v2', 'v3'])('the rows of the specification, section C, in %s', (version) => {
  const wrap = (value: unknown): unknown => (version === 'v3' ? { value } : value);
  const first = property(`io.${version}.retentionTime`);
  const second = property(`io.${version}.retention`);
  const orders = dataset(`${version}.orders`);
  const entry = (urn: string, ...numbers: number[]) => ({
    propertyUrn: urn,
    values: numbers.map((double) => ({ double })),
  });
  const shown = (answer: Answer, urn: string, aspect: string): unknown => {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const member = version === 'v3' ? answer.body : answer.body.aspects;
    expect(Object.keys(answer.body as object)).toEqual(['urn', version === 'v3' ? aspect : 'aspects']);
    expect(answer.body.urn).toBe(urn);
    expect(Object.keys(member[aspect] as object)).toEqual(['value']);
    return member[aspect].value;
  };

  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest([orders, 'datasetProperties', { name: 'orders' }]);
  });
  afterAll(() => catalog.stop());

  it('POST propertyDefinition', async () => {
    for (const urn of [first, second]) {
      const given = definition(urn.split(':')[3]!);
      const answer = await catalog.post(path(version, urn, 'propertyDefinition'), wrap(given));
      expect(shown(answer, urn, 'propertyDefinition')).toMatchObject(given);
    }
  });

  it('GET propertyDefinition', async () => {
    const answer = await catalog.get(path(version, first, 'propertyDefinition'));
    expect(answer.status).toBe(200);
    const { value } = version === 'v3' ? answer.body.propertyDefinition : answer.body;
    expect(value).toMatchObject(definition(`io.${version}.retentionTime`));
    const members = version === 'v3' ? ['urn', 'propertyDefinition'] : ['value'];
    expect(Object.keys(answer.body as object)).toEqual(members);
  });

  it('POST structuredProperties replaces all values', async () => {
    const url = path(version, orders, 'structuredProperties');
    await catalog.post(url, wrap({ properties: [entry(second, 30)] }));
    const value = { properties: [entry(first, 30, 90)] };
    expect(shown(await catalog.post(url, wrap(value)), orders, 'structuredProperties')).toMatchObject(value);
    expect((await catalog.read(orders, 'structuredProperties')).properties).toHaveLength(1);
  });

  it('PATCH structuredProperties adds and removes one of them', async () => {
    const added = await patched(catalog, version, orders, [
      { op: 'add', path: `/properties/${second}`, value: entry(second, 90) },
    ]);
    expect(shown(added, orders, 'structuredProperties')).toMatchObject({
      properties: expect.arrayContaining([
        expect.objectContaining(entry(first, 30, 90)),
        expect.objectContaining(entry(second, 90)),
      ]),
    });
    const removed = await patched(catalog, version, orders, [{ op: 'remove', path: `/properties/${first}` }]);
    const left = shown(removed, orders, 'structuredProperties') as { properties: unknown[] };
    expect(left.properties).toEqual([expect.objectContaining(entry(second, 90))]);
    const both = await patched(catalog, version, orders, [
      { op: 'remove', path: `/properties/${second}` },
      { op: 'add', path: `/properties/${first}`, value: entry(first, 30) },
    ]);
    expect(shown(both, orders, 'structuredProperties')).toMatchObject({ properties: [entry(first, 30)] });
  });

  it('POST status soft-deletes and restores', async () => {
    for (const removed of [true, false]) {
      const answer = await catalog.post(
        `${path(version, second, 'status')}?systemMetadata=false`,
        wrap({ removed }),
      );
      expect(shown(answer, second, 'status')).toEqual({ removed });
    }
  });

  it('DELETE of the entity is a hard deletion with an empty answer', async () => {
    const gone = await catalog.request('DELETE', path(version, second));
    expect([gone.status, gone.text]).toEqual([200, '']);
    expect((await catalog.get(path(version, second))).status).toBe(404);
    expect((await catalog.get(path(version, second, 'propertyDefinition'))).status).toBe(404);
    expectRefusal(await catalog.request('DELETE', path(version, second)), 404, 'ENTITY_NOT_FOUND');
  });

  it('GET list of structured properties', async () => {
    const answer = await catalog.get(
      `/openapi/${version}/entity/structuredproperty?systemMetadata=false&includeSoftDelete=false&skipCache=false` +
        '&aspects=propertyDefinition&aspects=structuredPropertyKey&count=10&sortCriteria=urn&sortOrder=ASCENDING&query=%2A',
    );
    expect(answer.status).toBe(200);
    const list = version === 'v3' ? answer.body.entities : answer.body.results;
    expect(list).toHaveLength(1);
    const aspects = version === 'v3' ? list[0] : list[0].aspects;
    expect(list[0].urn).toBe(first);
    expect(aspects).toMatchObject({
      propertyDefinition: { value: definition(`io.${version}.retentionTime`) },
      structuredPropertyKey: { value: { id: `io.${version}.retentionTime` } },
    });
    expect(answer.body.scrollId).toBe(version === 'v3' ? null : undefined);
  });

  it('GET list of datasets', async () => {
    const answer = await catalog.get(
      `/openapi/${version}/entity/dataset?systemMetadata=false&aspects=datasetKey&aspects=structuredProperties` +
        '&count=10&sort=urn&sortOrder=ASCENDING&query=%2A',
    );
    const [only] = version === 'v3' ? answer.body.entities : answer.body.results;
    expect(version === 'v3' ? only : only.aspects).toMatchObject({
      datasetKey: {
        value: { platform: 'urn:li:dataPlatform:kafka', name: `${version}.orders`, origin: 'PROD' },
      },
      structuredProperties: { value: { properties: [entry(first, 30)] } },
    });
  });

  it('createIfNotExists=false only updates', async () => {
    const absent = dataset(`${version}.absent`);
    const status = wrap({ removed: false });
    const url = (urn: string) => `${path(version, urn, 'status')}?createIfNotExists=false`;
    const missing = (urn: string) => (urn === absent ? 'ENTITY_NOT_FOUND' : 'ASPECT_NOT_FOUND');
    for (const urn of [absent, orders]) {
      expectRefusal(await catalog.post(url(urn), status), 404, missing(urn));
      expect(await catalog.read(urn, 'status')).toBeUndefined();
    }
    expect((await catalog.get(path(version, absent))).status).toBe(404);
    const patch = { patch: [{ op: 'add', path: '/removed', value: false }] };
    const patched = (urn: string) => catalog.request('PATCH', url(urn), { body: patch });
    for (const urn of [absent, orders]) expectRefusal(await patched(urn), 404, missing(urn));
    await catalog.post(path(version, orders, 'status'), status);
    expect((await patched(orders)).status).toBe(200);
    expect((await catalog.post(url(orders), wrap({ removed: true }))).status).toBe(200);
    expect(await catalog.read(orders, 'status')).toEqual({ removed: true });
  });

  it('names of entities and aspects match whatever their case, and are answered as they are', async () => {
    const answer = await catalog.get(
      `/openapi/${version}/entity/DATASET/${encoded(orders)}/DATASETPROPERTIES`,
    );
    expect(answer.status).toBe(200);
    if (version === 'v3') expect(Object.keys(answer.body as object)).toEqual(['urn', 'datasetProperties']);
    const written = await catalog.post(
      `/openapi/${version}/entity/Dataset/${encoded(orders)}/DatasetProperties`,
      wrap({ name: 'orders' }),
    );
    expect(shown(written, orders, 'datasetProperties')).toMatchObject({ name: 'orders' });
  });
});
