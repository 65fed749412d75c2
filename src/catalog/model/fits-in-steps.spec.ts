import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../schedule/index.js';
import { Model } from './model.js';

const model = Model.load();
const list = <T>(count: number, of: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => of(k));
const map = <T>(count: number, of: (k: number) => T) =>
  Object.fromEntries(list(count, (k) => [`key_${k}`, of(k)]));
const stamp = { time: 1, actor: 'urn:li:corpuser:c' };
const tags = (count: number) => ({ tags: list(count, (k) => ({ tag: `urn:li:tag:t${k}` })) });
const field = (k: number, more: object = {}) => ({
  fieldPath: `f${k}`,
  type: { type: { 'schema.StringType': {} } },
  nativeDataType: 'x',
  ...more,
});
const schema = (fields: unknown[], more: object = {}) => ({
  ...{ schemaName: 's', platform: 'urn:li:dataPlatform:hive', version: 0, hash: '' },
  platformSchema: { 'schema.OtherSchema': { rawSchema: '' } },
  fields,
  ...more,
});
const owners = (count: number, more: unknown[] = []) => ({
  owners: [...list(count, (k) => ({ owner: `urn:li:corpuser:u${k}`, type: 'DATAOWNER' })), ...more],
});

describe('the check of a large value in steps', () => {
  it.each<[string, string, unknown]>([
    ['a map', 'datasetProperties', { customProperties: map(20_000, String) }],
    [
      'a map with a value of another kind',
      'datasetProperties',
      { customProperties: { ...map(20_000, String), x: 1 } },
    ],
    [
      'a map with a field of another kind beside it',
      'datasetProperties',
      { customProperties: map(9_000, String), name: 1 },
    ],
    ['a list', 'ownership', owners(10_000)],
    ['a list with an item that lacks something', 'ownership', owners(10_000, [{ type: 'DATAOWNER' }])],
    ['a list with an item that is no URN', 'ownership', owners(10_000, [{ owner: 'me', type: 'DATAOWNER' }])],
    [
      'a list with the URN of another kind',
      'ownership',
      owners(10_000, [{ owner: 'urn:li:tag:t', type: 'DATAOWNER' }]),
    ],
    [
      'a list in the place of an object',
      'ownership',
      { ...owners(9_000), lastModified: list(9_000, String) },
    ],
    ['an object in the place of a list', 'ownership', { owners: map(9_000, String) }],
    ['a field that nothing names', 'ownership', { ...owners(9_000), other: list(9_000, String) }],
    ['a list of objects that get defaults', 'schemaMetadata', schema(list(5_000, (k) => field(k)))],
    ['lists in a list', 'schemaMetadata', schema(list(60, (k) => field(k, { globalTags: tags(300) })))],
    [
      'large lists in a list',
      'schemaMetadata',
      schema(list(4, (k) => field(k, { globalTags: tags(5_000) }))),
    ],
    [
      'a list in one that is large, too',
      'schemaMetadata',
      schema(list(6_000, (k) => field(k, k === 5_500 ? { globalTags: tags(9_000) } : {}))),
    ],
    [
      'an item that does not fit deep within',
      'schemaMetadata',
      schema(
        list(4, (k) =>
          field(k, { globalTags: { tags: [...tags(5_000).tags, { tag: k === 3 ? 'x' : 'urn:li:tag:t' }] } }),
        ),
      ),
    ],
    [
      'a union with several members',
      'schemaMetadata',
      schema([], { platformSchema: map(9_000, () => ({})) }),
    ],
    [
      'a list of scalars',
      'upstreamLineage',
      {
        upstreams: [],
        fineGrainedLineages: list(3, () => ({
          upstreamType: 'FIELD_SET',
          downstreamType: 'FIELD',
          upstreams: list(
            9_000,
            (k) => `urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD),f${k})`,
          ),
          confidenceScore: 1,
        })),
      },
    ],
    ['no object', 'ownership', list(9_000, String)],
    ['a small value', 'ownership', { owners: [{ owner: 'x' }], lastModified: stamp }],
  ])('says of %s what the whole check says', (_, aspect, value) => {
    const spec = model.aspects.get(aspect)!;
    const [whole, parts] = [structuredClone(value), structuredClone(value)];
    const violations = model.validate(spec, whole);
    expect(atOnce(model.validateInSteps(spec, parts))).toEqual(violations);
    // Defaults are filled in, and nothing is left out.
    expect(JSON.stringify(parts)).toBe(JSON.stringify(whole));
  });
});
