import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Model } from '../../../catalog/model/index.js';
import { applyPatch } from './apply-patch.js';
import { readPatchDocument } from './patch-document.js';

type Value = Record<string, unknown>;

const MODEL = Model.load();
/** An aspect of the shipped model; another name stands for one without keyed arrays. */
const specOf = (name: string) =>
  MODEL.aspects.get(name) ?? { arrayKeys: [], parallelLists: [], patchStamps: [] };
const run = (aspect: string, current: Value, body: unknown): Value =>
  applyPatch(specOf(aspect), current, readPatchDocument(body));
const refused = (code: string, pointer: string): unknown =>
  expect.objectContaining({ code, errors: [expect.objectContaining({ pointer })] });
const [A, B, C] = ['a', 'b', 'c'].map((name) => `urn:li:structuredProperty:${name}`) as [
  string,
  string,
  string,
];
const entry = (propertyUrn: string, double = 1): Value => ({ propertyUrn, values: [{ double }] });
const TWO = { properties: [entry(A), entry(B)] };
const KEYS = { arrayPrimaryKeys: { properties: ['propertyUrn'] } };

describe('the key of an element', () => {
  describe.each([
    ['sent', KEYS],
    ['built in', {}],
  ])('%s', (_name, keys) => {
    const patched = (...patch: unknown[]): Value => run('structuredProperties', TWO, { ...keys, patch });

    it.each(['add', 'replace', 'test'])('must agree in the path and in the value: %s', (op) => {
      expect(() => patched({ op, path: `/properties/${A}`, value: entry(B, 2) })).toThrow(
        refused('PATCH_MALFORMED', '/patch/0/value/propertyUrn'),
      );
    });

    it.each(['add', 'replace'])('cannot be changed from inside the element: %s', (op) => {
      expect(() => patched({ op, path: `/properties/${A}/propertyUrn`, value: B })).toThrow(
        refused('PATCH_MALFORMED', '/patch/0/path'),
      );
      expect(patched({ op, path: `/properties/${A}/propertyUrn`, value: A })).toEqual(TWO);
    });

    it.each(['move', 'copy'])('belongs to the element: %s', (op) => {
      const operation = { op, from: `/properties/${A}`, path: `/properties/${C}` };
      expect(() => patched(operation)).toThrow(refused('PATCH_MALFORMED', '/patch/0/value/propertyUrn'));
      expect(patched({ ...operation, path: `/properties/${A}` })).toEqual(TWO);
    });

    it('is taken from the path when the value lacks it, and stays when it is removed', () => {
      expect(patched({ op: 'add', path: `/properties/${C}`, value: { values: [{ double: 3 }] } })).toEqual({
        properties: [...TWO.properties, entry(C, 3)],
      });
      expect(patched({ op: 'remove', path: `/properties/${A}/propertyUrn` })).toEqual(TWO);
    });
  });

  it('must agree where it has several parts, and where a part is empty', () => {
    const keys = { arrayPrimaryKeys: { tags: ['attribution\u241fsource', 'tag'] } };
    const of = (source: string): Value => ({
      tag: 'urn:li:tag:x',
      attribution: { source, time: 1, actor: 'a' },
    });
    const add = (path: string, value: Value) => () =>
      run('globalTags', { tags: [of('s1')] }, { ...keys, patch: [{ op: 'add', path, value }] });
    const wrong = refused('PATCH_MALFORMED', '/patch/0/value/attribution/source');
    expect(add('/tags/s2/urn:li:tag:x', of('s1'))).toThrow(wrong);
    expect(add('/tags//urn:li:tag:x', of('s1'))).toThrow(wrong);
    expect(add('/tags/s1/urn:li:tag:x', { tag: 'urn:li:tag:x' })).toThrow(wrong);
    expect(add('/tags/s1/urn:li:tag:y', of('s1'))).toThrow(refused('PATCH_MALFORMED', '/patch/0/value/tag'));
    expect(add('/tags/s2/urn:li:tag:x', of('s2'))()).toEqual({ tags: [of('s1'), of('s2')] });
    const without = { ...keys, patch: [{ op: 'remove', path: '/tags/s1/urn:li:tag:x/attribution' }] };
    expect(() => run('globalTags', { tags: [of('s1')] }, without)).toThrow(
      refused('PATCH_MALFORMED', '/patch/0/path'),
    );
  });

  it('must agree in lists of plain values, in columns, and in column lineage', () => {
    const D = 'urn:li:dataset:(urn:li:dataPlatform:s3,a,PROD)';
    expect(() =>
      run('siblings', { siblings: [] }, [{ op: 'add', path: `/siblings/${D}`, value: `${D}x` }]),
    ).toThrow(refused('PATCH_MALFORMED', '/0/value'));
    const column = '/editableSchemaFieldInfo/a';
    const nested = {
      op: 'add',
      path: `${column}/globalTags/tags/urn:li:tag:x`,
      value: { tag: 'urn:li:tag:y' },
    };
    expect(() => run('editableSchemaMetadata', {}, [nested])).toThrow(
      refused('PATCH_MALFORMED', '/0/value/tag'),
    );
    expect(() =>
      run('editableSchemaMetadata', {}, [{ op: 'add', path: column, value: { fieldPath: 'b' } }]),
    ).toThrow(refused('PATCH_MALFORMED', '/0/value/fieldPath'));
    const edge = (value: unknown) => () =>
      run('upstreamLineage', {}, [{ op: 'add', path: '/fineGrainedLineages/NONE/x/NONE/a', value }]);
    expect(edge({ confidenceScore: 1, upstreams: ['b'] })).toThrow(refused('PATCH_MALFORMED', '/0/value'));
    expect(edge({ confidenceScore: 1, transformOperation: 'JOIN' })).toThrow(
      refused('PATCH_MALFORMED', '/0/value'),
    );
    expect(edge({ confidenceScore: 1, upstreams: ['a'], downstreams: ['x'] })()).toMatchObject({
      fineGrainedLineages: [{ upstreams: ['a'], downstreams: ['x'] }],
    });
    const partial = [{ op: 'add', path: '/fineGrainedLineages/NONE/x', value: { confidenceScore: 1 } }];
    expect(() => run('upstreamLineage', {}, partial)).toThrow(refused('PATCH_MALFORMED', '/0/path'));
  });

  it('must be whole where something is brought', () => {
    const keys = { arrayPrimaryKeys: { owners: ['owner', 'type'] } };
    const owners = [{ owner: 'urn:li:corpuser:a', type: 'NONE' }];
    const value = (path: string, more: Value) => () =>
      run('ownership', { owners }, { ...keys, patch: [{ op: 'add', path, ...more }] });
    expect(value('/owners/urn:li:corpuser:b', { value: 5 })).toThrow(
      refused('PATCH_MALFORMED', '/patch/0/path'),
    );
    expect(value('/owners/x', { op: 'copy', from: '/owners/urn:li:corpuser:a' })).toThrow(
      refused('PATCH_MALFORMED', '/patch/0/from'),
    );
  });

  it('is not read from an index: what an index names is told by its place', () => {
    const tags = (...names: string[]): Value => ({ tags: names.map((tag) => ({ tag })) });
    const at = (op: string, index: string, ...value: string[]) =>
      run('globalTags', tags('a', 'b'), [{ op, path: `/tags/${index}`, value: { tag: value[0] } }]);
    expect(at('add', '0', 'c')).toEqual(tags('c', 'a', 'b'));
    expect(at('add', '2', 'c')).toEqual(tags('a', 'b', 'c'));
    expect(at('add', '0', 'b')).toEqual(tags('a', 'b'));
    expect(at('replace', '0', 'c')).toEqual(tags('c', 'b'));
    expect(() => at('add', '3', 'c')).toThrow(refused('PATCH_MALFORMED', '/0/value/tag'));
    const of = (double: number): Value => ({ value: { double } });
    const many = { allowedValues: [11, 12, 13].map(of) };
    expect(run('propertyDefinition', many, [{ op: 'remove', path: '/allowedValues/1' }])).toEqual(many);
    const add = [{ op: 'add', path: '/allowedValues/2', value: of(2) }];
    expect(run('propertyDefinition', many, add)).toEqual({ allowedValues: [11, 12, 13, 2].map(of) });
    const prompts = { prompts: [{ id: '007', title: 't' }] };
    expect(run('formInfo', prompts, [{ op: 'remove', path: '/prompts/7' }])).toEqual(prompts);
    const twins = { tags: [{ tag: 'a' }, { tag: 'a', context: 'c' }, { tag: 'b' }] };
    expect(run('globalTags', twins, [{ op: 'remove', path: '/tags/2' }])).toEqual({
      tags: twins.tags.slice(0, 2),
    });
    expect(() => run('globalTags', twins, [{ op: 'remove', path: '/tags/1' }])).toThrow(
      expect.objectContaining({ code: 'PATCH_NOT_APPLICABLE' }),
    );
  });

  it('a copy of a keyed array is an array', () => {
    const patch = [{ op: 'copy', from: '/properties', path: '/other' }];
    expect(run('structuredProperties', TWO, { ...KEYS, patch })).toEqual({ ...TWO, other: TWO.properties });
  });

  it.each(
    [...MODEL.aspects.values()].flatMap(({ name, arrayKeys }) =>
      arrayKeys.flatMap(({ path: [array, ...inner], keys }) =>
        inner.length === 0 ? [[name, array!, keys] as const] : [],
      ),
    ),
  )('a patch that does not name an entry never changes it: %s %s', (aspect, array, keys) => {
    const names = ['a', 'b', 'c', 'd', 'x1', 'x y', '~', '=', '-'];
    const element = (key: string, n: number): unknown =>
      keys[0]?.length === 0
        ? key
        : { ...Object.fromEntries(keys.map(([name], i) => [name, i === 0 ? key : 'T'])), n };
    const keyOf = (value: unknown): string =>
      typeof value === 'string' ? value : String((value as Value)[keys[0]?.[0] as string]);
    const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
    const step = fc.record({
      op: fc.constantFrom('add', 'replace', 'remove', 'move', 'copy', 'test'),
      key: fc.constantFrom(...names),
      other: fc.constantFrom(...names),
      n: fc.nat(3),
      inside: fc.boolean(),
    });
    const start = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 6 });
    fc.assert(
      fc.property(start, fc.array(step, { minLength: 1, maxLength: 4 }), (present, steps) => {
        const before = present.map((key) => element(key, 9));
        const rest = keys.length > 1 ? '/T' : '';
        const patch = steps.map(({ op, key, other, n, inside }) => {
          const path = `/${array}/${escape(key)}${rest}${inside && keys[0]?.length ? `/${keys[0][0]}` : ''}`;
          if (op === 'remove') return { op, path };
          if (op === 'move' || op === 'copy') return { op, path, from: `/${array}/${escape(other)}${rest}` };
          return { op, path, value: inside ? other : element(other, n) };
        });
        let after: unknown[];
        try {
          after = (run(aspect, { [array]: before }, { patch })[array] ?? []) as unknown[];
        } catch {
          return;
        }
        const named = new Set(
          // What "-" appends is named by the value.
          steps.flatMap(({ op, key, other }) => (op === 'move' || key === '-' ? [key, other] : [key])),
        );
        const kept = before.filter((value) => !named.has(keyOf(value)));
        expect(after.filter((value) => present.includes(keyOf(value)) && !named.has(keyOf(value)))).toEqual(
          kept,
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('names that no member may have', () => {
  it.each([
    ['__proto__', '/customProperties/__proto__'],
    ['__proto__', '/customProperties/__proto__/x'],
    ['constructor', '/constructor/prototype/x'],
    ['constructor', '/customProperties/constructor'],
  ])('%s in %s is refused', (_name, path) => {
    const current = { customProperties: { a: '1' } };
    const attempt = (operation: Value) => () => run('datasetProperties', current, { patch: [operation] });
    for (const op of ['add', 'replace', 'remove', 'test'])
      expect(attempt({ op, path, value: 'x' })).toThrow(refused('JSON_FORBIDDEN_KEY', '/patch/0/path'));
    for (const op of ['move', 'copy']) {
      expect(attempt({ op, path, from: '/customProperties/a' })).toThrow(
        refused('JSON_FORBIDDEN_KEY', '/patch/0/path'),
      );
      expect(attempt({ op, path: '/customProperties/b', from: path })).toThrow(
        refused('JSON_FORBIDDEN_KEY', '/patch/0/from'),
      );
    }
  });

  it('are refused inside keyed elements, and __proto__ as a key; a column may be called constructor', () => {
    const of = (path: string) => () => run('editableSchemaMetadata', {}, [{ op: 'add', path, value: 'x' }]);
    expect(of('/editableSchemaFieldInfo/a/constructor')).toThrow(refused('JSON_FORBIDDEN_KEY', '/0/path'));
    expect(of('/editableSchemaFieldInfo/__proto__/description')).toThrow(
      refused('JSON_FORBIDDEN_KEY', '/0/path'),
    );
    expect(of('/editableSchemaFieldInfo/constructor/description')()).toEqual({
      editableSchemaFieldInfo: [{ fieldPath: 'constructor', description: 'x' }],
    });
  });
});

describe('bounds', () => {
  const current = { customProperties: { a: 'x'.repeat(100) } };
  const copies = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      op: 'copy',
      from: '/customProperties',
      path: `/customProperties/c${i}`,
    }));

  it('copies that double the document are refused long before memory ends', () => {
    expect(() => run('datasetProperties', current, { patch: copies(23) })).toThrow(
      expect.objectContaining({
        code: 'PATCH_TOO_LARGE',
        message: expect.stringMatching(/4194304.*add \d+/),
      }),
    );
    expect(
      Object.keys(run('datasetProperties', current, { patch: copies(10) })['customProperties'] as Value),
    ).toHaveLength(11);
  });

  it('what replaces a copy does not give its cost back', () => {
    const value = { customProperties: { a: 'x'.repeat(1024 * 1024) } };
    const patch = Array.from({ length: 10 }, () => ({ op: 'copy', from: '/customProperties/a', path: '/b' }));
    expect(() => run('datasetProperties', value, { patch })).toThrow(
      refused('PATCH_TOO_LARGE', '/patch/3/from'),
    );
  });

  it('nothing is nested deeper than JSON may be', () => {
    const path = '/a'.repeat(70);
    expect(() => run('any', {}, [{ op: 'add', path, value: 1 }])).toThrow(
      expect.objectContaining({ code: 'JSON_TOO_DEEP' }),
    );
    expect(() => run('any', {}, [{ op: 'add', path: '/a'.repeat(100_000), value: 1 }])).toThrow(
      expect.objectContaining({ code: 'JSON_TOO_DEEP' }),
    );
    const nest = Array.from({ length: 200 }, () => ({ op: 'copy', from: '/a', path: '/a/a' }));
    expect(() => run('any', { a: { b: 1 } }, nest)).toThrow(
      expect.objectContaining({ code: 'JSON_TOO_DEEP' }),
    );
    expect(run('any', {}, [{ op: 'add', path: '/a'.repeat(60), value: 1 }])).toBeDefined();
  });

  it('elements that are passed again and again are counted', () => {
    const list = Array.from({ length: 50_000 }, (_, i) => i);
    const patch = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/list/0', value: 1 }));
    expect(() => run('any', { list }, patch)).toThrow(expect.objectContaining({ code: 'PATCH_TOO_LARGE' }));
  });
});
