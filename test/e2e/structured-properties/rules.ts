import { TestCatalog } from '../../harness/catalog.js';
import { dataType, define, entityType, value } from './support.js';

// The rules of definitions and values, for the specs of each surface. Places are pointers within the value.

const allowed = (...values: Array<string | number>) => ({
  allowedValues: values.map((v) => ({ value: value(v) })),
});
/** The version of a definition that was made so many hours from now. */
export const versionIn = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
const multiple = { cardinality: 'MULTIPLE' };
const platform = (name: string) => ({ name, type: 'OTHERS', datasetNameDelimiter: '.' });

export const ASSET_TYPES = ['dataset', 'schemaField', 'chart'].map(entityType);

/** Definitions that break a rule: what is wrong, the name, what is added, the message, the place in the value. */
export const BAD_DEFINITIONS: Array<
  [title: string, name: string, more: Record<string, unknown>, message: string, place: string]
> = [
  ['a name with a blank', 'd.a b', {}, 'Urn ID cannot have spaces', ''],
  [
    'a qualified name with a blank',
    'd.q',
    { qualifiedName: 'd. q' },
    'Qualified names cannot have spaces',
    '/qualifiedName',
  ],
  [
    'a qualified name that the URN does not carry',
    'd.q',
    { qualifiedName: 'd.r' },
    'Qualified name and the ID of a structured property must match',
    '/qualifiedName',
  ],
  [
    'a version that is no time',
    'd.v',
    { version: '2024-01-01' },
    'Invalid version specified. Must match [0-9]{14}',
    '/version',
  ],
  [
    'a version of thirteen digits',
    'd.v',
    { version: '2024010100000' },
    'Invalid version specified. Must match [0-9]{14}',
    '/version',
  ],
  ...['99999999999999', '20230229000000', '20240101250000', '20240101006000', '00000000000000'].map(
    (version): [string, string, Record<string, unknown>, string, string] => [
      `the version ${version}, which is no date and time`,
      'd.v',
      { version },
      'Invalid version specified. It must be a date and time (UTC), yyyyMMddHHmmss',
      '/version',
    ],
  ),
  [
    'a version that is two days ahead',
    'd.v',
    { version: versionIn(48) },
    'more than a day ahead',
    '/version',
  ],
  [
    'no entity type',
    'd.e',
    { entityTypes: [] },
    'entityTypes must name at least one entity type',
    '/entityTypes',
  ],
  [
    'an allowed text twice',
    'd.r',
    allowed('a', 'b', 'a'),
    'the allowed value "a" is there twice',
    '/allowedValues/2/value',
  ],
  [
    'an allowed number twice',
    'd.r',
    { valueType: dataType('number'), ...allowed(1, 1.0) },
    'the allowed value 1 is there twice',
    '/allowedValues/1/value',
  ],
  [
    'a number among the allowed values of a string',
    'd.s',
    allowed('a', 1),
    'should be a string',
    '/allowedValues/1/value',
  ],
  [
    'a text among the allowed values of a number',
    'd.n',
    { valueType: dataType('number'), ...allowed('1') },
    'should be a number',
    '/allowedValues/0/value',
  ],
  [
    'a day that is none among the allowed values of a date',
    'd.d',
    { valueType: dataType('date'), ...allowed('2023-02-29') },
    'should be a date with format YYYY-MM-DD',
    '/allowedValues/0/value',
  ],
  [
    'an allowed URN that is none',
    'd.u',
    { valueType: dataType('urn'), ...allowed('urn:x') },
    'should be an urn',
    '/allowedValues/0/value',
  ],
  [
    'a qualifier of another kind',
    'd.t',
    { typeQualifier: { types: [] } },
    'allowedTypes',
    '/typeQualifier/types',
  ],
  [
    'an allowed type that is no entity type',
    'd.t',
    { typeQualifier: { allowedTypes: [dataType('string')] } },
    'Invalid entity type urn validation failure',
    '/typeQualifier/allowedTypes/0',
  ],
];

/** What a definition may name that does not exist. */
export const MISSING_REFERENCES: Array<[what: string, more: Record<string, unknown>, place: string]> = [
  ['data type', { valueType: dataType('color') }, '/valueType'],
  ['entity type', { entityTypes: [entityType('color')] }, '/entityTypes/0'],
  [
    'allowed type',
    { typeQualifier: { allowedTypes: [entityType('color')] } },
    '/typeQualifier/allowedTypes/0',
  ],
  ['platform', { allowedPlatforms: ['urn:li:dataPlatform:none'] }, '/allowedPlatforms/0'],
];

/** Stands for a message where a change is compatible. */
export const COMPATIBLE = 'compatible';

/** Changes of a definition, and what the catalog says to them without a greater version. */
export const CHANGES: Array<
  [
    title: string,
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    message: string,
    place?: string,
  ]
> = [
  [
    'the type',
    {},
    { valueType: dataType('number') },
    'Value type cannot be changed as this is a backwards incompatible change',
    '/valueType',
  ],
  [
    'several values to one',
    multiple,
    { cardinality: 'SINGLE' },
    'Property definition cardinality cannot be changed from MULTI to SINGLE',
    '/cardinality',
  ],
  [
    'several values to the default, which is one',
    multiple,
    {},
    'Property definition cardinality cannot be changed from MULTI to SINGLE',
    '/cardinality',
  ],
  ['one value to several', {}, multiple, COMPATIBLE],
  [
    'any value to some',
    {},
    allowed('a'),
    'Cannot restrict values that were previously allowed',
    '/allowedValues',
  ],
  [
    'an allowed value less',
    allowed('a', 'b'),
    allowed('a'),
    'Cannot restrict values that were previously allowed',
    '/allowedValues',
  ],
  [
    'an allowed value for another',
    allowed('a'),
    allowed('b'),
    'Cannot restrict values that were previously allowed',
    '/allowedValues',
  ],
  ['an allowed value more', allowed('a'), allowed('b', 'a'), COMPATIBLE],
  ['no restriction any more', allowed('a'), {}, COMPATIBLE],
  [
    'an empty list of allowed values, which restricts nothing',
    allowed('a'),
    { allowedValues: [] },
    COMPATIBLE,
  ],
  ['names for people', {}, { displayName: 'D', description: 'what for' }, COMPATIBLE],
  ['the entity types', {}, { entityTypes: [entityType('chart')] }, COMPATIBLE],
  ['immutability', {}, { immutable: true }, COMPATIBLE],
  ['the type qualifier', {}, { typeQualifier: { allowedTypes: [entityType('dataset')] } }, COMPATIBLE],
];

/** Settings that contradict themselves, by the place that does not go with hiding. */
export const BAD_SETTINGS: Array<[place: string, settings: Record<string, boolean>]> = [
  'showInSearchFilters',
  'showInAssetSummary',
  'showAsAssetBadge',
  'showInColumnsTable',
].map((place) => [place, { isHidden: true, [place]: true }]);

/** Values that break a rule of their property: what is wrong, the property, the values, the message, the place. */
export const BAD_VALUES: Array<
  [title: string, name: string, values: Array<string | number>, message: string, place: string]
> = [
  [
    'two values where one may be',
    'v.one',
    ['a', 'b'],
    'has cardinality 1, but multiple values were assigned',
    '/values',
  ],
  ['no value at all', 'v.string', [], 'needs at least one value', '/values'],
  ['a number where a text is due', 'v.string', ['a', 1], 'should be a string', '/values/1'],
  ['a number where rich text is due', 'v.rich', [1], 'should be a string', '/values/0'],
  ['a number where a URN is due', 'v.urn', [1], 'should be a string', '/values/0'],
  ['a text that is no URN', 'v.urn', ['urn:x'], 'should be an urn', '/values/0'],
  ['a URN of another type', 'v.owner', ['urn:li:tag:a'], 'is not of any supported urn types', '/values/0'],
  [
    'a number where a day is due',
    'v.date',
    [20240101],
    'should be a date with format YYYY-MM-DD',
    '/values/0',
  ],
  ['a day that is none', 'v.date', ['2023-02-29'], 'should be a date with format YYYY-MM-DD', '/values/0'],
  ['a day before there were four digits', 'v.date', ['0999-12-31'], 'should be a date', '/values/0'],
  ['a day after there are four digits', 'v.date', ['10000-01-01'], 'should be a date', '/values/0'],
  ['an instant where a day is due', 'v.date', ['2024-01-01T00:00:00Z'], 'should be a date', '/values/0'],
  ['a text that is no number', 'v.number', [1, 'one'], 'should be a number', '/values/1'],
  ['an empty text where a number is due', 'v.number', [''], 'should be a number', '/values/0'],
  ['infinity', 'v.number', ['1e400'], 'should be a number', '/values/0'],
  [
    'a text that is not allowed',
    'v.color',
    ['green'],
    'should be one of [{string=red}, {string=blue}]',
    '/values/0',
  ],
  [
    'a number that is not allowed',
    'v.days',
    [31],
    'should be one of [{double=30.0}, {double=365.5}]',
    '/values/0',
  ],
  [
    'a text that is too long',
    'v.one',
    ['x'.repeat(32_767)],
    'exceeds the maximum of 32766 UTF-8 bytes',
    '/values/0',
  ],
  [
    'a text of too many bytes',
    'v.one',
    ['ü'.repeat(16_384)],
    'exceeds the maximum of 32766 UTF-8 bytes',
    '/values/0',
  ],
  ['another entity type', 'v.dashboards', ['a'], 'cannot be applied to a dataset', '/propertyUrn'],
  ['another platform', 'v.hive', ['a'], 'is restricted to data platforms', '/propertyUrn'],
  [
    'a property that does not exist',
    'v.none',
    ['a'],
    'Unexpected null value found for urn:li:structuredProperty:v.none Structured Property Definition.',
    '/propertyUrn',
  ],
];

/** A catalog with the definitions that the values of the rules are of. */
export async function startWithRules(): Promise<TestCatalog> {
  const catalog = await TestCatalog.start();
  await define(catalog, 'v.string', 'string', { cardinality: 'MULTIPLE' });
  await define(catalog, 'v.one', 'string');
  await define(catalog, 'v.rich', 'rich_text');
  await define(catalog, 'v.number', 'number', { cardinality: 'MULTIPLE', entityTypes: ASSET_TYPES });
  await define(catalog, 'v.date', 'date', { cardinality: 'MULTIPLE' });
  await define(catalog, 'v.urn', 'urn');
  await define(catalog, 'v.owner', 'urn', {
    typeQualifier: { allowedTypes: [entityType('corpuser'), entityType('corpGroup')] },
  });
  await define(catalog, 'v.days', 'number', allowed(30, 365.5));
  await define(catalog, 'v.color', 'string', allowed('red', 'blue'));
  await define(catalog, 'v.immutable', 'string', { immutable: true });
  await define(catalog, 'v.dashboards', 'string', { entityTypes: [entityType('dashboard')] });
  await catalog.ingest(
    ['urn:li:dataPlatform:kafka', 'dataPlatformInfo', platform('kafka')],
    ['urn:li:dataPlatform:hive', 'dataPlatformInfo', platform('hive')],
  );
  await define(catalog, 'v.hive', 'string', { allowedPlatforms: ['urn:li:dataPlatform:hive'] });
  return catalog;
}
