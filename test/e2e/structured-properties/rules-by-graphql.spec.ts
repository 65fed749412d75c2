import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { data, failure } from '../graphql/support.js';
import {
  BAD_DEFINITIONS,
  BAD_SETTINGS,
  BAD_VALUES,
  CHANGES,
  COMPATIBLE,
  MISSING_REFERENCES,
  startWithRules,
} from './rules.js';
import {
  assetWith,
  dataType,
  define,
  entityType,
  hardDelete,
  holds,
  property,
  snapshotOf,
  softDelete,
} from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await startWithRules();
});
afterAll(() => catalog.stop());

const mutation = (name: string, answer: string): string => {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${answer} } }`;
};
const CREATE = mutation('createStructuredProperty', 'urn');
const UPDATE = mutation('updateStructuredProperty', 'urn');
const UPSERT = mutation('upsertStructuredProperties', 'properties { structuredProperty { urn } }');
const REMOVE = mutation('removeStructuredProperties', 'properties { structuredProperty { urn } }');

/** Checks that a mutation is refused in full, and that nothing of the entity has changed. */
async function expectRefused(
  urn: string,
  query: string,
  input: object,
  expected: { code?: number; errorCode?: string; pointer: string; message: string },
): Promise<void> {
  const before = await snapshotOf(catalog, urn);
  const error = await failure(catalog, query, { input });
  const { code = 400, errorCode = 'RULE_VIOLATED', pointer, message } = expected;
  expect(error.message).toContain(message);
  expect(error.extensions).toMatchObject({ code, errorCode, pointer });
  expect(await snapshotOf(catalog, urn)).toEqual(before);
}

/** Allowed values as the graph writes them. */
const allowedInput = (list: any[] | undefined) =>
  list?.map(({ value: { string, double } }) =>
    string === undefined ? { numberValue: double } : { stringValue: string },
  );

/** The input that makes a definition; undefined when the graph has no words for it. */
function createInput(name: string, more: any): object | undefined {
  const { allowedValues, version, typeQualifier, ...rest } = more;
  if (version !== undefined || (typeQualifier && !typeQualifier.allowedTypes)) return undefined;
  return {
    ...(rest.qualifiedName === undefined && { id: name }),
    valueType: dataType('string'),
    entityTypes: [entityType('dataset')],
    ...rest,
    ...(typeQualifier && { typeQualifier }),
    ...(allowedValues && { allowedValues: allowedInput(allowedValues) }),
  };
}

/** The input that makes one definition of another by adding to it; undefined when the graph has no words for it. */
function updateInput(before: any, after: any): object | undefined {
  const { valueType, cardinality, allowedValues, entityTypes, typeQualifier, version, ...rest } = after;
  const takesAway = ['cardinality', 'allowedValues'].some((field) => field in before && !(field in after));
  if (valueType ?? version ?? takesAway) return undefined;
  if (cardinality === 'SINGLE' || allowedValues?.length === 0) return undefined;
  const kept = (allowedValues ?? []).map((a: any) => JSON.stringify(a));
  const lost = (before.allowedValues ?? []).some((a: any) => !kept.includes(JSON.stringify(a)));
  if (allowedValues && lost) return undefined;
  return {
    ...rest,
    ...(cardinality && { setCardinalityAsMultiple: true }),
    ...(allowedValues && { newAllowedValues: allowedInput(allowedValues) }),
    ...(entityTypes && { newEntityTypes: entityTypes }),
    ...(typeQualifier && { typeQualifier: { newAllowedTypes: typeQualifier.allowedTypes } }),
  };
}

/** What an update calls that which is added to a list of the definition. */
const addedPlace = (place: string): string =>
  place.replace(
    /(allowedValues|entityTypes|allowedPlatforms|allowedTypes)/,
    (list) => `new${list[0]!.toUpperCase()}${list.slice(1)}`,
  );

const sayable = <T extends readonly unknown[]>(table: readonly T[], input: (row: T) => unknown): T[] =>
  table.filter((row) => input(row) !== undefined);

describe('createStructuredProperty', () => {
  const BAD = sayable(BAD_DEFINITIONS, ([, name, more]) => createInput(name, more));

  it('has words for most of the rules', () => {
    expect(BAD_DEFINITIONS.filter((row) => !BAD.includes(row)).map(([title]) => title)).toEqual([
      'a version that is no time',
      'a version of thirteen digits',
      ...BAD_DEFINITIONS.map(([title]) => title).filter((title) =>
        /^(the|a) version .*(no date|ahead)/.test(title),
      ),
      'a qualifier of another kind',
    ]);
  });

  it.each(BAD)('of %s is refused', async (_, name, more, message, place) => {
    const input = createInput(name, more) as { qualifiedName?: string };
    const { qualifiedName } = input;
    if (qualifiedName === undefined) {
      return expectRefused(property(name), CREATE, input, { message, pointer: `/input${place}` });
    }
    // The name is the id: one that differs is refused before anything else, one with a blank makes such a URN.
    await expectRefused(
      property(name),
      CREATE,
      { ...input, id: name },
      {
        message: 'Qualified name and the ID of a structured property must match',
        pointer: '/input/id',
      },
    );
    if (!qualifiedName.includes(' ')) return;
    const alone = { message: 'Urn ID cannot have spaces', pointer: '/input' };
    await expectRefused(property(qualifiedName), CREATE, input, alone);
  });

  it.each(MISSING_REFERENCES)('with a missing %s is refused', async (_, more, place) => {
    await expectRefused(property('d.missing'), CREATE, createInput('d.missing', more)!, {
      errorCode: 'REFERENCE_MISSING',
      message: 'does not exist',
      pointer: `/input${place}`,
    });
  });

  it.each(BAD_SETTINGS)('with settings that hide and say %s is refused', async (place, settings) => {
    await expectRefused(property('d.hidden'), CREATE, createInput('d.hidden', { settings })!, {
      message: 'Cannot have property isHidden = true while other display location settings are also true.',
      pointer: `/input/settings/${place}`,
    });
  });

  it('of a name that shares a search field, or that is taken, is refused', async () => {
    const first = await define(catalog, 'n.graph.a', 'string');
    await expectRefused(property('n.graph_a'), CREATE, createInput('n.graph_a', {})!, {
      message: first,
      pointer: '/input/qualifiedName',
    });
    await expectRefused(first, CREATE, createInput('n.graph.a', {})!, {
      code: 409,
      errorCode: 'ENTITY_EXISTS',
      message: 'A structured property already exists with this urn',
      pointer: '/input/id',
    });
  });

  it('of a second badge is refused', async () => {
    const badge = { settings: { showAsAssetBadge: true } };
    await data(catalog, CREATE, { input: createInput('b.graph.1', badge) });
    await expectRefused(property('b.graph.2'), CREATE, createInput('b.graph.2', badge)!, {
      message: property('b.graph.1'),
      pointer: '/input/settings/showAsAssetBadge',
    });
    const second = await define(catalog, 'b.graph.2', 'string');
    await expectRefused(
      second,
      UPDATE,
      { urn: second, ...badge },
      {
        message: property('b.graph.1'),
        pointer: '/input/settings/showAsAssetBadge',
      },
    );
    await hardDelete(catalog, property('b.graph.1'));
    await data(catalog, UPDATE, { input: { urn: second, ...badge } });
    await hardDelete(catalog, second);
  });
});

describe('updateStructuredProperty', () => {
  let count = 0;
  const fresh = (more: Record<string, unknown> = {}) => define(catalog, `u.graph.${++count}`, 'string', more);

  const SAYABLE = sayable(CHANGES, ([, before, after]) => updateInput(before, after));

  it('has no words for taking away', () => {
    expect(CHANGES.filter((row) => !SAYABLE.includes(row)).map(([title]) => title)).toEqual([
      'the type',
      'several values to one',
      'several values to the default, which is one',
      'an allowed value less',
      'an allowed value for another',
      'no restriction any more',
      'an empty list of allowed values, which restricts nothing',
    ]);
  });

  it.each(SAYABLE)('of %s follows the rules', async (_, before, after, message, ...[place]) => {
    const urn = await fresh(before);
    const input = { urn, ...updateInput(before, after) };
    if (message === COMPATIBLE) {
      expect(await data(catalog, UPDATE, { input })).toEqual({ updateStructuredProperty: { urn } });
      expect(await catalog.read(urn, 'propertyDefinition')).toMatchObject(
        after['entityTypes'] ? { entityTypes: [entityType('dataset'), entityType('chart')] } : {},
      );
    } else {
      await expectRefused(urn, UPDATE, input, { message, pointer: `/input${addedPlace(place!)}` });
    }
  });

  it.each([
    [
      'an allowed value of another type',
      { newAllowedValues: [{ stringValue: 'b' }, { numberValue: 1 }] },
      'should be a string',
      '/newAllowedValues/1/value',
      'RULE_VIOLATED',
    ],
    [
      'an allowed value twice',
      { newAllowedValues: [{ stringValue: 'b' }, { stringValue: 'c' }, { stringValue: 'b' }] },
      'the allowed value "b" is there twice',
      '/newAllowedValues/2',
      'RULE_VIOLATED',
    ],
    [
      'an allowed value of no kind',
      { newAllowedValues: [{ stringValue: 'b' }, {}] },
      'either a stringValue or a numberValue',
      '/newAllowedValues/1',
      'PARAMETER_INVALID',
    ],
    [
      'an entity type that does not exist',
      { newEntityTypes: [entityType('dataset'), entityType('color')] },
      'does not exist',
      '/newEntityTypes/1',
      'REFERENCE_MISSING',
    ],
    [
      'an allowed type that does not exist',
      { typeQualifier: { newAllowedTypes: [entityType('color')] } },
      'does not exist',
      '/typeQualifier/newAllowedTypes/0',
      'REFERENCE_MISSING',
    ],
    [
      'an allowed type that is no entity type',
      { typeQualifier: { newAllowedTypes: [dataType('string')] } },
      'Invalid entity type urn validation failure',
      '/typeQualifier/newAllowedTypes/0',
      'RULE_VIOLATED',
    ],
    [
      'a platform that does not exist',
      { newAllowedPlatforms: ['urn:li:dataPlatform:kafka', 'urn:li:dataPlatform:none'] },
      'does not exist',
      '/newAllowedPlatforms/1',
      'REFERENCE_MISSING',
    ],
  ])('that adds %s is refused', async (_, more, message, place, errorCode) => {
    const urn = await fresh({
      allowedValues: [{ value: { string: 'a' } }],
      typeQualifier: { allowedTypes: [entityType('dataset')] },
    });
    await expectRefused(
      urn,
      UPDATE,
      { urn, displayName: 'new', ...more },
      {
        message,
        pointer: `/input${place}`,
        errorCode,
      },
    );
  });

  it.each(BAD_SETTINGS)('to settings that hide and say %s is refused', async (place, settings) => {
    const urn = await fresh();
    const message = 'Cannot have property isHidden = true';
    await expectRefused(
      urn,
      UPDATE,
      { urn, displayName: 'new', settings },
      {
        message,
        pointer: `/input/settings/${place}`,
      },
    );
    // What is not said stays as it is.
    await data(catalog, UPDATE, { input: { urn, settings: { [place]: true } } });
    await expectRefused(
      urn,
      UPDATE,
      { urn, settings: { isHidden: true } },
      {
        message,
        pointer: `/input/settings/${place}`,
      },
    );
    await hardDelete(catalog, urn);
  });

  it('of what is soft-deleted, does not exist, or is no property, is refused', async () => {
    const urn = await fresh();
    await softDelete(catalog, urn);
    await expectRefused(
      urn,
      UPDATE,
      { urn, displayName: 'x' },
      {
        message: 'Cannot mutate a soft deleted Structured Property Definition',
        pointer: '/input/urn',
      },
    );
    const none = property('u.graph.none');
    await expectRefused(
      none,
      UPDATE,
      { urn: none, displayName: 'x' },
      {
        code: 404,
        errorCode: 'ENTITY_NOT_FOUND',
        message: none,
        pointer: '/input/urn',
      },
    );
    const other = dataset('u.graph');
    await expectRefused(
      other,
      UPDATE,
      { urn: other, displayName: 'x' },
      {
        errorCode: 'PARAMETER_INVALID',
        message: other,
        pointer: '/input/urn',
      },
    );
  });
});

describe('values', () => {
  const asset = dataset('graph.rules');
  beforeAll(() =>
    assetWith(catalog, asset, holds(property('v.number'), 7), holds(property('v.immutable'), 'a')),
  );
  /** Beside what must stay. */
  const upsert = (...entries: Array<[string, ...Array<string | number>]>) => ({
    assetUrn: asset,
    structuredPropertyInputParams: [...entries, ['v.immutable', 'a']].map(([name, ...values]) => ({
      structuredPropertyUrn: String(name).startsWith('urn:') ? name : property(String(name)),
      values: values.map((v) => (typeof v === 'number' ? { numberValue: v } : { stringValue: v })),
    })),
  });
  const first = '/input/structuredPropertyInputParams/0';

  it.each(BAD_VALUES)('with %s are refused', async (_, name, values, message, place) => {
    await expectRefused(asset, UPSERT, upsert([name, ...values]), {
      errorCode: name === 'v.none' ? 'REFERENCE_MISSING' : 'RULE_VIOLATED',
      message,
      pointer: first + place.replace('/propertyUrn', '/structuredPropertyUrn'),
    });
  });

  it('of two entries of one property, or of what is no property, are refused', async () => {
    await expectRefused(asset, UPSERT, upsert(['v.one', 'a'], ['v.one', 'a']), {
      message: `${property('v.one')} has multiple entries`,
      pointer: '/input/structuredPropertyInputParams/1/structuredPropertyUrn',
    });
    await expectRefused(asset, UPSERT, upsert(['urn:li:tag:a', 'a']), {
      message: 'Unexpected entity type. Expected: structuredProperty',
      pointer: `${first}/structuredPropertyUrn`,
    });
  });

  it('of a soft-deleted property are refused', async () => {
    const hidden = await define(catalog, 'v.graph.hidden', 'string');
    await softDelete(catalog, hidden);
    await expectRefused(asset, UPSERT, upsert(['v.graph.hidden', 'a']), {
      message: 'Cannot apply a soft deleted Structured Property value',
      pointer: `${first}/structuredPropertyUrn`,
    });
  });

  it('of an immutable property stay', async () => {
    const message = `Cannot mutate / delete an immutable property: ${property('v.immutable')}`;
    const other = upsert();
    other.structuredPropertyInputParams[0]!.values = [{ stringValue: 'b' }];
    await expectRefused(asset, UPSERT, other, { message, pointer: `${first}/values` });
    const none = { assetUrn: asset, structuredPropertyInputParams: [] };
    await expectRefused(asset, UPSERT, none, { message, pointer: '/input/assetUrn' });
    const remove = {
      assetUrn: asset,
      structuredPropertyUrns: [property('v.number'), property('v.immutable')],
    };
    await expectRefused(asset, REMOVE, remove, { message, pointer: '/input/structuredPropertyUrns/1' });
  });

  it('of a dataset that does not exist are neither set nor removed', async () => {
    const none = dataset('graph.rules.none');
    const nothing = { structuredPropertyInputParams: [] };
    for (const input of [upsert(['v.number', 1]), nothing]) {
      await expectRefused(
        none,
        UPSERT,
        { ...input, assetUrn: none },
        {
          code: 404,
          errorCode: 'ENTITY_NOT_FOUND',
          message: `Asset with provided urn ${none} does not exist`,
          pointer: '/input/assetUrn',
        },
      );
    }
    const remove = { assetUrn: none, structuredPropertyUrns: [property('v.number')] };
    await expectRefused(none, REMOVE, remove, {
      code: 404,
      errorCode: 'ENTITY_NOT_FOUND',
      message: none,
      pointer: '/input/assetUrn',
    });
  });

  it('of what is no property, or does not exist, cannot be removed', async () => {
    const remove = (urn: string) => ({
      assetUrn: asset,
      structuredPropertyUrns: [property('v.number'), urn],
    });
    await expectRefused(asset, REMOVE, remove('urn:li:tag:a'), {
      errorCode: 'PARAMETER_INVALID',
      message: 'urn:li:tag:a',
      pointer: '/input/structuredPropertyUrns/1',
    });
    await expectRefused(asset, REMOVE, remove(property('v.graph.none')), {
      code: 404,
      errorCode: 'ENTITY_NOT_FOUND',
      message: property('v.graph.none'),
      pointer: '/input/structuredPropertyUrns/1',
    });
  });
});
