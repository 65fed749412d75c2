import { datasetUrn, documentOf, unless, where, type Ask } from './search-fixture.js';

export const tag = (name: string) => `urn:li:tag:${name}`;
export const tags = (...names: string[]) => ({
  globalTags: { tags: names.map((name) => ({ tag: tag(name) })) },
});

export const USERS = datasetUrn('hive', 'prod.fct_users_created');
export const CAMEL = datasetUrn('kafka', 'FctUsersCreated');
export const DOTTED = datasetUrn('hive', 'fct-users.created', 'DEV');
export const ORDERS = datasetUrn('mysql', 'shop/orders');
export const ORDERS_1 = datasetUrn('mysql', 'shop/orders_1');
export const ORDERS_10 = datasetUrn('mysql', 'shop/orders_10');
export const UMLAUT = datasetUrn('hive', 'größe');
export const CHINESE = datasetUrn('hive', '用户订单');
export const ODD = datasetUrn('s3', `it's "quoted" %_*? AND (NEAR)`);
const REMOVED = datasetUrn('hive', 'old_orders');
export const CHART = 'urn:li:chart:(looker,orders_chart)';
const ADA = 'urn:li:corpuser:ada';

export const LONG_TEXT = `All orders of the shop. ${'Counted once a night by the ledger. '.repeat(20)}The end`;

/** The documents of the parity table. */
export const DOCUMENTS = [
  documentOf(USERS, {
    datasetProperties: {
      name: 'fct_users_created',
      description: 'Number of active users by day',
      customProperties: { team: 'growth', tier: '1' },
      created: { time: 1_000 },
    },
    ...tags('pii', 'Legacy'),
    schemaMetadata: {
      fields: [{ fieldPath: 'user_id', description: 'Who it was' }, { fieldPath: 'created_at' }],
    },
    ownership: { owners: [{ owner: ADA, type: 'DATAOWNER' }], ownerTypes: { owner: [ADA] } },
    browsePaths: { paths: ['/prod/hive/facts'] },
    browsePathsV2: { path: [{ id: 'urn:li:container:lake' }, { id: 'facts' }] },
  }),
  documentOf(CAMEL, {
    datasetProperties: { customProperties: {}, created: { time: 2_000 } },
    ...tags('pii'),
    browsePaths: { paths: ['/prod/kafka'] },
    browsePathsV2: { path: [{ id: 'urn:li:container:lake' }] },
  }),
  documentOf(DOTTED, { deprecation: { deprecated: true }, browsePaths: { paths: ['/dev/hive'] } }),
  documentOf(ORDERS, {
    datasetProperties: { name: 'orders', description: LONG_TEXT, created: { time: -3_000 } },
    schemaMetadata: { fields: [{ fieldPath: 'id', globalTags: { tags: [{ tag: tag('pii') }] } }] },
  }),
  documentOf(ORDERS_1, { datasetProperties: { name: 'orders_1', created: { time: 2_000 } } }),
  documentOf(ORDERS_10, { datasetProperties: { name: 'orders_10' } }),
  documentOf(UMLAUT, { datasetProperties: { name: 'Größe', description: 'Straße und Ärger 🚀' } }),
  documentOf(CHINESE, { datasetProperties: { name: '用户订单', description: '' } }),
  documentOf(ODD, {
    datasetProperties: { name: 'a\u0000b', description: '\u{1F469}\u200D\u{1F4BB} \ud800 tail' },
  }),
  documentOf(REMOVED, { datasetProperties: { name: 'old_orders' }, status: { removed: true } }),
  documentOf(CHART, { chartInfo: { title: 'Orders by day', description: 'orders' } }),
];

export const LIVE = [USERS, CAMEL, DOTTED, ORDERS, ORDERS_1, ORDERS_10, UMLAUT, CHINESE, ODD];
/** The order of URNs: by code points. */
export const sorted = (urns: string[]) =>
  urns.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/**
 * What is asked, and which URNs come in which order. `total` defaults to their number; beyond the `first` ones the order is
 * left to the engine's own measure of relevance.
 */
export const PARITY: Array<Ask & { title: string; urns: string[]; total?: number; first?: number }> = [
  { title: '* finds everything, by URN', urns: sorted(LIVE) },
  { title: 'nothing typed is everything', input: '  ', urns: sorted(LIVE) },
  { title: 'snake case by its parts', input: 'users created', urns: [CAMEL, DOTTED, USERS], first: 0 },
  {
    title: 'one spelling finds the others, the equal name first',
    input: 'fct_users_created',
    urns: [USERS, CAMEL, DOTTED],
    first: 1,
  },
  { title: 'camel case', input: 'FctUsersCreated', urns: [CAMEL, USERS, DOTTED], first: 1 },
  { title: 'kebab and dots', input: 'fct-users.created', urns: [DOTTED, USERS, CAMEL], first: 1 },
  { title: 'no separators at all', input: 'fctuserscreated', urns: [CAMEL, USERS, DOTTED], first: 0 },
  { title: 'the beginning of a word', input: 'creat', urns: [CAMEL, DOTTED, USERS], first: 0 },
  { title: 'upper case', input: 'GROWTH', urns: [USERS] },
  {
    title: 'the equal name before names that begin so',
    input: 'orders',
    urns: [ORDERS, ORDERS_1, ORDERS_10],
  },
  { title: 'a number is not the beginning of another', input: 'orders_1', urns: [ORDERS_1] },
  { title: 'unless a star says so', input: 'orders_1*', urns: [ORDERS_1, ORDERS_10] },
  { title: 'a phrase', input: '"active users"', urns: [USERS] },
  { title: 'words that are there, not as a phrase', input: '"users active"', urns: [] },
  { title: 'a word of a description', input: 'ledger', urns: [ORDERS] },
  { title: 'a column', input: 'user_id', urns: [USERS] },
  { title: 'accents do not matter', input: 'grosse', urns: [] },
  { title: 'accents do not matter, one by one', input: 'GROßE arger', urns: [UMLAUT] },
  { title: 'a part of a Chinese name', input: '订单', urns: [CHINESE] },
  { title: 'a pictogram', input: '🚀', urns: [UMLAUT] },
  { title: 'the URN itself first', input: USERS, urns: [USERS] },
  { title: 'a tag by its URN', input: tag('Legacy'), urns: [USERS] },
  { title: 'no such word', input: 'nonesuch', urns: [] },
  { title: '<field>:<value> with a URN', input: `tags:${tag('Legacy')}`, urns: [USERS] },
  { title: '<field>:<value> with the bare id', input: 'tags:Legacy', urns: [USERS] },
  { title: '<field>:<value> is exact', input: 'tags:Legac', urns: [] },
  { title: '<field>:<value> of a name', input: 'name:ORDERS', urns: [ORDERS] },
  { title: '<field>:<value> with escapes', input: 'tags:urn\\:li\\:tag\\:Legacy', urns: [USERS] },
  { title: '<field>:* is any value', input: 'owners:*', urns: [USERS] },
  { title: 'an unknown field is plain text', input: 'nonesuch:ledger', urns: [] },
  { title: 'a text with a colon', input: 'active:users', urns: [USERS] },
  { title: 'EQUAL', filter: where('platform', 'EQUAL', 'urn:li:dataPlatform:kafka'), urns: [CAMEL] },
  { title: 'EQUAL minds the case', filter: where('name', 'EQUAL', 'ORDERS'), urns: [] },
  {
    title: 'EQUAL with several values',
    filter: where('name', 'EQUAL', 'orders', 'orders_1'),
    urns: [ORDERS, ORDERS_1],
  },
  { title: 'IN', filter: where('name', 'IN', 'orders', 'nonesuch'), urns: [ORDERS] },
  { title: 'EQUAL without values', filter: where('name', 'EQUAL'), urns: [] },
  {
    title: '.keyword',
    filter: where('platform.keyword', 'EQUAL', 'urn:li:dataPlatform:kafka'),
    urns: [CAMEL],
  },
  { title: 'the old form', filter: { criteria: [{ field: 'origin', value: 'DEV' }] }, urns: [DOTTED] },
  {
    title: 'a group of fields',
    filter: where('tags', 'EQUAL', tag('pii')),
    urns: sorted([USERS, CAMEL, ORDERS]),
  },
  { title: 'one of the group', filter: where('fieldTags', 'EQUAL', tag('pii')), urns: [ORDERS] },
  { title: 'env is origin', filter: where('env', 'EQUAL', 'DEV'), urns: [DOTTED] },
  { title: 'a custom property', filter: where('customProperties', 'EQUAL', 'team=growth'), urns: [USERS] },
  { title: 'owners by type', filter: where('ownerTypes', 'EQUAL', `owner=${ADA}`), urns: [USERS] },
  { title: 'a whole long text', filter: where('description', 'EQUAL', LONG_TEXT), urns: [ORDERS] },
  { title: 'the end of a long text', filter: where('description', 'END_WITH', 'the END'), urns: [ORDERS] },
  { title: 'inside a long text', filter: where('description', 'CONTAIN', 'BY THE LEDGER'), urns: [ORDERS] },
  { title: 'the urn', filter: where('urn', 'EQUAL', ORDERS, CHART), urns: [ORDERS] },
  { title: 'part of the urn', filter: where('urn', 'CONTAIN', 'SHOP/ORDERS_'), urns: [ORDERS_1, ORDERS_10] },
  {
    title: 'IEQUAL',
    filter: where('name', 'IEQUAL', 'GRÖSSE', 'größe', 'ORDERS'),
    urns: sorted([UMLAUT, ORDERS]),
  },
  { title: 'CONTAIN', filter: where('name', 'CONTAIN', 'RS_1'), urns: [ORDERS_1, ORDERS_10] },
  { title: 'CONTAIN takes wildcards literally', filter: where('id', 'CONTAIN', '%_*?'), urns: [ODD] },
  {
    title: 'CONTAIN in a browse path',
    filter: where('browsePathV2', 'CONTAIN', 'urn:li:container:lake'),
    urns: sorted([USERS, CAMEL]),
  },
  { title: 'START_WITH', filter: where('id', 'START_WITH', 'SHOP/orders_1'), urns: [ORDERS_1, ORDERS_10] },
  { title: 'END_WITH', filter: where('id', 'END_WITH', '.CREATED'), urns: [DOTTED] },
  { title: 'EXISTS', filter: where('owners', 'EXISTS'), urns: [USERS] },
  {
    title: 'IS_NULL',
    filter: where('createdAt', 'IS_NULL'),
    urns: sorted([DOTTED, ORDERS_10, UMLAUT, CHINESE, ODD]),
  },
  {
    title: 'GREATER_THAN',
    filter: where('createdAt', 'GREATER_THAN', '1000'),
    urns: sorted([CAMEL, ORDERS_1]),
  },
  {
    title: 'GREATER_THAN_OR_EQUAL_TO',
    filter: where('createdAt', 'GREATER_THAN_OR_EQUAL_TO', '1e3'),
    urns: sorted([USERS, CAMEL, ORDERS_1]),
  },
  { title: 'LESS_THAN', filter: where('createdAt', 'LESS_THAN', '1000'), urns: [ORDERS] },
  {
    title: 'LESS_THAN_OR_EQUAL_TO',
    filter: where('createdAt', 'LESS_THAN_OR_EQUAL_TO', '1970-01-01T00:00:01Z'),
    urns: sorted([ORDERS, USERS]),
  },
  {
    title: 'a number as a number',
    filter: where('createdAt', 'EQUAL', '2000.0'),
    urns: sorted([CAMEL, ORDERS_1]),
  },
  {
    title: 'a range of texts',
    filter: where('name', 'GREATER_THAN', 'orders_1'),
    urns: sorted([ORDERS_10, CHINESE]),
  },
  { title: 'a flag', filter: where('hasOwners', 'EQUAL', 'true'), urns: [USERS] },
  {
    title: 'a flag that was never set is false',
    filter: where('hasOwners', 'EQUAL', 'false'),
    urns: sorted(LIVE.filter((u) => u !== USERS)),
  },
  { title: 'negation', filter: unless('origin', 'EQUAL', 'PROD'), urns: [DOTTED] },
  {
    title: 'negation of a group',
    filter: unless('tags', 'EXISTS'),
    urns: sorted(LIVE.filter((u) => ![USERS, CAMEL, ORDERS].includes(u))),
  },
  { title: 'an unknown field matches nothing', filter: where('nonesuch', 'EQUAL', 'x'), urns: [] },
  { title: 'its negation everything', filter: unless('nonesuch', 'EQUAL', 'x'), urns: sorted(LIVE) },
  {
    title: 'the entity type, either spelling',
    filter: where('_entityType', 'EQUAL', 'dataset', 'CHART'),
    urns: sorted(LIVE),
  },
  {
    title: 'and within, or between',
    filter: {
      or: [
        {
          and: [
            { field: 'tags', values: [tag('pii')] },
            { field: 'tags', values: [tag('Legacy')] },
          ],
        },
        { and: [{ field: 'origin', values: ['DEV'] }] },
      ],
    },
    urns: sorted([USERS, DOTTED]),
  },
  { title: 'text and filter', input: 'orders', filter: where('name', 'END_WITH', '0'), urns: [ORDERS_10] },
  {
    title: 'soft-deleted ones when asked for',
    input: 'orders',
    includeRemoved: true,
    urns: [ORDERS, ORDERS_1, ORDERS_10, REMOVED],
  },
  {
    title: 'only soft-deleted ones',
    includeRemoved: true,
    filter: where('removed', 'EQUAL', 'true'),
    urns: [REMOVED],
  },
  {
    title: 'several entity types',
    input: 'orders',
    entities: ['dataset', 'chart'],
    urns: [ORDERS, ...sorted([ORDERS_1, ORDERS_10, CHART])],
    first: 1,
  },
  { title: 'a page', start: 2, count: 3, urns: sorted(LIVE).slice(2, 5), total: LIVE.length },
  { title: 'a page of text hits', input: 'orders', start: 1, count: 1, urns: [ORDERS_1], total: 3 },
  { title: 'a page beyond the end', start: 100, count: 3, urns: [], total: LIVE.length },
  { title: 'no page', count: 0, urns: [], total: LIVE.length },
  {
    title: 'sorted, ties by URN, those without the field last',
    sort: [{ field: 'createdAt', descending: false }],
    urns: [ORDERS, USERS, ...sorted([CAMEL, ORDERS_1]), ...sorted([DOTTED, ORDERS_10, UMLAUT, CHINESE, ODD])],
  },
  {
    title: 'sorted downwards, by two fields',
    sort: [
      { field: 'createdAt', descending: true },
      { field: 'urn', descending: true },
    ],
    count: 4,
    urns: [ORDERS_1, CAMEL, USERS, ORDERS],
    total: LIVE.length,
  },
  {
    title: 'sorted by a long text',
    input: 'shop',
    sort: [{ field: 'description', descending: true }],
    urns: [ORDERS, ORDERS_1, ORDERS_10],
  },
];

/** Texts that break careless engines: operators, quotes, control characters, halves of characters, sheer length. */
export const ODD_TEXTS = [
  '"',
  "'",
  '""',
  '" "',
  '(',
  ')',
  '())',
  '*',
  '**',
  ' * ',
  'a*b',
  '-',
  '--',
  '+',
  '|',
  '&&',
  '!',
  '^2',
  '~',
  '\\',
  '/',
  '//',
  ':',
  '::',
  'a:',
  ':a',
  'AND',
  'OR',
  'NOT',
  'a AND',
  'NEAR(a b)',
  'NEAR/2',
  '"a" NEAR "b"',
  '{a b}: c',
  'name : x',
  '[a TO b]',
  '%',
  '_',
  '?',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u{1F600}',
  '‮',
  '<script>',
  "'; DROP TABLE doc; --",
  '${x}',
  '\n',
  '\t',
  'é',
  'e\u0301',
  'ﬁ',
  'İ',
  'ß',
  'x'.repeat(5000),
  'a '.repeat(500),
  '"unbalanced phrase',
  '😀😀',
  '零',
  '1e400',
  'NaN',
  '__proto__',
  'constructor',
  'constructor:x',
];
