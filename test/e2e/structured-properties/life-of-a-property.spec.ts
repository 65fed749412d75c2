import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import { graphql } from '../graphql/support.js';
import { path } from '../openapi/support.js';
import {
  add,
  asRecord,
  dataType,
  definition,
  entityType,
  found,
  hardDelete,
  holds,
  patch,
  patchOf,
  property,
  searchAnswer,
  setting,
  softDelete,
} from './support.js';

/** What one surface can do with a property. */
interface Door {
  define(name: string, type: string, version?: string): Promise<void>;
  set(asset: string, ...entries: Array<ReturnType<typeof holds>>): Promise<boolean>;
  addTo(asset: string, urn: string, value: string | number): Promise<boolean>;
  softDelete(urn: string, removed: boolean): Promise<void>;
  hardDelete(urn: string): Promise<void>;
  shown(asset: string): Promise<Record<string, unknown>>;
}

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const good = (answer: Answer): void => expect([answer.status, answer.text]).toEqual([200, answer.text]);

const aspectApi: Door = {
  define: async (name, type, version) =>
    good(
      await catalog.propose(
        property(name),
        'propertyDefinition',
        definition(name, type, version === undefined ? {} : { version }),
      ),
    ),
  set: async (asset, ...entries) =>
    (await catalog.propose(asset, 'structuredProperties', setting(...entries))).status === 200,
  addTo: async (asset, urn, value) => (await patch(catalog, asset, add(urn, value))).status === 200,
  softDelete: (urn, removed) => softDelete(catalog, urn, removed),
  hardDelete: (urn) => hardDelete(catalog, urn),
  shown: async (asset) => asRecord(await catalog.read(asset, 'structuredProperties')),
};

const openapi: Door = {
  define: async (name, type, version) =>
    good(
      await catalog.post(path(property(name), 'propertyDefinition'), {
        value: definition(name, type, version === undefined ? {} : { version }),
      }),
    ),
  set: async (asset, ...entries) =>
    (await catalog.post(path(asset, 'structuredProperties'), { value: setting(...entries) })).status === 200,
  addTo: async (asset, urn, value) =>
    (
      await catalog.request('PATCH', path(asset, 'structuredProperties'), {
        body: patchOf([add(urn, value)]),
        headers: { 'content-type': 'application/json-patch+json' },
      })
    ).status === 200,
  softDelete: async (urn, removed) => good(await catalog.post(path(urn, 'status'), { value: { removed } })),
  hardDelete: async (urn) => {
    const answer = await catalog.request('DELETE', path(urn));
    expect([answer.status, answer.text]).toEqual([200, '']);
  },
  shown: async (asset) =>
    asRecord((await catalog.get(path(asset, 'structuredProperties'))).body.structuredProperties.value),
};

const UPSERT = `mutation ($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) {
  properties { structuredProperty { urn } } } }`;
const VALUES = `query ($urn: String!) { dataset(urn: $urn) { structuredProperties { properties {
  structuredProperty { urn } values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } } } } }`;
const graph: Door = {
  // The graph creates; it has no versions, no status and no patch.
  define: async (name, type, version) => {
    if (version !== undefined) return aspectApi.define(name, type, version);
    const input = { qualifiedName: name, valueType: dataType(type), entityTypes: [entityType('dataset')] };
    const create = `mutation ($input: CreateStructuredPropertyInput!) { createStructuredProperty(input: $input) { urn } }`;
    const { body } = await graphql(catalog, create, { input });
    expect(body).toEqual({ data: { createStructuredProperty: { urn: property(name) } }, extensions: {} });
  },
  set: async (assetUrn, ...entries) => {
    const structuredPropertyInputParams = entries.map(({ propertyUrn, values }) => ({
      structuredPropertyUrn: propertyUrn,
      values: values.map((v: any) => ('string' in v ? { stringValue: v.string } : { numberValue: v.double })),
    }));
    const { body } = await graphql(catalog, UPSERT, { input: { assetUrn, structuredPropertyInputParams } });
    return body.errors === undefined;
  },
  addTo: (asset, urn, value) => aspectApi.addTo(asset, urn, value),
  softDelete: (urn, removed) => aspectApi.softDelete(urn, removed),
  hardDelete: async (urn) => {
    const remove = `mutation ($input: DeleteStructuredPropertyInput!) { deleteStructuredProperty(input: $input) }`;
    const { body } = await graphql(catalog, remove, { input: { urn } });
    expect(body.data).toEqual({ deleteStructuredProperty: true });
  },
  shown: async (asset) => {
    const { body } = await graphql(catalog, VALUES, { urn: asset });
    return Object.fromEntries(
      body.data.dataset.structuredProperties.properties.map((p: any) => [
        p.structuredProperty.urn.slice(property('').length),
        p.values.map((v: any) => v.stringValue ?? v.numberValue),
      ]),
    );
  },
};

describe.each([
  ['aspect-api', aspectApi],
  ['openapi', openapi],
  ['graphql', graph],
])('the life of a property, by the %s', (surface, door) => {
  const name = `life.${surface}.days`;
  const other = `life.${surface}.other`;
  const urn = property(name);
  const [one, two] = [dataset(`${surface}.1`), dataset(`${surface}.2`)];
  const field = `life_${surface}_days`;

  /** The same through every surface. */
  const everywhere = async (asset: string, expected: Record<string, unknown>): Promise<void> => {
    for (const reader of [aspectApi, openapi, graph]) expect(await reader.shown(asset)).toEqual(expected);
  };

  it('is created and set', async () => {
    await catalog.ingest([one, 'datasetProperties', {}], [two, 'datasetProperties', {}]);
    await door.define(name, 'number');
    await door.define(other, 'string');
    expect(await door.set(one, holds(urn, 410258.29), holds(property(other), 'x'))).toBe(true);
    expect(await door.addTo(two, urn, 30)).toBe(true);
    await everywhere(one, { [name]: [410258.29], [other]: ['x'] });
    await everywhere(two, { [name]: [30] });
    expect(await door.set(one, holds(urn, 'no number'), holds(property(other), 'x'))).toBe(false);
    await everywhere(one, { [name]: [410258.29], [other]: ['x'] });
  });

  it('is found', async () => {
    expect(await found(catalog, name, 'GREATER_THAN', '45')).toEqual([`${surface}.1`]);
    expect(await found(catalog, field, 'EXISTS')).toEqual([`${surface}.1`, `${surface}.2`]);
  });

  it('is hidden and comes back', async () => {
    await door.softDelete(urn, true);
    await everywhere(one, { [other]: ['x'] });
    await everywhere(two, {});
    expect(await door.set(two, holds(urn, 31))).toBe(false);
    expectRefusal(await searchAnswer(catalog, name), 400, 'FILTER_INVALID');
    expect(await door.set(one, holds(property(other), 'y'))).toBe(true);
    await door.softDelete(urn, false);
    await everywhere(one, { [name]: [410258.29], [other]: ['y'] });
    expect(await found(catalog, name, 'EXISTS')).toEqual([`${surface}.1`, `${surface}.2`]);
  });

  it('gets a new version, which old values are not of', async () => {
    await door.define(name, 'string', '20240614080000');
    await everywhere(one, { [other]: ['y'] });
    await everywhere(two, {});
    expect(await door.addTo(two, urn, 'thirty')).toBe(true);
    await everywhere(two, { [name]: ['thirty'] });
    const versioned = `_versioned.${field}.20240614080000.string`;
    expect(await found(catalog, versioned, 'EQUAL', 'thirty')).toEqual([`${surface}.2`]);
    expect(await found(catalog, name, 'EXISTS')).toEqual([`${surface}.2`]);
  });

  it('is permanently deleted, and its name begins a new life', async () => {
    await door.hardDelete(urn);
    await everywhere(one, { [other]: ['y'] });
    await everywhere(two, {});
    expect(await found(catalog, name, 'EXISTS')).toEqual([]);
    await door.define(name, 'string');
    await everywhere(two, {});
    expect(await found(catalog, name, 'EXISTS')).toEqual([]);
    expect(await door.addTo(one, urn, 'again')).toBe(true);
    await everywhere(one, { [other]: ['y'], [name]: ['again'] });
  });

  it('leaves nothing behind when the removal is done', async () => {
    for (;;) {
      const { body } = await catalog.post('/operations?action=propertyRemovals', { urn });
      const removals: Array<{ state: string; reason: string }> = body.value.removals;
      if (removals.length === 2 && removals.every(({ state }) => state === 'done')) {
        expect(removals.map(({ reason }) => reason)).toEqual(['deleted', 'version']);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await everywhere(one, { [other]: ['y'], [name]: ['again'] });
    await everywhere(two, {});
    expect(await catalog.checkRemovals()).toEqual(['no values of removed structured properties are left']);
  });
});
