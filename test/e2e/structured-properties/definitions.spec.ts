import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import {
  BAD_DEFINITIONS,
  BAD_SETTINGS,
  CHANGES,
  COMPATIBLE,
  MISSING_REFERENCES,
  versionIn,
} from './rules.js';
import {
  dataType,
  define,
  definition,
  expectNothingWritten,
  found,
  hardDelete,
  holds,
  property,
  setting,
  softDelete,
} from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const VALUE = '/proposal/aspect/value';
const propose = (name: string, type: string, more: Record<string, unknown> = {}) =>
  catalog.propose(property(name), 'propertyDefinition', definition(name, type, more));

describe('a definition', () => {
  it.each(BAD_DEFINITIONS)('with %s is refused', async (_, name, more, message, place) => {
    await expectNothingWritten(catalog, property(name), () => propose(name, 'string', more), {
      message,
      pointer: VALUE + place,
    });
  });

  it.each(MISSING_REFERENCES)('with a missing %s is refused', async (_, more, place) => {
    const name = 'd.missing';
    await expectNothingWritten(catalog, property(name), () => propose(name, 'string', more), {
      code: 'REFERENCE_MISSING',
      message: 'does not exist',
      pointer: VALUE + place,
    });
  });

  it('with a data type of somebody else is refused: nobody knows what its values are', async () => {
    await catalog.ingest([dataType('point'), 'dataTypeInfo', { qualifiedName: 'platform.point' }]);
    await expectNothingWritten(catalog, property('d.point'), () => propose('d.point', 'point'), {
      message: 'valueType must be one of the data types string, rich_text, number, date, urn',
      pointer: `${VALUE}/valueType`,
    });
  });

  it('is kept with the vendor word that it was written with', async () => {
    const written = definition('d.vendor', 'string', {
      valueType: 'urn:li:dataType:acme.string',
      entityTypes: ['urn:li:entityType:acme.dataset'],
    });
    await catalog.ingest([property('d.vendor'), 'propertyDefinition', written]);
    expect(await catalog.read(property('d.vendor'), 'propertyDefinition')).toMatchObject(written);
    expect((await propose('d.vendor', 'string')).status).toBe(200);
  });

  it('is all there is of a property: it cannot be deleted alone', async () => {
    const urn = await define(catalog, 'd.alone', 'string');
    const remove = () => catalog.propose(urn, 'propertyDefinition', undefined, { changeType: 'DELETE' });
    await expectNothingWritten(catalog, urn, remove, { message: 'cannot be without its definition' });
  });
});

describe('a change of a definition', () => {
  const V1 = { version: '20240101000000' };
  const V2 = { version: '20240102000000' };

  describe.each(CHANGES)('%s', (title, before, after, message, field) => {
    const name = (when: string): string => `c.${when}.${title.replaceAll(/[ ,]/g, '-')}`;

    it('without a version', async () => {
      const urn = await define(catalog, name('plain'), 'string', before);
      const change = () => propose(name('plain'), 'string', after);
      if (message === COMPATIBLE) expect((await change()).status).toBe(200);
      else await expectNothingWritten(catalog, urn, change, { message, pointer: `${VALUE}${field}` });
    });

    it('with the same version as before', async () => {
      const urn = await define(catalog, name('same'), 'string', { ...before, ...V1 });
      const change = () => propose(name('same'), 'string', { ...after, ...V1 });
      if (message === COMPATIBLE) expect((await change()).status).toBe(200);
      else await expectNothingWritten(catalog, urn, change, { message, pointer: `${VALUE}${field}` });
    });

    it('with the first version, and with a greater one', async () => {
      await define(catalog, name('first'), 'string', before);
      expect((await propose(name('first'), 'string', { ...after, ...V1 })).status).toBe(200);
      await define(catalog, name('greater'), 'string', { ...before, ...V1 });
      expect((await propose(name('greater'), 'string', { ...after, ...V2 })).status).toBe(200);
    });

    it('with a lower version, or none where there was one, is refused', async () => {
      const urn = await define(catalog, name('lower'), 'string', { ...before, ...V2 });
      const to = (version: object) => () => propose(name('lower'), 'string', { ...after, ...version });
      const refused = { message: 'The version must not go back', pointer: `${VALUE}/version` };
      await expectNothingWritten(catalog, urn, to(V1), refused);
      await expectNothingWritten(catalog, urn, to({}), refused);
    });
  });

  it('with a version some hours ahead of the clock, and one after it', async () => {
    await define(catalog, 'c.ahead', 'string', { version: versionIn(20) });
    expect((await propose('c.ahead', 'number', { version: versionIn(21) })).status).toBe(200);
  });

  it('of its name is refused, with a version too', async () => {
    const urn = await define(catalog, 'c.name', 'string');
    for (const version of [{}, V1]) {
      const rename = () => propose('c.name', 'string', { ...version, qualifiedName: 'c.other' });
      await expectNothingWritten(catalog, urn, rename, {
        message: 'Cannot change the fully qualified name of a Structured Property',
        pointer: `${VALUE}/qualifiedName`,
      });
    }
  });

  it('by a patch goes through the same rules', async () => {
    const urn = await define(catalog, 'c.patch', 'string');
    const change = () =>
      catalog.propose(
        urn,
        'propertyDefinition',
        [{ op: 'replace', path: '/valueType', value: dataType('number') }],
        { changeType: 'PATCH' },
      );
    await expectNothingWritten(catalog, urn, change, {
      message: 'Value type cannot be changed',
      pointer: `${VALUE}/valueType`,
    });
  });

  it('is denied while the property is soft-deleted', async () => {
    const urn = await define(catalog, 'c.soft', 'string');
    await softDelete(catalog, urn);
    const change = () => propose('c.soft', 'string', { displayName: 'D' });
    await expectNothingWritten(catalog, urn, change, {
      message: 'Cannot mutate a soft deleted Structured Property Definition',
      pointer: VALUE,
    });
    await softDelete(catalog, urn, false);
    expect((await change()).status).toBe(200);
  });
});

describe('names that share a search field', () => {
  it('are refused, naming the first, until that one is permanently deleted', async () => {
    const first = await define(catalog, 'n.a.b', 'string');
    const clash = { message: first, pointer: `${VALUE}/qualifiedName` };
    for (const name of ['n.a_b', 'n_a.b', 'n_a_b']) {
      await expectNothingWritten(catalog, property(name), () => propose(name, 'number'), clash);
    }
    await softDelete(catalog, first);
    await expectNothingWritten(catalog, property('n.a_b'), () => propose('n.a_b', 'number'), clash);
    await hardDelete(catalog, first);
    expect((await propose('n.a_b', 'number')).status).toBe(200);
    expectRefusal(await propose('n.a.b', 'string'), 422, 'RULE_VIOLATED', `${VALUE}/qualifiedName`);
  });

  it('go to one of many that come at the same moment', async () => {
    const names = Array.from({ length: 32 }, (_, i) => {
      const bits = i.toString(2).padStart(5, '0');
      return `m${[...bits].map((bit) => (bit === '0' ? '.x' : '_x')).join('')}`;
    });
    const answers = await Promise.all(names.map((name) => propose(name, 'string')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(31);
  });

  it('within one request are refused too, and the whole request with them', async () => {
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: ['o.a.b', 'o.a_b'].map((name) => ({
        entityType: 'structuredProperty',
        entityUrn: property(name),
        changeType: 'UPSERT',
        aspectName: 'propertyDefinition',
        aspect: { value: JSON.stringify(definition(name, 'string')), contentType: 'application/json' },
      })),
    });
    expectRefusal(answer, 422, 'RULE_VIOLATED', '/proposals/1/aspect/value/qualifiedName');
    expect(await catalog.read(property('o.a.b'), 'propertyDefinition')).toBeUndefined();
    // What the refused request asked for is free.
    expect((await propose('o.a_b', 'string')).status).toBe(200);
  });

  it('stay with a property that a refused request deletes and defines anew', async () => {
    const urn = await define(catalog, 'o.kept', 'string');
    const asset = dataset('o.kept');
    await catalog.ingest([asset, 'datasetProperties', { name: 'kept' }]);
    await catalog.ingest([asset, 'structuredProperties', setting(holds(urn, 'x'))]);
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: [
        proposal(urn, 'structuredPropertyKey', undefined, { changeType: 'DELETE' }),
        proposal(urn, 'propertyDefinition', definition('o.kept', 'string')),
        proposal(asset, 'structuredProperties', setting(holds(urn, 1))),
      ],
    });
    expectRefusal(answer, 422, 'RULE_VIOLATED');
    expect(await found(catalog, 'o.kept', 'EQUAL', 'x')).toEqual(['o.kept']);
    expectRefusal(await propose('o_kept', 'string'), 422, 'RULE_VIOLATED', `${VALUE}/qualifiedName`);
  });
});

describe('settings', () => {
  const settings = (name: string, more: object) =>
    catalog.propose(property(name), 'structuredPropertySettings', more);

  it.each(BAD_SETTINGS)('hide a property, or say %s, but not both', async (place, both) => {
    const urn = await define(catalog, `s.${place}`, 'string');
    await expectNothingWritten(catalog, urn, () => settings(`s.${place}`, both), {
      message: 'Cannot have property isHidden = true while other display location settings are also true.',
      pointer: `${VALUE}/${place}`,
    });
    expect((await settings(`s.${place}`, { isHidden: true })).status).toBe(200);
  });

  it('make one property at most the badge of assets', async () => {
    const first = await define(catalog, 's.badge.1', 'string');
    const second = await define(catalog, 's.badge.2', 'string');
    const badge = { showAsAssetBadge: true };
    expect((await settings('s.badge.1', badge)).status).toBe(200);
    expect((await settings('s.badge.1', { ...badge, showInColumnsTable: true })).status).toBe(200);
    const refused = { message: first, pointer: `${VALUE}/showAsAssetBadge` };
    await expectNothingWritten(catalog, second, () => settings('s.badge.2', badge), refused);
    expect((await settings('s.badge.1', {})).status).toBe(200);
    expect((await settings('s.badge.2', badge)).status).toBe(200);
    await hardDelete(catalog, second);
    expect((await settings('s.badge.1', badge)).status).toBe(200);
    await catalog.propose(first, 'structuredPropertySettings', undefined, { changeType: 'DELETE' });
    await define(catalog, 's.badge.3', 'string');
    expect((await settings('s.badge.3', badge)).status).toBe(200);
  });
});

describe('data types and entity types', () => {
  const [shipped, other, unknown] = ['platform.string', 'acme.string', 'acme.nothing'].map(
    (name) => `urn:li:dataType:${name}`,
  ) as [string, string, string];

  it('are found under any vendor word, and answered under the one that was asked with', async () => {
    for (const urn of [shipped, other]) {
      const { status, body } = await catalog.get(`/openapi/v3/entity/datatype/${urn}`);
      expect(status).toBe(200);
      expect([body.urn, body.dataTypeInfo.value.displayName]).toEqual([urn, 'String']);
      expect((await catalog.read(urn, 'dataTypeInfo')).displayName).toBe('String');
      const { body: answer } = await catalog.post('/api/graphql', {
        query: `{ entityExists(urn: "${urn}") entity(urn: "${urn}") { urn ... on DataTypeEntity { info { qualifiedName } } } }`,
      });
      expect(answer.data).toEqual({
        entityExists: true,
        entity: { urn, info: { qualifiedName: urn.slice('urn:li:dataType:'.length) } },
      });
    }
    expect((await catalog.get(`/openapi/v3/entity/entitytype/urn:li:entityType:acme.dataset`)).status).toBe(
      200,
    );
  });

  it('are found in what names them under any vendor word', async () => {
    const name = 's.for.models';
    await define(catalog, name, 'string', { entityTypes: ['urn:li:entityType:acme.mlModel'] });
    for (const word of ['acme', 'platform', 'datahub']) {
      const type = `urn:li:entityType:${word}.mlModel`;
      const filter = { or: [{ and: [{ field: 'entityTypes', condition: 'EQUAL', values: [type] }] }] };
      const search = { entity: 'structuredProperty', input: '*', filter };
      const { body } = await catalog.post('/entities?action=search', search);
      expect(body.value.entities).toEqual([property(name)]);
      for (const query of [`entityTypes:"${type}"`, `entityTypes:${type}`]) {
        const list = await catalog.get(
          `/openapi/v3/entity/structuredproperty?query=${encodeURIComponent(query)}`,
        );
        expect(list.body.entities.map(({ urn }: { urn: string }) => urn)).toEqual([property(name)]);
      }
      const typed = { ...search, filter: undefined, input: `entityTypes:${type}` };
      expect((await catalog.post('/entities?action=search', typed)).body.value.numEntities).toBe(1);
      const there = { ...search, entity: 'entityType' };
      there.filter.or[0]!.and[0]!.field = 'urn';
      expect((await catalog.post('/entities?action=search', there)).body.value.entities).toEqual([
        'urn:li:entityType:platform.mlModel',
      ]);
    }
  });

  it('come in the order of a list, which has nothing for a name that there is not', async () => {
    const answer = await catalog.post(
      '/openapi/v3/entity/datatype/batchGet',
      [other, unknown, shipped].map((urn) => ({ urn, dataTypeInfo: {} })),
    );
    expect(answer.body.map(({ urn }: { urn: string }) => urn)).toEqual([other, shipped]);
    expect((await catalog.get(`/openapi/v3/entity/datatype/${unknown}`)).status).toBe(404);
  });
});
