import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestCatalog, Answer } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { path } from '../openapi/support.js';
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
  add,
  assetWith,
  dataType,
  define,
  definition,
  expectNothingWritten,
  hardDelete,
  holds,
  patchOf,
  property,
  remove,
  setting,
  shown,
  softDelete,
} from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await startWithRules();
});
afterAll(() => catalog.stop());

/** A way to write one aspect; places of errors stand behind `at`. */
interface Way {
  at: string;
  write: (urn: string, aspect: string, value: unknown) => Promise<Answer>;
}

const WAYS: Array<[name: string, way: Way]> = [
  [
    'POST of an aspect, v3',
    {
      at: '/value',
      write: (urn, aspect, value) => catalog.post(path(urn, aspect), { value }),
    },
  ],
  [
    'POST of an entity, v3',
    {
      at: '/0/ASPECT/value',
      write: (urn, aspect, value) =>
        catalog.post(`/openapi/v3/entity/${urn.split(':')[2]}?async=false`, [{ urn, [aspect]: { value } }]),
    },
  ],
  [
    'POST of an aspect, v2',
    {
      at: '',
      write: (urn, aspect, value) => catalog.post(path(urn, aspect, 'v2'), value),
    },
  ],
];

const patched = (urn: string, aspect: string, body: unknown, version = 'v3'): Promise<Answer> =>
  catalog.request('PATCH', path(urn, aspect, version), {
    body,
    headers: { 'content-type': 'application/json-patch+json' },
  });

let count = 0;
/** A dataset that exists and holds one value, which every refused write must leave. */
const asset = (): Promise<string> =>
  assetWith(catalog, dataset(`openapi.${++count}`), holds(property('v.number'), 7));

describe.each(WAYS)('%s', (_, { at, write }) => {
  const pointerOf = (aspect: string, place: string): string => at.replace('ASPECT', aspect) + place;
  const DEFINITION = 'propertyDefinition';
  const VALUES = 'structuredProperties';
  const SETTINGS = 'structuredPropertySettings';

  it.each(BAD_DEFINITIONS)('of a definition with %s is refused', async (_, name, more, message, place) => {
    const urn = property(name);
    await expectNothingWritten(catalog, urn, () => write(urn, DEFINITION, definition(name, 'string', more)), {
      status: 400,
      message,
      pointer: pointerOf(DEFINITION, place),
    });
  });

  it.each(MISSING_REFERENCES)('of a definition with a missing %s is refused', async (_, more, place) => {
    const urn = property('d.missing');
    const send = () => write(urn, DEFINITION, definition('d.missing', 'string', more));
    await expectNothingWritten(catalog, urn, send, {
      status: 400,
      code: 'REFERENCE_MISSING',
      message: 'does not exist',
      pointer: pointerOf(DEFINITION, place),
    });
  });

  it.each(CHANGES)('that changes %s follows the rules', async (_, before, after, message, ...[place]) => {
    const name = `c.openapi.${++count}`;
    const urn = await define(catalog, name, 'string', before);
    const change = (version: object) =>
      write(urn, DEFINITION, definition(name, 'string', { ...after, ...version }));
    const pointer = pointerOf(DEFINITION, place ?? '');
    if (message === COMPATIBLE) expect((await change({})).status).toBe(200);
    else await expectNothingWritten(catalog, urn, () => change({}), { status: 400, message, pointer });
    expect((await change({ version: '20240102000000' })).status).toBe(200);
    await expectNothingWritten(catalog, urn, () => change({ version: '20240101000000' }), {
      status: 400,
      message: 'The version must not go back',
      pointer: pointerOf(DEFINITION, '/version'),
    });
  });

  it('that changes the name, or what is soft-deleted, is refused', async () => {
    const name = `c.openapi.${++count}`;
    const urn = await define(catalog, name, 'string');
    const change = (more: Record<string, unknown>) =>
      write(urn, DEFINITION, definition(name, 'string', more));
    await expectNothingWritten(catalog, urn, () => change({ qualifiedName: 'c.other' }), {
      status: 400,
      message: 'Cannot change the fully qualified name of a Structured Property',
      pointer: pointerOf(DEFINITION, '/qualifiedName'),
    });
    await softDelete(catalog, urn);
    await expectNothingWritten(catalog, urn, () => change({ displayName: 'D' }), {
      status: 400,
      message: 'Cannot mutate a soft deleted Structured Property Definition',
      pointer: pointerOf(DEFINITION, ''),
    });
  });

  it('whose name shares a search field is refused', async () => {
    const name = `n.openapi.${++count}`;
    const first = await define(catalog, name, 'string');
    const other = name.replaceAll('.', '_');
    await expectNothingWritten(
      catalog,
      property(other),
      () => write(property(other), DEFINITION, definition(other, 'string')),
      { status: 400, message: first, pointer: pointerOf(DEFINITION, '/qualifiedName') },
    );
  });

  it.each(BAD_SETTINGS)('of settings that hide and say %s is refused', async (place, both) => {
    const urn = await define(catalog, `s.openapi.${++count}`, 'string');
    await expectNothingWritten(catalog, urn, () => write(urn, SETTINGS, both), {
      status: 400,
      message: 'Cannot have property isHidden = true while other display location settings are also true.',
      pointer: pointerOf(SETTINGS, `/${place}`),
    });
    expect((await write(urn, SETTINGS, { [place]: true })).status).toBe(200);
    await hardDelete(catalog, urn);
  });

  it('of settings that make a second badge is refused', async () => {
    const first = await define(catalog, `s.openapi.${++count}`, 'string');
    const second = await define(catalog, `s.openapi.${++count}`, 'string');
    const badge = (urn: string) => write(urn, SETTINGS, { showAsAssetBadge: true });
    expect((await badge(first)).status).toBe(200);
    await expectNothingWritten(catalog, second, () => badge(second), {
      status: 400,
      message: first,
      pointer: pointerOf(SETTINGS, '/showAsAssetBadge'),
    });
    await hardDelete(catalog, first);
    expect((await badge(second)).status).toBe(200);
    await hardDelete(catalog, second);
  });

  it.each(BAD_VALUES)('with values that have %s is refused', async (_, name, values, message, place) => {
    const urn = await asset();
    await expectNothingWritten(
      catalog,
      urn,
      () => write(urn, VALUES, setting(holds(property(name), ...values))),
      {
        status: 400,
        code: name === 'v.none' ? 'REFERENCE_MISSING' : 'RULE_VIOLATED',
        message,
        pointer: pointerOf(VALUES, `/properties/0${place}`),
      },
    );
  });

  it.each<[string, Array<ReturnType<typeof holds>>, string, string]>([
    [
      'two entries of one property',
      [holds(property('v.one'), 'a'), holds(property('v.one'), 'a')],
      `${property('v.one')} has multiple entries`,
      '/properties/1/propertyUrn',
    ],
    [
      'an entry of a tag',
      [holds('urn:li:tag:a', 'a')],
      'Unexpected entity type. Expected: structuredProperty',
      '/properties/0/propertyUrn',
    ],
  ])('with %s is refused', async (_, entries, message, place) => {
    const urn = await asset();
    await expectNothingWritten(catalog, urn, () => write(urn, VALUES, setting(...entries)), {
      status: 400,
      message,
      pointer: pointerOf(VALUES, place),
    });
  });

  it('of values of a soft-deleted property is refused', async () => {
    const urn = await asset();
    const hidden = await define(catalog, `v.openapi.${++count}`, 'string');
    await softDelete(catalog, hidden);
    await expectNothingWritten(catalog, urn, () => write(urn, VALUES, setting(holds(hidden, 'a'))), {
      status: 400,
      message: 'Cannot apply a soft deleted Structured Property value',
      pointer: pointerOf(VALUES, '/properties/0/propertyUrn'),
    });
  });

  it('of another value of an immutable property, or of none, is refused', async () => {
    const urn = await asset();
    const frozen = property('v.immutable');
    expect((await write(urn, VALUES, setting(holds(frozen, 'a')))).status).toBe(200);
    for (const entries of [[holds(frozen, 'b')], []]) {
      await expectNothingWritten(catalog, urn, () => write(urn, VALUES, setting(...entries)), {
        status: 400,
        message: 'Cannot mutate / delete an immutable property',
      });
    }
  });

  it('of a dataset that does not exist is refused', async () => {
    const urn = dataset('openapi.none');
    for (const entries of [[holds(property('v.number'), 1)], []]) {
      await expectNothingWritten(catalog, urn, () => write(urn, VALUES, setting(...entries)), {
        status: 404,
        code: 'ENTITY_NOT_FOUND',
        message: `Asset with provided urn ${urn} does not exist`,
      });
    }
  });
});

describe.each(['v3', 'v2'])('PATCH of an aspect, %s', (version) => {
  it.each(BAD_VALUES)('with %s is refused', async (_, name, values, message, place) => {
    const urn = await asset();
    const send = () =>
      patched(urn, 'structuredProperties', patchOf([add(property(name), ...values)]), version);
    await expectNothingWritten(catalog, urn, send, {
      status: 400,
      code: name === 'v.none' ? 'REFERENCE_MISSING' : 'RULE_VIOLATED',
      message,
      pointer: `/properties/${name === 'v.number' ? 0 : 1}${place}`,
    });
  });

  it('of an immutable property is refused', async () => {
    const urn = await asset();
    const frozen = property('v.immutable');
    const send = (operation: unknown) => patched(urn, 'structuredProperties', patchOf([operation]), version);
    expect((await send(add(frozen, 'a'))).status).toBe(200);
    for (const operation of [add(frozen, 'b'), remove(frozen)]) {
      await expectNothingWritten(catalog, urn, () => send(operation), {
        status: 400,
        message: 'Cannot mutate / delete an immutable property',
      });
    }
    expect(await shown(catalog, urn)).toEqual({ 'v.number': [7], 'v.immutable': ['a'] });
  });

  it('of settings goes through the same rules', async () => {
    const urn = await define(catalog, `s.openapi.patch.${version}`, 'string');
    await catalog.ingest([urn, 'structuredPropertySettings', { showInColumnsTable: true }]);
    const hide = { patch: [{ op: 'add', path: '/isHidden', value: true }] };
    await expectNothingWritten(
      catalog,
      urn,
      () => patched(urn, 'structuredPropertySettings', hide, version),
      { status: 400, message: 'Cannot have property isHidden = true', pointer: '/showInColumnsTable' },
    );
  });

  it('of a definition goes through the same rules', async () => {
    const urn = await define(catalog, `c.openapi.patch.${version}`, 'string');
    const send = () =>
      patched(
        urn,
        'propertyDefinition',
        { patch: [{ op: 'replace', path: '/valueType', value: dataType('number') }] },
        version,
      );
    await expectNothingWritten(catalog, urn, send, {
      status: 400,
      message: 'Value type cannot be changed',
      pointer: '/valueType',
    });
  });
});
