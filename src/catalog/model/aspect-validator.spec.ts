import { beforeAll, describe, expect, it } from '@jest/globals';
import { Model } from './model.js';
import type { Violation } from './specs.js';

const STAMP = { time: 1581407189000, actor: 'urn:li:corpuser:jdoe' };
const UNKNOWN = { time: 0, actor: 'urn:li:corpuser:unknown' };
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:kafka,SampleKafkaDataset,PROD)';

let model: Model;
let keeping: Model;

beforeAll(() => {
  model = Model.load();
  keeping = Model.load({ unknownFields: 'keep' });
});

function check(aspect: string, value: unknown, using = model): Violation[] {
  const spec = using.aspects.get(aspect);
  if (!spec) throw new Error(`no aspect ${aspect}`);
  return using.validate(spec, value);
}

/** JSON as a client would send it, so that `__proto__` is a field like any other. */
const json = (text: string): unknown => JSON.parse(text) as unknown;

const schemaField = (fieldPath: string, type: string) => ({
  fieldPath,
  description: 'Foo field description',
  nativeDataType: 'string',
  type: { type: { [`com.acme.schema.${type}`]: {} } },
});

/** The shapes that the specification's table of aspects gives. */
const EXAMPLES: Array<[string, unknown]> = [
  [
    'glossaryTermInfo',
    {
      name: 'Sensitive',
      definition: 'Sensitive data',
      termSource: 'INTERNAL',
      sourceRef: 'FIBO',
      sourceUrl: 'https://example.com/x',
      customProperties: { 'FQDN/x': 'Sensitive' },
    },
  ],
  ['ownership', { owners: [{ owner: 'urn:li:corpuser:jdoe', type: 'DATAOWNER' }], lastModified: STAMP }],
  [
    'institutionalMemory',
    { elements: [{ url: 'https://www.example.com', description: 'Docs', createStamp: STAMP }] },
  ],
  [
    'schemaMetadata',
    {
      schemaName: 'SampleKafkaSchema',
      platform: 'urn:li:dataPlatform:kafka',
      version: 0,
      hash: '',
      created: STAMP,
      lastModified: STAMP,
      platformSchema: { 'com.acme.schema.KafkaSchema': { documentSchema: '{"type":"record"}' } },
      fields: [
        schemaField('a', 'StringType'),
        { ...schemaField('a.b', 'RecordType'), nullable: true, isPartOfKey: true, recursive: false },
        schemaField('c', 'DateType'),
        schemaField('d', 'NumberType'),
      ],
    },
  ],
  [
    'editableSchemaMetadata',
    {
      created: STAMP,
      lastModified: STAMP,
      editableSchemaFieldInfo: [
        { fieldPath: 'shipment_info', globalTags: { tags: [{ tag: 'urn:li:tag:Legacy' }] } },
      ],
    },
  ],
  ['globalTags', { tags: [{ tag: 'urn:li:tag:NeedsDocumentation' }] }],
  ['tagProperties', { name: 'Legacy', description: 'Indicates the dataset is no longer supported' }],
  ['status', { removed: true }],
  ['browsePaths', { paths: ['/prod/kafka/SampleKafkaDataset'] }],
  ['dataPlatformInstance', { platform: 'urn:li:dataPlatform:kafka' }],
  ['upstreamLineage', { upstreams: [{ auditStamp: STAMP, type: 'TRANSFORMED', dataset: DATASET }] }],
  ['corpUserInfo', { active: true, displayName: 'John', fullName: 'John Doe', email: 'jdoe@example.com' }],
  [
    'corpGroupInfo',
    {
      email: 'g@example.com',
      admins: ['urn:li:corpuser:jdoe'],
      members: ['urn:li:corpuser:jdoe'],
      groups: [],
    },
  ],
  [
    'chartInfo',
    {
      title: 'Baz Chart 1',
      description: 'Baz Chart 1',
      inputs: [{ string: DATASET }],
      lastModified: { created: STAMP, lastModified: STAMP },
    },
  ],
  [
    'dashboardInfo',
    {
      title: 'Baz',
      description: 'Baz',
      charts: ['urn:li:chart:(looker,baz1)'],
      lastModified: { created: STAMP, lastModified: STAMP },
    },
  ],
  [
    'datasetUsageStatistics',
    {
      timestampMillis: 1629840771000,
      uniqueUserCount: 10,
      totalSqlQueries: 20,
      fieldCounts: [{ fieldPath: 'col1', count: 20 }],
    },
  ],
  [
    'datasetProfile',
    {
      timestampMillis: 1623442477664,
      rowCount: 2,
      columnCount: 1,
      fieldProfiles: [
        {
          fieldPath: 'a',
          uniqueCount: 2,
          uniqueProportion: 0.5,
          nullCount: 0,
          nullProportion: 0.0,
          min: '1',
          max: '2',
          mean: '1.5',
          median: '1.5',
          sampleValues: ['1', '2'],
          distinctValueFrequencies: [{ value: '1', frequency: 1 }],
        },
      ],
    },
  ],
  [
    'propertyDefinition',
    {
      qualifiedName: 'io.acme.privacy.retentionTime',
      displayName: 'Retention Time',
      description: 'How long data is kept',
      valueType: 'urn:li:dataType:platform.number',
      cardinality: 'MULTIPLE',
      entityTypes: ['urn:li:entityType:platform.dataset', 'urn:li:entityType:platform.dataFlow'],
      allowedValues: [{ value: { double: 30 }, description: 'short' }, { value: { string: 'x' } }],
      version: '20240614080000',
      immutable: false,
    },
  ],
  [
    'structuredProperties',
    {
      properties: [
        {
          propertyUrn: 'urn:li:structuredProperty:io.acme.retentionTime',
          values: [{ string: '90' }, { double: 60.5 }],
        },
      ],
    },
  ],
  ['datasetKey', { platform: 'urn:li:dataPlatform:kafka', name: 'a', origin: 'PROD' }],
  ['structuredPropertyKey', { id: 'io.acme.retentionTime' }],
];

describe('validate', () => {
  it.each(EXAMPLES)('accepts %s as the specification writes it', (aspect, value) => {
    expect(check(aspect, structuredClone(value))).toEqual([]);
    expect(check(aspect, structuredClone(value), keeping)).toEqual([]);
  });

  it('fills in defaults in place, each time anew', () => {
    const definition: Record<string, unknown> = {
      qualifiedName: 'a',
      valueType: 'urn:li:dataType:acme.string',
      entityTypes: ['urn:li:entityType:acme.dataset'],
    };
    expect(check('propertyDefinition', definition)).toEqual([]);
    expect(definition).toMatchObject({ immutable: false, cardinality: 'SINGLE' });

    const first: Record<string, unknown> = { owners: [] };
    const second: Record<string, unknown> = { owners: [] };
    check('ownership', first);
    check('ownership', second);
    expect(first).toEqual({ owners: [], lastModified: UNKNOWN });
    expect(first['lastModified']).not.toBe(second['lastModified']);

    const schema = structuredClone(EXAMPLES.find(([name]) => name === 'schemaMetadata')?.[1]);
    check('schemaMetadata', schema);
    expect(schema).toMatchObject({
      fields: [{ nullable: false, recursive: false, isPartOfKey: false }, {}, {}, {}],
    });
  });

  it('leaves optional fields out', () => {
    const profile = { timestampMillis: 1 };
    check('datasetProfile', profile);
    expect(profile).toEqual({ timestampMillis: 1 });
  });

  it.each<[string, unknown, string, string]>([
    ['status', 'text', '', 'an aspect must be an object'],
    ['status', [], '', 'an aspect must be an object'],
    ['status', { removed: 'yes' }, '/removed', 'must be true or false, not a string'],
    ['status', { removed: null }, '/removed', 'must not be null: leave the field out'],
    ['status', { gone: true }, '/gone', 'unknown field'],
    ['tagProperties', {}, '/name', 'is required'],
    [
      'tagProperties',
      { name: 'a', description: null },
      '/description',
      'must not be null: leave the field out',
    ],
    [
      'globalTags',
      { tags: [{ tag: 'Legacy' }] },
      '/tags/0/tag',
      'must be a URN: a URN starts with "urn:li:"',
    ],
    [
      'globalTags',
      { tags: [{ tag: 'urn:li:corpuser:a' }] },
      '/tags/0/tag',
      'must be the URN of a tag, not of a corpuser',
    ],
    ['globalTags', { tags: [{}] }, '/tags/0/tag', 'is required'],
    ['globalTags', { tags: {} }, '/tags', 'must be an array, not an object'],
    ['globalTags', { tags: [null] }, '/tags/0', 'must not be null'],
    [
      'datasetKey',
      { platform: 'urn:li:dataPlatform:a', name: 'a', origin: 'x' },
      '/origin',
      'must be one of DEV, TEST',
    ],
    [
      'datasetKey',
      { platform: 'urn:li:tag:a', name: 'a', origin: 'PROD' },
      '/platform',
      'URN of a dataPlatform',
    ],
    [
      'upstreamLineage',
      { upstreams: [{ type: 'TRANSFORMED', dataset: 'urn:li:chart:(a,b)' }] },
      '/upstreams/0/dataset',
      'URN of a dataset',
    ],
    [
      'upstreamLineage',
      { upstreams: [{ type: 'X', dataset: DATASET }] },
      '/upstreams/0/type',
      'must be one of',
    ],
    [
      'ownership',
      { owners: [{ owner: 'urn:li:corpuser:a', type: 'X' }] },
      '/owners/0/type',
      'must be one of',
    ],
    ['datasetProfile', { timestampMillis: 2 ** 53 }, '/timestampMillis', 'digits are lost'],
    ['datasetProfile', { timestampMillis: 1.5 }, '/timestampMillis', 'must be a whole number, not 1.5'],
    [
      'datasetUsageStatistics',
      { timestampMillis: 1, uniqueUserCount: 2 ** 31 },
      '/uniqueUserCount',
      'of 32 bits',
    ],
    [
      'structuredProperties',
      { properties: [{ propertyUrn: 'urn:li:structuredProperty:a', values: [{ string: 'a', double: 1 }] }] },
      '/properties/0/values/0',
      'exactly one member, one of string, double',
    ],
    [
      'structuredProperties',
      { properties: [{ propertyUrn: 'urn:li:structuredProperty:a', values: [{}] }] },
      '/properties/0/values/0',
      'exactly one member',
    ],
    [
      'structuredProperties',
      { properties: [{ propertyUrn: 'urn:li:structuredProperty:a', values: [{ int: 1 }] }] },
      '/properties/0/values/0',
      'exactly one member',
    ],
    [
      'structuredProperties',
      { properties: [{ propertyUrn: 'urn:li:structuredProperty:a', values: [{ double: '1' }] }] },
      '/properties/0/values/0/double',
      'must be a number',
    ],
    [
      'structuredProperties',
      { properties: [{ propertyUrn: 'urn:li:structuredProperty:a', values: ['a'] }] },
      '/properties/0/values/0',
      'must be an object',
    ],
    [
      'structuredProperties',
      json('{"properties":[{"propertyUrn":"urn:li:structuredProperty:a","values":[{"double":1e400}]}]}'),
      '/properties/0/values/0/double',
      'must be a number',
    ],
    ['datasetProperties', { customProperties: { a: 1 } }, '/customProperties/a', 'must be a string, not 1'],
    [
      'datasetProperties',
      { customProperties: { 'a/b': null } },
      '/customProperties/a~1b',
      'must not be null',
    ],
    [
      'datasetProperties',
      json('{"customProperties":{"__proto__":"x"}}'),
      '/customProperties/__proto__',
      'not allowed',
    ],
    [
      'datasetProperties',
      json('{"customProperties":{"constructor":"x"}}'),
      '/customProperties/constructor',
      'not allowed',
    ],
    ['datasetProperties', json('{"__proto__":{}}'), '/__proto__', 'unknown field'],
    [
      'propertyDefinition',
      { qualifiedName: 'a', valueType: 'urn:li:tag:a', entityTypes: [] },
      '/valueType',
      'URN of a dataType',
    ],
  ])('refuses %s %j at %s', (aspect, value, pointer, message) => {
    const violations = check(aspect, value);
    expect(violations.map((v) => v.pointer)).toEqual([pointer]);
    expect(violations[0]?.message).toContain(message);
  });

  it('lists several violations, each place once, twenty at most', () => {
    const value = { tags: Array.from({ length: 50 }, () => ({ tag: 'x', extra: 1 })) };
    expect(check('globalTags', value)).toHaveLength(20);
    expect(
      check('globalTags', { tags: [{ tag: 'x', extra: 1 }], more: 1 })
        .map((v) => v.pointer)
        .sort(),
    ).toEqual(['/more', '/tags/0/extra', '/tags/0/tag']);
  });

  it('accepts a member of a union under any namespace, and no other', () => {
    const value = (member: string) => ({ ...schemaField('a', 'x'), type: { type: { [member]: {} } } });
    const pointers = (member: string) =>
      check('schemaMetadata', {
        ...(EXAMPLES.find(([name]) => name === 'schemaMetadata')?.[1] as object),
        fields: [value(member)],
      }).map((v) => v.pointer);
    expect(pointers('schema.StringType')).toEqual([]);
    expect(pointers('a.b.c.schema.StringType')).toEqual([]);
    expect(pointers('StringType')).toEqual(['/fields/0/type/type']);
    expect(pointers('xschema.StringType')).toEqual(['/fields/0/type/type']);
    for (const member of ['.schema.StringType', 'x\n.schema.StringType', 'toString', 'constructor'])
      expect(pointers(member)).toEqual(['/fields/0/type/type']);
    // Spellings are known once they were seen, those of the first hundred clients.
    for (const round of [1, 2]) {
      const all = Array.from({ length: 150 }, (_, i) => pointers(`a${i}.schema.StringType`));
      expect([round, all.flat()]).toEqual([round, []]);
      expect(pointers('a1.schema.NoType')).toEqual(['/fields/0/type/type']);
    }
  });

  it('checks and completes what a member of a union holds', () => {
    const [, example] = EXAMPLES.find(([name]) => name === 'schemaMetadata')!;
    const withType = (type: object) => ({
      ...(example as object),
      fields: [{ ...schemaField('a', 'x'), type: { type } }],
    });
    const array = 'schema.ArrayType';
    expect(check('schemaMetadata', withType({ [array]: { nestedType: ['string'] } }))).toEqual([]);
    expect(check('schemaMetadata', withType({ [array]: { nestedType: [1] } })).map((v) => v.pointer)).toEqual(
      [`/fields/0/type/type/${array}/nestedType/0`],
    );
    expect(check('schemaMetadata', withType({ [array]: {}, 'schema.StringType': {} }))).not.toEqual([]);
    expect(check('schemaMetadata', withType({}))).not.toEqual([]);
    // A union of a record and a text.
    const job = (type: object) => check('dataJobInfo', { name: 'a', type });
    expect(job({ string: 'COMMAND' })).toEqual([]);
    expect(job({ string: 1 })).not.toEqual([]);
    expect(job({ 'x.datajob.azkaban.AzkabanJobType': 'COMMAND' })).toEqual([]);
    expect(job({ 'x.datajob.azkaban.AzkabanJobType': 'NO_SUCH' })).not.toEqual([]);
    expect(job({ text: 'COMMAND' })).not.toEqual([]);
  });

  it('names the first of very many faults, and looks at no others', () => {
    let reads = 0;
    const tag = {
      get tag() {
        reads += 1;
        return 1;
      },
    };
    const found = check('globalTags', { tags: Array.from({ length: 5_000 }, () => tag) });
    expect(found.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, i) => `/tags/${i}/tag`),
    );
    expect(found[0]?.message).toBe('must be a string, not 1');
    expect(reads).toBeLessThan(1_000);
    // Of unknown fields, and of the values of a map.
    const many = <T>(value: T) =>
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a/${i}`, value]));
    expect(check('status', many(1)).map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, i) => `/a~1${i}`),
    );
    const [first, ...others] = check('datasetProperties', { customProperties: many(1) });
    expect(first).toEqual({ pointer: '/customProperties/a~10', message: 'must be a string, not 1' });
    expect(others).toHaveLength(19);
  });

  it('keeps unknown fields when told so, but no unsafe ones', () => {
    const value = { removed: true, extra: { any: [1, 'thing', null] } };
    expect(check('status', value, keeping)).toEqual([]);
    expect(value).toEqual({ removed: true, extra: { any: [1, 'thing', null] } });
    expect(check('status', json('{"extra":{"__proto__":1}}'), keeping).map((v) => v.pointer)).toEqual([
      '/extra/__proto__',
    ]);
    expect(check('status', { extra: [2 ** 60] }, keeping).map((v) => v.pointer)).toEqual(['/extra/0']);
    expect(check('status', { removed: 1 }, keeping).map((v) => v.pointer)).toEqual(['/removed']);
  });

  it('compiles and checks every aspect', () => {
    for (const aspect of model.aspects.values()) {
      expect(model.validate(aspect, { surelyNotAField: 1 }).map((v) => v.pointer)).toContain(
        '/surelyNotAField',
      );
    }
  });
});
