import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { withDataset } from '../graphql/mutating.js';
import { data, failure } from '../graphql/support.js';
import { dataType, entityType, hardDelete, property, shown, snapshotOf, softDelete } from './support.js';

let catalog: TestCatalog;
const asset = dataset('graph');
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest([asset, 'datasetProperties', { name: 'graph' }]);
});
afterAll(() => catalog.stop());

const CREATE = `mutation ($input: CreateStructuredPropertyInput!) { createStructuredProperty(input: $input) { urn } }`;
const UPDATE = `mutation ($input: UpdateStructuredPropertyInput!) { updateStructuredProperty(input: $input) { urn
  definition { displayName cardinality allowedValues { value { ... on StringValue { stringValue } ... on NumberValue { numberValue } } description }
    entityTypes { urn } } settings { isHidden showInColumnsTable } } }`;
const UPSERT = `mutation ($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) {
  properties { structuredProperty { urn } } } }`;
const REMOVE = `mutation ($input: RemoveStructuredPropertiesInput!) { removeStructuredProperties(input: $input) {
  properties { structuredProperty { urn } } } }`;
const READ = `query ($urn: String!) { structuredProperty(urn: $urn) { urn type definition {
  qualifiedName displayName description cardinality immutable version
  allowedValues { value { ... on StringValue { stringValue } ... on NumberValue { numberValue } } description }
  valueType { urn info { type qualifiedName } } entityTypes { urn info { type qualifiedName } } }
  settings { isHidden } } }`;
const VALUES = `query ($urn: String!) { dataset(urn: $urn) { structuredProperties { properties {
  structuredProperty { urn type definition { displayName } }
  values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } valueEntities { urn type } } } } }`;

const create = (name: string, type: string, more: object = {}) =>
  data(catalog, CREATE, {
    input: { id: name, valueType: dataType(type), entityTypes: [entityType('dataset')], ...more },
  });
const params = (...entries: Array<[string, ...Array<string | number>]>) => ({
  input: {
    assetUrn: asset,
    structuredPropertyInputParams: entries.map(([name, ...values]) => ({
      structuredPropertyUrn: property(name),
      values: values.map((v) => (typeof v === 'number' ? { numberValue: v } : { stringValue: v })),
    })),
  },
});
const urns = (answer: any) => answer.properties.map((p: any) => p.structuredProperty.urn);

it('values of a column need the column, unless something is stored of it', async () => {
  const [urn, of] = [await withDataset(catalog, 'graph.columns', ['id']), property('g.of.columns')];
  await create('g.of.columns', 'string', { entityTypes: [entityType('schemaField')] });
  const upsert = (assetUrn: string) => ({
    input: {
      assetUrn,
      structuredPropertyInputParams: [{ structuredPropertyUrn: of, values: [{ stringValue: 'a' }] }],
    },
  });
  const column = (path: string, parent = urn) => `urn:li:schemaField:(${parent},${path})`;
  expect(urns((await data(catalog, UPSERT, upsert(column('id')))).upsertStructuredProperties)).toEqual([of]);
  const unknown = await failure(catalog, UPSERT, upsert(column('none')));
  expect(unknown.message).toBe(`${urn} has no column "none"`);
  expect(unknown.extensions).toMatchObject({
    code: 400,
    errorCode: 'COLUMN_UNKNOWN',
    pointer: '/input/assetUrn',
  });
  const nowhere = await failure(catalog, UPSERT, upsert(column('id', dataset('graph.nowhere'))));
  expect(nowhere.extensions).toMatchObject({
    code: 404,
    errorCode: 'ENTITY_NOT_FOUND',
    pointer: '/input/assetUrn',
  });
  expect(
    (await catalog.get(`/aspects/${encodeURIComponent(column('none'))}?aspect=schemaFieldKey`)).status,
  ).toBe(404);
  await catalog.ingest([column('former'), 'status', { removed: false }]);
  expect(urns((await data(catalog, UPSERT, upsert(column('former')))).upsertStructuredProperties)).toEqual([
    of,
  ]);
});

describe('a property in the graph', () => {
  it('is created, read, and added to', async () => {
    const created = await create('g.days', 'number', {
      qualifiedName: 'g.days',
      displayName: 'Days',
      description: 'to keep',
      cardinality: 'MULTIPLE',
      allowedValues: [{ numberValue: 30, description: 'a month' }],
      entityTypes: [entityType('dataset'), entityType('dataFlow')],
    });
    expect(created).toEqual({ createStructuredProperty: { urn: property('g.days') } });
    expect(await data(catalog, READ, { urn: property('g.days') })).toEqual({
      structuredProperty: {
        urn: property('g.days'),
        type: 'STRUCTURED_PROPERTY',
        settings: null,
        definition: {
          qualifiedName: 'g.days',
          displayName: 'Days',
          description: 'to keep',
          cardinality: 'MULTIPLE',
          immutable: false,
          version: null,
          allowedValues: [{ value: { numberValue: 30 }, description: 'a month' }],
          valueType: {
            urn: dataType('number'),
            info: { type: 'NUMBER', qualifiedName: 'platform.number' },
          },
          entityTypes: [
            { urn: entityType('dataset'), info: { type: 'DATASET', qualifiedName: 'platform.dataset' } },
            { urn: entityType('dataFlow'), info: { type: 'DATA_FLOW', qualifiedName: 'platform.dataFlow' } },
          ],
        },
      },
    });
    const input = {
      urn: property('g.days'),
      displayName: 'Retention',
      newAllowedValues: [{ numberValue: 365, description: 'a year' }],
      // One that is there already, under another vendor word.
      newEntityTypes: [entityType('chart'), 'urn:li:entityType:acme.dataset'],
      settings: { showInColumnsTable: true },
    };
    expect(await data(catalog, UPDATE, { input })).toEqual({
      updateStructuredProperty: {
        urn: property('g.days'),
        definition: {
          displayName: 'Retention',
          cardinality: 'MULTIPLE',
          allowedValues: [
            { value: { numberValue: 30 }, description: 'a month' },
            { value: { numberValue: 365 }, description: 'a year' },
          ],
          entityTypes: [entityType('dataset'), entityType('dataFlow'), entityType('chart')].map((urn) => ({
            urn,
          })),
        },
        settings: { isHidden: false, showInColumnsTable: true },
      },
    });
  });

  it('is null when it does not exist', async () => {
    expect(await data(catalog, READ, { urn: property('g.none') })).toEqual({ structuredProperty: null });
  });

  it.each<[string, object, string, string]>([
    [
      'another id',
      { id: 'g.a', qualifiedName: 'g.b' },
      'Qualified name and the ID of a structured property must match',
      '/input/id',
    ],
    [
      'the URN of another',
      { id: 'g.days' },
      'A structured property already exists with this urn',
      '/input/id',
    ],
    ['a clash', { id: 'g_days' }, property('g.days'), '/input/qualifiedName'],
    ['a blank', { id: 'g a' }, 'Urn ID cannot have spaces', '/input'],
    [
      'an allowed value of no kind',
      { id: 'g.c', allowedValues: [{}] },
      'either a stringValue or a numberValue',
      '/input/allowedValues/0',
    ],
    [
      'an allowed value of the wrong kind',
      { id: 'g.c', allowedValues: [{ numberValue: 1 }] },
      'should be a string',
      '/input/allowedValues/0/value',
    ],
    ['a missing data type', { id: 'g.c', valueType: dataType('none') }, 'does not exist', '/input/valueType'],
    [
      'contrary settings',
      { id: 'g.c', settings: { isHidden: true, showAsAssetBadge: true } },
      'Cannot have property isHidden',
      '/input/settings/showAsAssetBadge',
    ],
  ])('with %s is refused', async (_, more, message, pointer) => {
    const input = {
      id: 'g.bad',
      valueType: dataType('string'),
      entityTypes: [entityType('dataset')],
      ...more,
    };
    const error = await failure(catalog, CREATE, { input });
    expect(error.message).toContain(message);
    expect(error.extensions.pointer).toBe(pointer);
    for (const name of ['g.bad', 'g.c', 'g.a']) {
      expect(await catalog.read(property(name), 'propertyDefinition')).toBeUndefined();
    }
  });

  it('is not changed while it is soft-deleted, and not when it does not exist', async () => {
    await create('g.soft', 'string');
    await softDelete(catalog, property('g.soft'));
    const update = (name: string) =>
      failure(catalog, UPDATE, { input: { urn: property(name), displayName: 'x' } });
    expect((await update('g.soft')).message).toContain(
      'Cannot mutate a soft deleted Structured Property Definition',
    );
    const missing = await update('g.none');
    expect(missing.extensions).toMatchObject({
      code: 404,
      errorCode: 'ENTITY_NOT_FOUND',
      pointer: '/input/urn',
    });
  });

  it('is permanently deleted', async () => {
    await create('g.end', 'string');
    const DELETE = `mutation ($input: DeleteStructuredPropertyInput!) { deleteStructuredProperty(input: $input) }`;
    const input = { urn: property('g.end') };
    expect(await data(catalog, DELETE, { input })).toEqual({ deleteStructuredProperty: true });
    expect((await failure(catalog, DELETE, { input })).extensions.errorCode).toBe('ENTITY_NOT_FOUND');
  });
});

describe('values in the graph', () => {
  beforeAll(async () => {
    await create('g.text', 'string', { cardinality: 'MULTIPLE' });
    await create('g.number', 'number');
    await create('g.owner', 'urn');
  });

  it('are replaced as a whole, read, and removed one by one', async () => {
    const first = await data(catalog, UPSERT, params(['g.text', 'a', 'b'], ['g.number', 410258.29]));
    expect(urns(first.upsertStructuredProperties)).toEqual([property('g.text'), property('g.number')]);
    await data(catalog, UPSERT, params(['g.number', 30], ['g.owner', 'urn:li:corpuser:ada']));
    expect(await data(catalog, VALUES, { urn: asset })).toEqual({
      dataset: {
        structuredProperties: {
          properties: [
            {
              structuredProperty: {
                urn: property('g.number'),
                type: 'STRUCTURED_PROPERTY',
                definition: { displayName: null },
              },
              values: [{ numberValue: 30 }],
              valueEntities: [],
            },
            {
              structuredProperty: {
                urn: property('g.owner'),
                type: 'STRUCTURED_PROPERTY',
                definition: { displayName: null },
              },
              values: [{ stringValue: 'urn:li:corpuser:ada' }],
              valueEntities: [{ urn: 'urn:li:corpuser:ada', type: 'CORP_USER' }],
            },
          ],
        },
      },
    });
    const input = { assetUrn: asset, structuredPropertyUrns: [property('g.number'), property('g.text')] };
    const left = await data(catalog, REMOVE, { input });
    expect(urns(left.removeStructuredProperties)).toEqual([property('g.owner')]);
  });

  it.each<[string, object, string, string, string]>([
    [
      'a wrong type',
      params(['g.owner', 'urn:li:tag:a'], ['g.text', 'a', 1]),
      'should be a string',
      '/input/structuredPropertyInputParams/1/values/1',
      'RULE_VIOLATED',
    ],
    [
      'a missing property',
      params(['g.none', 'a']),
      'Unexpected null value found',
      '/input/structuredPropertyInputParams/0/structuredPropertyUrn',
      'REFERENCE_MISSING',
    ],
    [
      'two values where one may be',
      params(['g.number', 1, 2]),
      'has cardinality 1',
      '/input/structuredPropertyInputParams/0/values',
      'RULE_VIOLATED',
    ],
    [
      'a missing asset',
      { input: { ...params(['g.number', 1]).input, assetUrn: dataset('graph.none') } },
      'Asset with provided urn',
      '/input/assetUrn',
      'ENTITY_NOT_FOUND',
    ],
  ])('with %s are refused', async (_, variables, message, pointer, errorCode) => {
    const before = await snapshotOf(catalog, asset);
    const error = await failure(catalog, UPSERT, variables as Record<string, unknown>);
    expect(error.message).toContain(message);
    expect(error.extensions).toMatchObject({ pointer, errorCode });
    expect(await snapshotOf(catalog, asset)).toEqual(before);
    expect(await shown(catalog, dataset('graph.none'))).toBeUndefined();
  });

  it('are hidden with their property, and gone with it', async () => {
    await data(catalog, UPSERT, params(['g.number', 1], ['g.text', 'a']));
    const seen = async () => {
      const answer = await data(catalog, VALUES, { urn: asset });
      return urns(answer.dataset.structuredProperties);
    };
    await softDelete(catalog, property('g.text'));
    expect(await seen()).toEqual([property('g.number')]);
    expect((await failure(catalog, UPSERT, params(['g.text', 'b']))).message).toContain(
      'Cannot apply a soft deleted',
    );
    await softDelete(catalog, property('g.text'), false);
    expect(await seen()).toEqual([property('g.number'), property('g.text')]);
    await hardDelete(catalog, property('g.text'));
    expect(await seen()).toEqual([property('g.number')]);
  });
});
