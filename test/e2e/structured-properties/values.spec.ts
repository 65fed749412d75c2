import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, type TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import { ASSET_TYPES, BAD_VALUES, startWithRules } from './rules.js';
import {
  add,
  define,
  definition,
  entityType,
  expectNothingWritten,
  hardDelete,
  holds,
  patch,
  property,
  remove,
  setting,
  shown,
  softDelete,
} from './support.js';

let catalog: TestCatalog;
let count = 0;

beforeAll(async () => {
  catalog = await startWithRules();
});
afterAll(() => catalog.stop());

/** A dataset that exists. */
async function asset(name = `asset.${++count}`, on = 'kafka'): Promise<string> {
  await catalog.ingest([dataset(name, on), 'datasetProperties', { name }]);
  return dataset(name, on);
}

const put = (urn: string, ...entries: Array<ReturnType<typeof holds>>) =>
  catalog.propose(urn, 'structuredProperties', setting(...entries));

const AT = '/proposal/aspect/value/properties/0';

describe('values', () => {
  it.each([
    ['texts', 'v.string', ['a', '', 'b\u0000c', 'ü😀', 'a']],
    ['rich text', 'v.rich', ['**bold**\n\n- list']],
    ['numbers', 'v.number', [410258.29, 30, -0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 0]],
    ['numbers as texts', 'v.number', ['30', '4.5e3', '-1']],
    ['days', 'v.date', ['1000-01-01', '9999-12-31', '2024-02-29']],
    ['URNs', 'v.urn', ['urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)']],
    ['URNs of an allowed type', 'v.owner', ['urn:li:corpGroup:x']],
    ['an allowed number', 'v.days', [365.5]],
    ['an allowed text', 'v.color', ['red']],
    ['the longest text', 'v.one', ['x'.repeat(32_766)]],
  ])('of %s come back as they were written', async (_, name, values) => {
    const urn = await asset();
    expect((await put(urn, holds(property(name), ...values))).status).toBe(200);
    expect(await shown(catalog, urn)).toEqual({ [name]: values });
  });

  it('keep every digit on the way through', async () => {
    const urn = await asset();
    await put(urn, holds(property('v.number'), 410258.29, 30));
    const answer = await catalog.get(
      `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(structuredProperties)`,
    );
    expect(answer.text).toContain('{"double":410258.29}');
    expect(answer.text).toContain('{"double":30}');
  });

  it('can be set on columns, which come with it, if their dataset exists', async () => {
    const parent = await asset();
    const column = `urn:li:schemaField:(${parent},user.name)`;
    expect((await put(column, holds(property('v.number'), 1))).status).toBe(200);
    expect(await shown(catalog, column)).toEqual({ 'v.number': [1] });
    const orphan = `urn:li:schemaField:(${dataset('none')},id)`;
    await expectNothingWritten(catalog, orphan, () => put(orphan, holds(property('v.number'), 1)), {
      status: 404,
      code: 'ENTITY_NOT_FOUND',
      message: `Asset with provided urn ${dataset('none')} does not exist`,
      pointer: '/proposal',
    });
  });

  it('are only for entities that exist, or that the same request brings', async () => {
    const urn = dataset('brought');
    const number = property('v.number');
    const writes = [
      () => put(urn, holds(number, 1)),
      () => put(urn),
      () => patch(catalog, urn, add(number, 1), remove(number)),
    ];
    for (const write of writes) {
      await expectNothingWritten(catalog, urn, write, {
        status: 404,
        code: 'ENTITY_NOT_FOUND',
        message: `Asset with provided urn ${urn} does not exist`,
        pointer: '/proposal',
      });
    }
    await catalog.ingest(
      [urn, 'structuredProperties', setting(holds(number, 1))],
      [urn, 'datasetProperties', {}],
    );
    expect(await shown(catalog, urn)).toEqual({ 'v.number': [1] });
  });

  it('may stand before the definition of their property in one batch', async () => {
    const urn = await asset();
    const [later, again] = [property('v.later'), property('v.again')];
    const ids = await catalog.ingest(
      [urn, 'structuredProperties', setting(holds(later, 1))],
      [later, 'structuredPropertySettings', { isHidden: true }],
      [later, 'propertyDefinition', definition('v.later', 'number')],
    );
    expect(ids).toBeUndefined();
    expect(await shown(catalog, urn)).toEqual({ 'v.later': [1] });
    const { status, body } = await catalog.post('/openapi/v3/entity/generic?async=false', {
      dataset: [{ urn, structuredProperties: { value: setting(holds(again, 2)) } }],
      structuredProperty: [
        { urn: again, propertyDefinition: { value: definition('v.again', 'number') } },
        { urn: again, propertyDefinition: { value: definition('v.again', 'number', { description: 'd' }) } },
      ],
    });
    expect(status).toBe(200);
    expect(Object.keys(body as object)).toEqual(['dataset', 'structuredProperty']);
    expect(await catalog.read(again, 'propertyDefinition')).toMatchObject({ description: 'd' });
    expect(await shown(catalog, urn)).toEqual({ 'v.again': [2] });
  });

  it('stand behind a definition that does not fit them, or is deleted again', async () => {
    const urn = await asset();
    const late = property('v.late');
    const batch = (...proposals: object[]) =>
      catalog.post('/aspects?action=ingestProposalBatch', { proposals });
    const values = proposal(urn, 'structuredProperties', setting(holds(late, 'text')));
    const made = proposal(late, 'propertyDefinition', definition('v.late', 'number'));
    expectRefusal(
      await batch(values, made),
      422,
      'RULE_VIOLATED',
      '/proposals/0/aspect/value/properties/0/values/0',
    );
    const gone = { entityType: 'structuredProperty', entityUrn: late, changeType: 'DELETE' };
    const removed = { ...gone, aspectName: 'structuredPropertyKey' };
    expectRefusal(await batch(values, removed, made), 422, 'REFERENCE_MISSING');
    expect((await batch(removed, made)).status).toBe(200);
    expect(await catalog.read(late, 'propertyDefinition')).toMatchObject({ qualifiedName: 'v.late' });
  });

  it('written again make no new version', async () => {
    const urn = await asset();
    const versionOf = async () =>
      (await catalog.get(`/entitiesV2/${encodeURIComponent(urn)}`)).body.aspects.structuredProperties.version;
    await put(urn, holds(property('v.number'), 1), holds(property('v.one'), 'a'));
    const before = await versionOf();
    await put(urn, holds(property('v.number'), 1), holds(property('v.one'), 'a'));
    await patch(catalog, urn, add(property('v.one'), 'a'));
    expect(await versionOf()).toBe(before);
  });

  it('of a definition under another vendor word are judged like any other', async () => {
    const [urn, other] = [property('v.acme'), await asset()];
    const definition = {
      qualifiedName: 'v.acme',
      valueType: 'urn:li:dataType:acme.number',
      entityTypes: ['urn:li:entityType:acme.dataset'],
    };
    await catalog.ingest([urn, 'propertyDefinition', definition]);
    expect((await put(other, holds(urn, 1))).status).toBe(200);
    expectRefusal(await put(other, holds(urn, 'x')), 422, 'RULE_VIOLATED', `${AT}/values/0`);
  });
});

describe('a value that breaks a rule is refused, by a write and by a patch alike', () => {
  it.each(BAD_VALUES)('%s', async (_, name, values, message, place) => {
    const urn = await asset();
    await put(urn, holds(property('v.number'), 7));
    const code = name === 'v.none' ? 'REFERENCE_MISSING' : 'RULE_VIOLATED';
    const expected = { message, pointer: AT + place, code };
    await expectNothingWritten(catalog, urn, () => put(urn, holds(property(name), ...values)), expected);
    const patched = { ...expected, pointer: AT.replace('0', name === 'v.number' ? '0' : '1') + place };
    await expectNothingWritten(
      catalog,
      urn,
      () => patch(catalog, urn, add(property(name), ...values)),
      patched,
    );
  });

  it('two entries of one property', async () => {
    const urn = await asset();
    const twice = () => put(urn, holds(property('v.one'), 'a'), holds(property('v.one'), 'a'));
    await expectNothingWritten(catalog, urn, twice, {
      message: `${property('v.one')} has multiple entries`,
      pointer: '/proposal/aspect/value/properties/1/propertyUrn',
    });
  });

  it('a URN of something else', async () => {
    const urn = await asset();
    await expectNothingWritten(catalog, urn, () => put(urn, holds('urn:li:tag:a', 'a')), {
      message: 'Unexpected entity type. Expected: structuredProperty',
      pointer: `${AT}/propertyUrn`,
    });
  });

  it('a platform says where a column and a chart belong', async () => {
    const hive = await asset('on.hive', 'hive');
    expect((await put(hive, holds(property('v.hive'), 'a'))).status).toBe(200);
    await define(catalog, 'v.superset', 'string', {
      entityTypes: ASSET_TYPES,
      allowedPlatforms: ['urn:li:dataPlatform:hive'],
    });
    expect((await put(`urn:li:schemaField:(${hive},id)`, holds(property('v.superset'), 'a'))).status).toBe(
      200,
    );
    const chart = 'urn:li:chart:(superset,1)';
    await catalog.ingest([chart, 'status', { removed: false }]);
    expectRefusal(
      await put(chart, holds(property('v.superset'), 'a')),
      422,
      'RULE_VIOLATED',
      `${AT}/propertyUrn`,
    );
  });

  it('all of them are named', async () => {
    const urn = await asset();
    const answer = await put(
      urn,
      holds(property('v.color'), 'green'),
      holds(property('v.number'), 'a', 1, 'b'),
    );
    expect(answer.body.errors.map((e: { pointer: string }) => e.pointer)).toEqual([
      `${AT}/values/0`,
      `${AT.replace('0', '1')}/values/0`,
      `${AT.replace('0', '1')}/values/2`,
    ]);
  });

  it('one in a batch refuses the whole batch', async () => {
    const [good, bad] = [await asset(), await asset()];
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: [good, bad].map((urn, i) => ({
        entityType: 'dataset',
        entityUrn: urn,
        changeType: 'UPSERT',
        aspectName: 'structuredProperties',
        aspect: {
          value: JSON.stringify(setting(holds(property('v.color'), i === 0 ? 'red' : 'green'))),
          contentType: 'application/json',
        },
      })),
    });
    expectRefusal(answer, 422, 'RULE_VIOLATED', '/proposals/1/aspect/value/properties/0/values/0');
    expect(await shown(catalog, good)).toBeUndefined();
  });
});

describe('values of an immutable property', () => {
  it('stay as they were first set, whatever is written', async () => {
    const urn = await asset();
    const frozen = property('v.immutable');
    await put(urn, holds(frozen, 'a'), holds(property('v.one'), 'x'));
    const message = 'Cannot mutate / delete an immutable property';
    const refused = [
      () => put(urn, holds(frozen, 'b')),
      () => put(urn, holds(frozen, 'a', 'a')),
      () => put(urn),
      () => put(urn, holds(property('v.one'), 'y')),
      () => patch(catalog, urn, add(frozen, 'b')),
      () => patch(catalog, urn, remove(frozen)),
      () => catalog.propose(urn, 'structuredProperties', undefined, { changeType: 'DELETE' }),
    ];
    for (const write of refused) await expectNothingWritten(catalog, urn, write, { message });
    expect((await put(urn, holds(property('v.one'), 'y'), holds(frozen, 'a'))).status).toBe(200);
    expect((await patch(catalog, urn, remove(property('v.one')))).status).toBe(200);
    expect(await shown(catalog, urn)).toEqual({ 'v.immutable': ['a'] });
  });

  it('go with the entity', async () => {
    const urn = await asset();
    await put(urn, holds(property('v.immutable'), 'a'));
    await hardDelete(catalog, urn);
    expect(await shown(catalog, urn)).toBeUndefined();
  });
});

describe('a patch', () => {
  it('adds one property and removes one, and leaves the others', async () => {
    const urn = await asset();
    await patch(catalog, urn, add(property('v.one'), 'a'), add(property('v.number'), 1));
    await patch(catalog, urn, add(property('v.number'), 2, 3));
    expect(await shown(catalog, urn)).toEqual({ 'v.one': ['a'], 'v.number': [2, 3] });
    await patch(catalog, urn, remove(property('v.one')), remove(property('v.date')));
    expect(await shown(catalog, urn)).toEqual({ 'v.number': [2, 3] });
  });

  it('of another property at the same moment loses nothing', async () => {
    const urn = await asset();
    const names = Array.from({ length: 20 }, (_, i) => `v.many.${i}`);
    for (const name of names) await define(catalog, name, 'number');
    await Promise.all(names.map((name, i) => patch(catalog, urn, add(property(name), i))));
    expect(await shown(catalog, urn)).toEqual(Object.fromEntries(names.map((name, i) => [name, [i]])));
  });
});

describe('what has been right once', () => {
  it('does not stand in the way of other changes', async () => {
    const [narrow, urn] = [await define(catalog, 'v.narrow', 'string'), await asset()];
    await put(urn, holds(narrow, 'a'));
    await define(catalog, 'v.narrow', 'string', { entityTypes: [entityType('chart')] });
    expect((await patch(catalog, urn, add(property('v.number'), 1))).status).toBe(200);
    expect((await put(urn, holds(narrow, 'a'), holds(property('v.number'), 2))).status).toBe(200);
    expect(await shown(catalog, urn)).toEqual({ 'v.narrow': ['a'], 'v.number': [2] });
    await expectNothingWritten(catalog, urn, () => put(urn, holds(narrow, 'b')), {
      message: 'cannot be applied to a dataset',
      pointer: `${AT}/propertyUrn`,
    });
  });

  it('stays although its property is hidden, and nobody can change it then', async () => {
    const [hidden, urn] = [await define(catalog, 'v.hidden', 'string'), await asset()];
    await put(urn, holds(hidden, 'a'), holds(property('v.one'), 'x'));
    await softDelete(catalog, hidden);
    const denied = {
      message: 'Cannot apply a soft deleted Structured Property value',
      pointer: `${AT}/propertyUrn`,
    };
    await expectNothingWritten(catalog, urn, () => put(urn, holds(hidden, 'b')), denied);
    const other = await asset();
    await expectNothingWritten(catalog, other, () => put(other, holds(hidden, 'a')), denied);
    // What a client read before may come back with its other changes.
    expect((await put(urn, holds(hidden, 'a'), holds(property('v.one'), 'y'))).status).toBe(200);
    expect((await put(urn, holds(property('v.number'), 1))).status).toBe(200);
    expect((await patch(catalog, urn, remove(hidden), remove(property('v.number')))).status).toBe(200);
    expect(await shown(catalog, urn)).toEqual({});
    await softDelete(catalog, hidden, false);
    expect(await shown(catalog, urn)).toEqual({ 'v.hidden': ['a'] });
  });
});
