import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Model } from '../../../catalog/model/index.js';
import fastJsonPatch from 'fast-json-patch';
import { applyInSteps, applyPatch } from './apply-patch.js';
import { PatchBudget } from './patch-budget.js';
import { readPatchDocument } from './patch-document.js';

const MODEL = Model.load();
/** An aspect of the shipped model; another name stands for one without keyed arrays. */
const specOf = (name: string) =>
  MODEL.aspects.get(name) ?? { arrayKeys: [], parallelLists: [], patchStamps: [] };
const run = (aspect: string, current: Record<string, unknown>, body: unknown) =>
  applyPatch(specOf(aspect), current, readPatchDocument(body));
const add = (path: string, value: unknown) => ({ op: 'add', path, value });
const remove = (path: string) => ({ op: 'remove', path, value: {} });
const D = 'urn:li:dataset:(urn:li:dataPlatform:s3,a,PROD)';
const FIELD = (name: string) => `urn:li:schemaField:(${D},${name})`;

describe('applyPatch', () => {
  describe('keys that come with the patch', () => {
    const keys = { arrayPrimaryKeys: { tags: ['attribution\u241fsource', 'tag'] } };

    it('an empty segment stands for a key that the element lacks', () => {
      const body = { ...keys, patch: [add('/tags//urn:li:tag:x', { tag: 'urn:li:tag:x' })] };
      expect(run('globalTags', { tags: [{ tag: 'urn:li:tag:y' }] }, body)).toEqual({
        tags: [{ tag: 'urn:li:tag:y' }, { tag: 'urn:li:tag:x' }],
      });
    });

    it('a nested key tells equal tags of different sources apart', () => {
      const of = (source: string) => ({ tag: 'urn:li:tag:x', attribution: { source, time: 1, actor: 'a' } });
      const body = {
        ...keys,
        patch: [add('/tags/s2/urn:li:tag:x', of('s2')), remove('/tags/s1/urn:li:tag:x')],
      };
      expect(run('globalTags', { tags: [of('s1')] }, body)).toEqual({ tags: [of('s2')] });
    });

    it('a remove shorter than the keys takes the whole branch', () => {
      const owner = (o: string, type: string) => ({ owner: o, type });
      const body = {
        arrayPrimaryKeys: { owners: ['owner', 'type', 'typeUrn', 'attribution\u241fsource'] },
        patch: [remove('/owners/urn:li:corpuser:a')],
      };
      const owners = [
        owner('urn:li:corpuser:a', 'DATAOWNER'),
        owner('urn:li:corpuser:b', 'NONE'),
        owner('urn:li:corpuser:a', 'NONE'),
      ];
      expect(run('ownership', { owners }, body)).toEqual({ owners: [owner('urn:li:corpuser:b', 'NONE')] });
    });

    describe('an add shorter than the keys, with a map of elements', () => {
      const of = (tag: string, source?: string) => ({
        tag: `urn:li:tag:${tag}`,
        ...(source !== undefined && { attribution: { source, time: 1, actor: 'a' } }),
      });
      const branch = (source: string, ...names: string[]) => ({
        ...keys,
        patch: [
          add(`/tags/${source}`, Object.fromEntries(names.map((n) => [`urn:li:tag:${n}`, of(n, source)]))),
        ],
      });
      const tags = [of('x', 's1'), of('y', 's2'), of('z')];

      it('replaces the branch, which keeps its place', () => {
        const next = run('globalTags', { tags }, branch('s1', 'v', 'w'));
        expect(next).toEqual({ tags: [of('v', 's1'), of('w', 's1'), of('y', 's2'), of('z')] });
        expect(run('globalTags', next, branch('s1', 'v', 'w'))).toEqual(next);
      });

      it('makes the branch, and the aspect', () => {
        expect(run('globalTags', {}, branch('s3', 'v'))).toEqual({ tags: [of('v', 's3')] });
      });

      it('takes the branch when the map is empty', () => {
        expect(run('globalTags', { tags }, branch('s1'))).toEqual({ tags: [of('y', 's2'), of('z')] });
      });

      it('goes several keys deep', () => {
        const owner = (type: string, typeUrn?: string) => ({
          owner: 'urn:li:corpuser:a',
          type,
          ...(typeUrn !== undefined && { typeUrn }),
        });
        const map = { CUSTOM: { t1: owner('CUSTOM', 't1'), t2: owner('CUSTOM', 't2') } };
        const body = {
          arrayPrimaryKeys: { owners: ['owner', 'type', 'typeUrn'] },
          patch: [add('/owners/urn:li:corpuser:a', map)],
        };
        expect(run('ownership', { owners: [owner('NONE')] }, body)).toEqual({
          owners: [owner('CUSTOM', 't1'), owner('CUSTOM', 't2')],
        });
      });

      it('refuses elements with other keys than their place', () => {
        const body = { ...keys, patch: [add('/tags/s1', { 'urn:li:tag:x': of('x', 's2') })] };
        expect(() => run('globalTags', { tags }, body)).toThrow('they must agree');
        const texts = { ...keys, patch: [add('/tags/s1', { 'urn:li:tag:x': 'x' })] };
        expect(() => run('globalTags', { tags }, texts)).toThrow('they must agree');
      });

      it('is an element where the value has keys of one', () => {
        const body = { ...keys, patch: [add('/tags/s1', of('v', 's1'))] };
        expect(run('globalTags', { tags: [] }, body)).toEqual({ tags: [of('v', 's1')] });
      });
    });

    it('replaces the entry of an equal key and keeps the others (structured properties)', () => {
      const entry = (name: string, ...values: number[]) => ({
        propertyUrn: `urn:li:structuredProperty:${name}`,
        values: values.map((double) => ({ double })),
      });
      const body = {
        arrayPrimaryKeys: { properties: ['propertyUrn'] },
        patch: [
          add('/properties/urn:li:structuredProperty:a', entry('a', 9)),
          remove('/properties/urn:li:structuredProperty:c'),
        ],
      };
      expect(
        run('structuredProperties', { properties: [entry('a', 1), entry('b', 2), entry('c', 3)] }, body),
      ).toEqual({
        properties: [entry('a', 9), entry('b', 2)],
      });
    });
  });

  describe('built-in keys', () => {
    it.each([
      ['globalTags', 'tags', 'tag', 'urn:li:tag:x'],
      ['glossaryTerms', 'terms', 'urn', 'urn:li:glossaryTerm:x'],
      ['upstreamLineage', 'upstreams', 'dataset', D],
      ['structuredProperties', 'properties', 'propertyUrn', 'urn:li:structuredProperty:x'],
      ['dataJobInputOutput', 'inputDatasetEdges', 'destinationUrn', D],
      ['chartInfo', 'inputEdges', 'destinationUrn', D],
      ['apiSignature', 'inputDatasetEdges', 'destinationUrn', D],
      ['apiSignature', 'outputDatasetEdges', 'destinationUrn', D],
    ])('%s is addressed by key', (aspect, array, key, urn) => {
      const value = { [key]: urn, extra: 1 };
      const added = run(aspect, {}, [add(`/${array}/${urn}`, value)]);
      expect(added).toEqual({ [array]: [value] });
      expect(run(aspect, added, [remove(`/${array}/${urn}`)])).toEqual({ [array]: [] });
    });

    it('the old two-part key of owners', () => {
      const owner = { owner: 'urn:li:corpuser:a', type: 'DATAOWNER' };
      expect(run('ownership', { owners: [] }, [add('/owners/urn:li:corpuser:a/DATAOWNER', owner)])).toEqual({
        owners: [owner],
      });
    });

    it('reach into columns, making what is on the way', () => {
      const first = run('editableSchemaMetadata', {}, [
        add('/editableSchemaFieldInfo/a.b/globalTags/tags/urn:li:tag:x', { tag: 'urn:li:tag:x' }),
      ]);
      expect(first).toEqual({
        editableSchemaFieldInfo: [{ fieldPath: 'a.b', globalTags: { tags: [{ tag: 'urn:li:tag:x' }] } }],
      });
    });

    it('plain text becomes the member of a union', () => {
      const added = run('chartInfo', { inputs: [{ string: 'urn:a' }] }, [add(`/inputs/${D}`, D)]);
      expect(added).toEqual({ inputs: [{ string: 'urn:a' }, { string: D }] });
      expect(run('chartInfo', added, [add(`/inputs/${D}`, D), remove('/inputs/urn:a')])).toEqual({
        inputs: [{ string: D }],
      });
    });

    it('lists inside an object are keyed by the value', () => {
      const users = run('formInfo', {}, [
        add('/actors/users/urn:a', 'urn:a'),
        add('/actors/users/urn:b', 'urn:b'),
      ]);
      expect(users).toEqual({ actors: { users: ['urn:a', 'urn:b'] } });
      expect(run('formInfo', users, [remove('/actors/users/urn:a')])).toEqual({
        actors: { users: ['urn:b'] },
      });
    });

    it('a list of plain values is keyed by the value', () => {
      const types = { entityTypes: ['urn:li:entityType:platform.dataset'] };
      const url = 'urn:li:entityType:platform.chart';
      expect(run('propertyDefinition', types, [add(`/entityTypes/${url}`, url)])).toEqual({
        entityTypes: [...types.entityTypes, url],
      });
      const values = run('propertyDefinition', {}, [
        add('/allowedValues/10', { value: { double: 10 } }),
        add('/allowedValues/2', { value: { double: 2 } }),
      ]);
      expect(values).toEqual({ allowedValues: [{ value: { double: 10 } }, { value: { double: 2 } }] });
    });

    it('a plain value is named by its key alone', () => {
      const next = run('dataJobInputOutput', {}, [
        add(`/inputDatasetFields/${FIELD('a')}`, {}),
        add(`/inputDatasetFields/${FIELD('b')}`, {}),
        remove(`/inputDatasetFields/${FIELD('a')}`),
      ]);
      expect(next).toEqual({ inputDatasetFields: [FIELD('b')] });
      expect(run('siblings', { siblings: [D] }, [add(`/siblings/${D}`, D)])).toEqual({ siblings: [D] });
    });

    it('elements that its keys cannot tell apart are kept, and removed together', () => {
      const scanned = { tag: 'urn:li:tag:x', attribution: { source: 's', time: 1, actor: 'a' } };
      const two = { tags: [{ tag: 'urn:li:tag:x' }, scanned] };
      const y = { tag: 'urn:li:tag:y' };
      expect(run('globalTags', two, [add('/tags/urn:li:tag:y', y)])).toEqual({ tags: [...two.tags, y] });
      expect(run('globalTags', two, [add('/tags/urn:li:tag:x', { tag: 'urn:li:tag:x' })])).toEqual(two);
      expect(run('globalTags', two, [remove('/tags/urn:li:tag:x')])).toEqual({ tags: [] });
    });

    it('a number names the same element however it is written', () => {
      const of = (double: number) => ({ value: { double } });
      const patch = [add('/allowedValues/30.0', of(30)), add('/allowedValues/1e1', of(10))];
      const once = run('propertyDefinition', { allowedValues: [of(30)] }, patch);
      expect(once).toEqual({ allowedValues: [of(30), of(10)] });
      expect(run('propertyDefinition', once, patch)).toEqual(once);
      expect(run('propertyDefinition', once, [remove('/allowedValues/30.0')])).toEqual({
        allowedValues: [of(10)],
      });
      const texts = ['1', '1.0'].map((string) => ({ value: { string } }));
      const both = texts.map((t) => add(`/allowedValues/${t.value.string}`, t));
      expect(run('propertyDefinition', {}, both)).toEqual({ allowedValues: texts });
    });

    it('the two lists of domains agree, whichever is patched', () => {
      const [a, b] = ['urn:li:domain:a', 'urn:li:domain:b'];
      const keys = { arrayPrimaryKeys: { domainAssociations: ['attribution\u241fsource', 'domain'] } };
      const two = run(
        'domains',
        { domains: [a] },
        { ...keys, patch: [add(`/domainAssociations//${b}`, { domain: b })] },
      );
      expect(two).toEqual({ domains: [a, b], domainAssociations: [{ domain: a }, { domain: b }] });
      const byDomain = { arrayPrimaryKeys: { domainAssociations: ['domain', 'attribution\u241fsource'] } };
      expect(run('domains', two, { ...byDomain, patch: [remove(`/domainAssociations/${a}`)] })).toEqual({
        domains: [b],
        domainAssociations: [{ domain: b }],
      });
      expect(run('domains', two, [remove(`/domains/${b}`)])).toEqual({
        domains: [a],
        domainAssociations: [{ domain: a }],
      });
      expect(run('domains', { domains: [] }, [add(`/domains/${a}`, a)])).toEqual({ domains: [a] });
    });

    it('terms of a column get the stamp that they come without', () => {
      const stamp = { time: 5, actor: 'urn:li:corpuser:ed' };
      const path = '/editableSchemaFieldInfo/a/glossaryTerms/terms/urn:li:glossaryTerm:t';
      const patch = readPatchDocument([add(path, { urn: 'urn:li:glossaryTerm:t' })]);
      const once = applyPatch(specOf('editableSchemaMetadata'), {}, patch, stamp);
      expect(once).toEqual({
        editableSchemaFieldInfo: [
          { fieldPath: 'a', glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:t' }], auditStamp: stamp } },
        ],
      });
      expect(applyPatch(specOf('editableSchemaMetadata'), once, patch, { ...stamp, time: 6 })).toEqual(once);
    });

    it('maps, scalars and escapes need no keys', () => {
      expect(
        run('datasetProperties', { customProperties: { a: '1' } }, [
          add('/customProperties/b~1c~0d', '2'),
          remove('/customProperties/a'),
          remove('/customProperties/never'),
          add('/description', 'x'),
        ]),
      ).toEqual({ customProperties: { 'b/c~d': '2' }, description: 'x' });
    });

    it('an index still works, as RFC 6902 has it', () => {
      const tags = { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }] };
      expect(run('globalTags', tags, [remove('/tags/0')])).toEqual({ tags: [{ tag: 'urn:li:tag:b' }] });
      expect(run('globalTags', tags, [add('/tags/-', { tag: 'urn:li:tag:c' })])).toEqual({
        tags: [...tags.tags, { tag: 'urn:li:tag:c' }],
      });
      expect(run('deprecation', { list: [1, 2, 3] }, [{ op: 'replace', path: '/list/1', value: 9 }])).toEqual(
        { list: [1, 9, 3] },
      );
    });
  });

  describe('column lineage', () => {
    const edge = (up: string, down: string) => `/fineGrainedLineages/NONE/${FIELD(down)}/NONE/${FIELD(up)}`;

    it('of more edges than memory holds is refused, stored or sent', () => {
      const columns = (name: string) => Array.from({ length: 600 }, (_, i) => FIELD(`${name}${i}`));
      const groups = [{ upstreams: columns('u'), downstreams: columns('d') }];
      const small = add(edge('a', 'x'), {});
      const tooLarge = (pointer: string) =>
        expect.objectContaining({ code: 'PATCH_TOO_LARGE', errors: [expect.objectContaining({ pointer })] });
      const stored = { upstreams: [], fineGrainedLineages: groups };
      expect(() => run('upstreamLineage', stored, [small])).toThrow(tooLarge(''));
      const sent = [small, add('/fineGrainedLineages', groups)];
      expect(() => run('upstreamLineage', {}, sent)).toThrow(tooLarge('/1/value'));
    });

    it('is patched edge by edge and stored in groups', () => {
      const one = run('upstreamLineage', { upstreams: [] }, [
        add(edge('a', 'x'), { confidenceScore: 1 }),
        add(edge('b', 'x'), { confidenceScore: 1 }),
        add(edge('a', 'y'), { confidenceScore: 0.5 }),
      ]);
      expect(one).toEqual({
        upstreams: [],
        fineGrainedLineages: [
          {
            upstreamType: 'FIELD_SET',
            downstreamType: 'FIELD',
            confidenceScore: 1,
            upstreams: [FIELD('a'), FIELD('b')],
            downstreams: [FIELD('x')],
          },
          {
            upstreamType: 'FIELD_SET',
            downstreamType: 'FIELD',
            confidenceScore: 0.5,
            upstreams: [FIELD('a')],
            downstreams: [FIELD('y')],
          },
        ],
      });
      const two = run('upstreamLineage', one, [
        remove(edge('a', 'x')),
        remove(edge('a', 'y')),
        remove(edge('c', 'y')),
      ]);
      expect(two['fineGrainedLineages']).toMatchObject([
        { upstreams: [FIELD('b')], downstreams: [FIELD('x')] },
      ]);
    });
  });

  describe('column lineage beside other groups', () => {
    const edge = (from: string) =>
      `/fineGrainedLineages/NONE/${FIELD('x').replaceAll('/', '~1')}/NONE/${FIELD(from)}`;
    const edgeless = { upstreamType: 'NONE', downstreamType: 'FIELD', downstreams: [FIELD('z')] };

    it('keeps groups without edges, and sets all groups at once', () => {
      const patch = [add('/fineGrainedLineages', [edgeless]), add(edge('a'), { confidenceScore: 0.5 })];
      const groups = [
        edgeless,
        {
          upstreamType: 'FIELD_SET',
          downstreamType: 'FIELD',
          confidenceScore: 0.5,
          upstreams: [FIELD('a')],
          downstreams: [FIELD('x')],
        },
      ];
      const once = run('dataJobInputOutput', {}, patch);
      expect(once).toEqual({ fineGrainedLineages: groups });
      expect(run('dataJobInputOutput', once, [add(edge('a'), { confidenceScore: 0.5 })])).toEqual(once);
    });
  });

  describe('refusals', () => {
    it.each([
      ['no patch at all', 5],
      ['an unknown operation', [{ op: 'fly', path: '/a' }]],
      ['a path that is no pointer', [add('a', 1)]],
      ['a bad escape', [add('/a~2', 1)]],
      ['an add without a value', [{ op: 'add', path: '/a' }]],
      ['an unknown field', { patch: [], other: 1 }],
      ['odd keys', { patch: [], arrayPrimaryKeys: { tags: 'tag' } }],
    ])('%s is malformed', (_name, body) => {
      expect(() => run('globalTags', {}, body)).toThrow(expect.objectContaining({ code: 'PATCH_MALFORMED' }));
    });

    it.each([
      ['a failed test', [{ op: 'test', path: '/name', value: 'x' }]],
      ['a replacement of what is not there', [{ op: 'replace', path: '/nothing', value: 1 }]],
      ['the whole aspect made a list', [add('', [])]],
      ['a path into a text', [add('/name/deeper', 1)]],
    ])('%s is not applicable', (_name, body) => {
      expect(() => run('datasetProperties', { name: 'n' }, body)).toThrow(
        expect.objectContaining({ code: 'PATCH_NOT_APPLICABLE' }),
      );
    });

    it('never touches the prototype', () => {
      for (const path of [
        '/__proto__/polluted',
        '/constructor/prototype/polluted',
        '/customProperties/__proto__/polluted',
      ]) {
        try {
          run('datasetProperties', { customProperties: {} }, [add(path, 'yes')]);
        } catch {
          // Refusing is as good as ignoring.
        }
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  it('leaves the given aspect alone', () => {
    const current = { tags: [{ tag: 'urn:li:tag:a' }] };
    run('globalTags', current, [remove('/tags/urn:li:tag:a')]);
    expect(current).toEqual({ tags: [{ tag: 'urn:li:tag:a' }] });
  });

  it('changes neither the aspect nor the patch, and gives the same for both again', () => {
    const segment = fc.constantFrom('items', 'map', 'list', 'a', 'b', 'c', '0', '1', '-');
    const path = fc.array(segment, { maxLength: 4 }).map((names) => names.map((each) => `/${each}`).join(''));
    const inner = fc.constantFrom(
      { id: 'a', in: [1, { x: 1 }] },
      { id: 'b' },
      { id: 'c', list: [] },
      [],
      'text',
      1,
    );
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace', 'remove', 'test', 'copy', 'move'),
      ...{ path, from: path, value: inner },
    });
    const start = fc.record({
      items: fc.array(fc.constantFrom({ id: 'a', in: [1] }, { id: 'b', in: { c: 1 } }, { id: 'a' }), {
        maxLength: 4,
      }),
      map: fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner),
      list: fc.array(inner, { maxLength: 3 }),
    });
    const keys = fc.constantFrom(undefined, { items: ['id'] });
    fc.assert(
      fc.property(start, fc.array(operation, { maxLength: 5 }), keys, (current, patch, arrayPrimaryKeys) => {
        const body = { patch, ...(arrayPrimaryKeys && { arrayPrimaryKeys }) };
        const given = JSON.stringify([current, body]);
        const attempt = (value: Record<string, unknown>, sent: unknown): string => {
          try {
            return JSON.stringify(run('any', value, sent));
          } catch (error) {
            return String(error);
          }
        };
        const first = attempt(current, body);
        expect(JSON.stringify([current, body])).toBe(given);
        const [sameValue, sameBody] = JSON.parse(given) as [Record<string, unknown>, unknown];
        expect(attempt(sameValue, sameBody)).toBe(first);
      }),
      { numRuns: 1_000 },
    );
  });

  it('an aspect without keys becomes what the library makes of it', () => {
    const segment = fc.constantFrom('a', 'b', 'c', '0', '1', '-');
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
    const operation = fc.record({ op: fc.constantFrom('replace', 'test'), path, value: fc.jsonValue() });
    fc.assert(
      fc.property(fc.dictionary(segment, fc.jsonValue()), fc.array(operation), (current, patch) => {
        let expected: unknown;
        try {
          const copy = structuredClone({ ...current });
          expected = fastJsonPatch.applyPatch(copy, structuredClone(patch) as never, true).newDocument;
        } catch {
          return expect(() => run('any', current, patch)).toThrow('cannot be applied');
        }
        return expect(run('any', current, patch)).toEqual(expected);
      }),
    );
  });

  it('divides a patch of a large aspect', () => {
    const owners = Array.from({ length: 20_000 }, (_, i) => ({
      owner: `urn:li:corpuser:u${i}`,
      type: 'NONE',
    }));
    const customProperties = Object.fromEntries(owners.map(({ owner }) => [owner, 'x']));
    const patch = readPatchDocument([
      add('/owners/urn:li:corpuser:u7/NONE', { owner: 'urn:li:corpuser:u7', type: 'NONE', source: {} }),
      { op: 'copy', from: '/customProperties', path: '/more' },
      { op: 'test', path: '/customProperties', value: customProperties },
    ]);
    const steps = applyInSteps(
      specOf('ownership'),
      { owners, customProperties },
      patch,
      undefined,
      new PatchBudget(),
    );
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(step.value['more']).toEqual(customProperties);
    // The copy, the way there and back, and what two operations look at.
    expect(pauses).toBeGreaterThan(150);
  });

  it('adding and removing by key acts like a map, whatever the keys are', () => {
    const key = fc
      .oneof(fc.string(), fc.constantFrom('0', '1', '10', '-', '__proto__', 'constructor', '', '~', '/', '='))
      .map((s) => `k${s}`);
    const step = fc.record({ op: fc.constantFrom('add', 'remove'), key, n: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const expected = new Map<string, number>();
        const patch = steps.map((s) => {
          const path = `/items/${s.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          if (s.op === 'remove') {
            expected.delete(s.key);
            return { op: 'remove', path };
          }
          expected.set(s.key, s.n);
          return add(path, { id: s.key, n: s.n });
        });
        const result = run('any', { items: [] }, { patch, arrayPrimaryKeys: { items: ['id'] } });
        expect(result).toEqual({ items: [...expected].map(([id, n]) => ({ id, n })) });
      }),
    );
  });
});
