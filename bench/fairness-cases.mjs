// What callers may ask for that costs the most. Each case makes the bodies of its requests; `i` counts them, so that a
// case can ask something else each time. A case that is refused by a limit belongs here too: refusals must be cheap. What a
// case asks of is written by `before`, requests that are carried out one after the other.

const graphql = (query, variables) => ({ path: '/api/graphql', body: { query, variables } });
const aspects = (name, body) => ({ path: `/aspects?action=${name}`, body });
const action = (name, body) => ({ path: `/entities?action=${name}`, body });

export const HUB = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.hub,PROD)';
/** Datasets that lie downstream of the hub. */
export const SPOKES = 10_000;
/** Profiles of the hub, of 25 columns each. */
export const EVENTS = 10_000;

const ACROSS = `urn: "${HUB}", direction: DOWNSTREAM, query: "*"`;
const SEARCH = `searchAcrossEntities(input: { types: [], query: "*", count: 100 }) { total
  searchResults { entity { urn } } facets { field aggregations { value count } } }`;
const DETAILS = `... on Dataset { urn name properties { name description customProperties { key value } }
  ownership { owners { owner { ... on CorpUser { urn username } } type } } tags { tags { tag { urn properties { name } } } }
  platform { urn name } subTypes { typeNames } status { removed } }`;
const nested = (depth) =>
  depth === 0
    ? 'urn'
    : `urn lineage(input: { direction: UPSTREAM }) { relationships { entity { ${nested(depth - 1)} } } }`;
const wide = (name, count) => Array.from({ length: count }, (_, k) => name(k)).join(' ');
const FACETS = [
  'platform',
  'owners',
  'tags',
  'origin',
  'typeNames',
  'fieldPaths',
  'customProperties',
  'name',
];

const table = (i) => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${i % 50}.table_${i},PROD)`;
const batch = Array.from({ length: 10_000 }, (_, i) => ({ urn: table(i) }));
const PROFILES = { urn: HUB, entity: 'dataset', aspect: 'datasetProfile' };

/** Whose properties are so many that a patch of them is a large write. */
const LARGE = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.large,PROD)';
/** A table that has changed as a whole several times. */
const WIDE = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.wide,PROD)';
const WIDER = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.wider,PROD)';
const largeProperties = {
  customProperties: Object.fromEntries(list(250_000, (k) => [`key_${k}`, `value of ${k}`])),
};
const largeOwnership = (type) => ({
  owners: list(100_000, (k) => ({ owner: `urn:li:corpuser:u${k}`, type })),
  lastModified: { time: 1750000000000, actor: 'urn:li:corpuser:crawler' },
});

/**
 * @typedef {{ path: string, body?: object }} Request
 * @type {{ name: string, before?: () => Request[], request: (i: number) => Request }[]}
 */
export const CASES = [
  { name: 'one small dataset (base line)', request: () => graphql(`{ entity(urn: "${HUB}") { urn } }`) },
  {
    name: 'graphql: entities nested four deep, always the same',
    request: () => graphql(`{ entity(urn: "${HUB}") { ${nested(4)} } }`),
  },
  {
    name: 'graphql: entities nested four deep, each twice',
    request: (i) => graphql(`{ entity(urn: "${HUB}") { ${nested(4)} } } # ${Math.floor(i / 2)}`),
  },
  {
    name: 'graphql: 100 aliases of a search',
    request: () => graphql(`{ ${wide((k) => `a${k}: ${SEARCH}`, 100)} }`),
  },
  {
    name: 'graphql: as many aliases of a search as are allowed',
    request: () => graphql(`{ ${wide((k) => `a${k}: ${SEARCH}`, 10)} }`),
  },
  {
    name: 'graphql: 2,400 equal fields beside each other, never the same document',
    request: (i) => graphql(`{ entity(urn: "${HUB}") { ${wide(() => 'urn', 2400)} } } # ${i}`),
  },
  {
    name: 'graphql: a search of 1,000 with details',
    request: (i) =>
      graphql(`{ searchAcrossEntities(input: { types: [DATASET], query: "*", start: ${(i % 9) * 1000}, count: 1000 }) {
        searchResults { entity { ${DETAILS} } } } }`),
  },
  {
    name: 'graphql: counts over 60 facets',
    request: () =>
      graphql(
        'query($f: [String!]) { aggregateAcrossEntities(input: { query: "*", facets: $f }) { facets { field } } }',
        {
          f: Array.from({ length: 60 }, (_, k) => FACETS[k % FACETS.length]),
        },
      ),
  },
  {
    name: 'lineage: search across a hub of 10,000',
    request: () =>
      graphql(
        `{ searchAcrossLineage(input: { ${ACROSS}, count: 10 }) { total searchResults { entity { urn } } } }`,
      ),
  },
  {
    name: 'lineage: scroll across a hub of 10,000, 1,000 a page',
    request: () =>
      graphql(`{ scrollAcrossLineage(input: { ${ACROSS}, count: 1000 }) { total nextScrollId
        searchResults { entity { urn } paths { path { urn } } } } }`),
  },
  {
    name: 'lineage: 10,000 neighbours of one entity',
    request: () =>
      graphql(`{ entity(urn: "${HUB}") { lineage(input: { direction: DOWNSTREAM, count: 10000 }) {
        relationships { degree entity { urn } } } } }`),
  },
  {
    name: 'relationships: 10,000 of one entity',
    request: () =>
      graphql(`{ entity(urn: "${HUB}") { ... on Dataset { relationships(input: { types: [], direction: INCOMING, count: 10000 }) {
        relationships { type entity { urn } } } } } }`),
  },
  {
    name: 'search: common words with facets',
    request: () => action('search', { entity: 'dataset', input: 'rows about subject', start: 0, count: 100 }),
  },
  {
    name: 'search: 25 wildcards over all fields',
    request: () => scroll(list(25, (k) => `ta*${k}*0?`).join(' OR ')),
  },
  {
    name: 'search: 90 misspelt words',
    request: () =>
      scroll(list(90, (k) => `tabel${String.fromCharCode(97 + (k % 26), 97 + (k % 25))}~`).join(' OR ')),
  },
  {
    name: 'search: 500 beginnings of words',
    request: () => scroll(list(500, (k) => `ta${k}*`).join(' OR ')),
  },
  {
    name: 'search: 900 parts of names',
    request: () => filtered('name', 'CONTAIN', 900, (k) => `x${k}`),
  },
  {
    name: 'search: 100,000 names to be equal to',
    request: () => filtered('name', 'EQUAL', 100_000, (k) => `table_${k}`),
  },
  {
    name: 'search: a page of 10,000',
    request: () =>
      action('search', { entity: 'dataset', input: 'rows about subject', start: 0, count: 10_000 }),
  },
  {
    name: 'search: scroll, 10,000 a page by two fields',
    request: () =>
      action('scrollAcrossEntities', {
        entities: ['dataset'],
        input: '*',
        count: 10_000,
        sortCriteria: [{ field: 'name' }, { field: 'urn' }],
      }),
  },
  {
    name: 'entities: 10,000 with all their aspects',
    request: () => ({
      path: '/openapi/v3/entity/scroll?count=10000',
      body: { entities: ['dataset'], aspects: [] },
    }),
  },
  {
    name: 'entities: a batch of 10,000',
    request: () => ({ path: '/openapi/v3/entity/dataset/batchGet', body: batch }),
  },
  { name: 'events: 10,000 of one entity', request: () => aspects('getTimeseriesAspectValues', PROFILES) },
  {
    name: 'events: 10,000 by graphql',
    request: () =>
      graphql(`{ dataset(urn: "${HUB}") { datasetProfiles(limit: 10000) { timestampMillis fieldProfiles {
        fieldPath uniqueCount nullCount min max mean median sampleValues } } } }`),
  },
  {
    name: 'relationships: a page of 10,000',
    request: () => ({ path: '/openapi/v3/relationship/scroll?count=10000', body: {} }),
  },
  {
    name: 'audit: a page of 1,000',
    request: () => ({ path: '/openapi/v1/events/audit/search?size=1000', body: {} }),
  },
  {
    name: 'browse: the root',
    request: () => action('browse', { entity: 'dataset', path: '/', start: 0, limit: 100 }),
  },
  {
    name: 'autocomplete: a common word',
    request: () => action('autocomplete', { entity: 'dataset', query: 'table', limit: 100 }),
  },
  {
    name: 'maintenance: entities to restore, of which there are none',
    request: () => ({ path: '/operations?action=restoreIndices', body: { urnLike: '%no%such%entity%' } }),
  },
  {
    name: 'refused: 900,000 items that do not fit',
    request: () => proposals(1, () => [HUB, 'globalTags', { tags: list(900_000, () => 1) }]),
  },
  // Last: they change what the others ask for.
  {
    name: 'writes: a batch of 50,000',
    request: (i) =>
      proposals(50_000, (k) => [table(k), 'editableDatasetProperties', { description: `text ${i} of ${k}` }]),
  },
  {
    name: 'writes: 50,000 patches of one aspect',
    request: (i) =>
      proposals(50_000, (k) => [
        HUB,
        'datasetProperties',
        [{ op: 'add', path: `/customProperties/key_${k % 20_000}`, value: `${i}` }],
      ]),
  },
  {
    name: 'writes: an OpenLineage event of 2,000 outputs of ten columns each',
    request: (i) => ({ path: '/openapi/openlineage/api/v1/lineage', body: lineageEvent(i, 2_000, 10) }),
  },
  {
    name: 'writes: 100,000 owners of one entity',
    request: (i) =>
      proposals(1, () => [
        HUB,
        'ownership',
        {
          owners: list(100_000, (k) => ({
            owner: `urn:li:corpuser:u${(i % 2) * 50_000 + k}`,
            type: 'DATAOWNER',
          })),
          lastModified: { time: 1750000000000, actor: 'urn:li:corpuser:crawler' },
        },
      ]),
  },
  {
    name: 'writes: 250,000 properties of one entity',
    request: (i) =>
      proposals(1, () => [
        HUB,
        'datasetProperties',
        { customProperties: Object.fromEntries(list(250_000, (k) => [`key_${k}`, `value ${i} of ${k}`])) },
      ]),
  },
  {
    name: 'writes: patches of 250,000 properties',
    before: () => [proposals(1, () => [LARGE, 'datasetProperties', largeProperties])],
    request: (i) =>
      proposals(50_000, (k) => [
        LARGE,
        'datasetProperties',
        [{ op: 'add', path: `/customProperties/key_${k}`, value: `${i}` }],
      ]),
  },
  {
    name: 'writes: patches of 100,000 owners',
    before: () => [proposals(1, () => [LARGE, 'ownership', largeOwnership('DATAOWNER')])],
    request: (i) =>
      proposals(50_000, (k) => [
        LARGE,
        'ownership',
        [
          {
            op: 'add',
            path: `/owners/urn:li:corpuser:u${k}/DATAOWNER/source`,
            value: { type: ['SERVICE', 'MANUAL'][i % 2] },
          },
        ],
      ]),
  },
  {
    name: 'writes: a patch of 250,000 properties that fails',
    before: () => [proposals(1, () => [LARGE, 'datasetProperties', largeProperties])],
    request: () =>
      proposals(1, () => [
        LARGE,
        'datasetProperties',
        [{ op: 'test', path: '/customProperties/key_1', value: 'no' }],
      ]),
  },
  {
    name: 'writes: an OpenLineage event of 20,000 inputs',
    request: (i) => ({ path: '/openapi/openlineage/api/v1/lineage', body: lineageEvent(i, 1, 1, 20_000) }),
  },
  {
    name: 'timeline: ten versions of a table of 5,000 columns',
    before: () => list(10, (version) => proposals(1, () => [WIDE, 'schemaMetadata', schema(5_000, version)])),
    request: () => timelineOf(WIDE, 'TAG,GLOSSARY_TERM,DOCUMENTATION,TECHNICAL_SCHEMA'),
  },
  {
    name: 'timeline: five versions of a table of 45,000 columns',
    before: () =>
      list(5, (version) => proposals(1, () => [WIDER, 'schemaMetadata', schema(45_000, version, 100)])),
    request: () => timelineOf(WIDER, 'TECHNICAL_SCHEMA', false),
  },
];

/** So many proposals in one request; a value that is a list is a patch. */
function proposals(count, of) {
  return aspects('ingestProposalBatch', {
    async: 'false',
    proposals: list(count, (k) => {
      const [entityUrn, aspectName, value] = of(k);
      return {
        entityType: 'dataset',
        entityUrn,
        changeType: Array.isArray(value) ? 'PATCH' : 'UPSERT',
        aspectName,
        aspect: { value: JSON.stringify(value), contentType: 'application/json' },
      };
    }),
  });
}

/** A schema of which a version differs from another in every tenth column or so, by its type and its text. */
function schema(columns, version, every = 10) {
  return {
    schemaName: 'shop.wide',
    platform: 'urn:li:dataPlatform:postgres',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: list(columns, (k) => ({
      fieldPath: `column_${k}`,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: k % every === version ? 'TEXT' : `VARCHAR(${k})`,
      description: k % every === version ? `text ${version} of ${k}` : `text of ${k}`,
    })),
  };
}

function timelineOf(urn, categories, raw = true) {
  return { path: `/openapi/v2/timeline/v1/${encodeURIComponent(urn)}?categories=${categories}&raw=${raw}` };
}

/** An event of a run of its own, in which all columns come from one. */
function lineageEvent(i, outputs, columns, inputs = 1) {
  const dataset = (name) => ({ namespace: 'postgres://bench:5432', name });
  const inputFields = [{ ...dataset('shop.lineage.in'), field: 'id' }];
  const fields = Object.fromEntries(list(columns, (k) => [`column_${k}`, { inputFields }]));
  return {
    eventTime: new Date().toISOString(),
    producer: 'https://github.com/apache/airflow/bench',
    eventType: 'COMPLETE',
    run: { runId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}` },
    job: { namespace: 'bench', name: 'bench.job' },
    inputs: [dataset('shop.lineage.in'), ...list(inputs - 1, (k) => dataset(`shop.lineage.in_${k}`))],
    outputs: list(outputs, (k) => ({
      ...dataset(`shop.lineage.out_${k}`),
      facets: { columnLineage: { fields } },
    })),
  };
}

function list(count, of) {
  return Array.from({ length: count }, (_, k) => of(k));
}

/** A query of the query language. */
function scroll(query) {
  const text = encodeURIComponent(query).replaceAll('%20', '+');
  return { path: `/openapi/v3/entity/scroll?query=${text}`, body: { entities: ['dataset'] } };
}

function filtered(field, condition, count, of) {
  const filter = { or: [{ and: [{ field, condition, values: list(count, of) }] }] };
  return action('search', { entity: 'dataset', input: '*', start: 0, count: 10, filter });
}
