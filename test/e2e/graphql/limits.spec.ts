import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { eventually } from './mutating.js';
import { data, failure, graphql } from './support.js';

const D = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

describe('the endpoint', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it('takes POST with JSON and a token, and nothing else', async () => {
    const get = await catalog.get('/api/graphql?query=%7Bme%7BcorpUser%7Burn%7D%7D%7D');
    expect({ status: get.status, allow: get.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    const text = await catalog.request('POST', '/api/graphql', {
      raw: '{ me { corpUser { urn } } }',
      headers: { 'content-type': 'application/graphql' },
    });
    expect({ status: text.status, code: text.body.code }).toEqual({
      status: 415,
      code: 'MEDIA_TYPE_UNSUPPORTED',
    });
    const nobody = await graphql(catalog, '{ me { corpUser { urn } } }', undefined, { token: null });
    expect({ status: nobody.status, asks: nobody.headers.get('www-authenticate') }).toEqual({
      status: 401,
      asks: 'Bearer',
    });
  });

  it('takes no parameters in its address', async () => {
    const answer = await catalog.post('/api/graphql?operationName=a', {
      query: '{ me { corpUser { urn } } }',
    });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 400,
      body: { code: 'PARAMETER_INVALID', errors: [{ pointer: '/operationName' }] },
    });
  });

  it.each([
    ['no body', undefined, 'PARAMETER_MISSING'],
    ['a list of operations', [{ query: '{ me { corpUser { urn } } }' }], 'PARAMETER_INVALID'],
    ['no query', { variables: {} }, 'PARAMETER_MISSING'],
    ['an empty query', { query: ' ' }, 'PARAMETER_INVALID'],
    ['a query that is none', { query: 7 }, 'PARAMETER_INVALID'],
    ['variables that are none', { query: '{ me { corpUser { urn } } }', variables: [] }, 'PARAMETER_INVALID'],
    ['a name that is none', { query: '{ me { corpUser { urn } } }', operationName: {} }, 'PARAMETER_INVALID'],
  ])('refuses %s with 400', async (_what, body, code) => {
    const answer = await catalog.post('/api/graphql', body);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code });
  });

  it.each([
    ['a document that does not parse', '{ me { ', 'InvalidSyntax'],
    ['an unknown field', '{ me { shoeSize } }', 'ValidationError'],
    [
      'a syntax tree instead of a document',
      JSON.stringify({ kind: 'Document', definitions: [] }),
      'InvalidSyntax',
    ],
    ['a missing variable', 'query($u: String!) { dataset(urn: $u) { urn } }', 'ValidationError'],
    [
      'two operations without a name',
      'query a { me { corpUser { urn } } } query b { me { corpUser { urn } } }',
      'ValidationError',
    ],
  ])('refuses %s', async (_what, query, classification) => {
    // Sent repeatedly: what fails must fail again, also once queries are compiled.
    for (let i = 0; i < 3; i += 1) {
      const error = await failure(catalog, query);
      expect(error.extensions).toMatchObject({
        code: 400,
        type: 'BAD_REQUEST',
        errorCode: 'GRAPHQL_INVALID',
        classification,
      });
    }
  });

  it('runs the operation that is named, whichever was compiled first', async () => {
    const query = 'query a { me { corpUser { urn } } } query b { entityExists(urn: "urn:li:tag:x") }';
    for (let i = 0; i < 3; i += 1) {
      for (const [operationName, field] of [
        ['a', 'me'],
        ['b', 'entityExists'],
      ] as const) {
        const answer = await graphql(catalog, query, undefined, { operationName });
        expect(Object.keys(answer.body.data)).toEqual([field]);
      }
    }
  });

  it.each([
    ['a URN that is none', '{ dataset(urn: "nope") { urn } }', 'URN_MALFORMED'],
    ['a URN of another kind', '{ dataset(urn: "urn:li:tag:x") { urn } }', 'PARAMETER_INVALID'],
    ['an entity that nobody knows', '{ entity(urn: "urn:li:robot:x") { urn } }', 'ENTITY_UNKNOWN'],
  ])('refuses %s with a pointer, as an error of the field', async (_what, query, errorCode) => {
    const error = await failure(catalog, query);
    expect(error.path).toHaveLength(1);
    expect(error.extensions).toEqual({
      code: 400,
      type: 'BAD_REQUEST',
      classification: 'DataFetchingException',
      errorCode,
      pointer: '/urn',
    });
  });

  it('takes large values inside a document', async () => {
    const answer = await graphql(catalog, `{ entityExists(urn: "urn:li:tag:x") # ${'x'.repeat(100_000)}\n}`);
    expect(answer.body).toEqual({ data: { entityExists: false }, extensions: {} });
  });
});

describe('limits', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({
      CATALOG_GRAPHQL_MAX_DEPTH: '6',
      CATALOG_GRAPHQL_MAX_COST: '500',
      CATALOG_GRAPHQL_MAX_ALIASES: '3',
      CATALOG_GRAPHQL_MAX_TOKENS: '200',
      CATALOG_GRAPHQL_MAX_BATCH: '5',
    });
    await catalog.ingest([D, 'status', { removed: false }]);
    const tags = Array.from({ length: 300 }, (_, i): [string, string, unknown] => [
      `urn:li:tag:page.t${i}`,
      'tagProperties',
      { name: `t${i}` },
    ]);
    await catalog.ingest(...tags);
    await eventually(async () => expect((await catalog.search('tag', '*')).numEntities).toBe(300));
  });
  afterAll(() => catalog.stop());

  const search = (count: string, fields: string) =>
    `{ searchAcrossEntities(input: { query: "*", count: ${count} }) { searchResults { ${fields} } } }`;

  it.each([
    [
      'depth',
      '{ dataset(urn: "urn:li:tag:x") { tags { tags { tag { tags { tags { context } } } } } } }',
      /7 levels/,
    ],
    [
      'depth, in fragments',
      '{ dataset(urn: "urn:li:tag:x") { tags { tags { tag { ...t } } } } } fragment t on Tag { tags { tags { context } } }',
      /7 levels/,
    ],
    ['cost', search('300', 'entity { urn }'), /fields/],
    [
      'aliases',
      '{ a: entityExists(urn: "x") b: entityExists(urn: "x") c: entityExists(urn: "x") d: entityExists(urn: "x") }',
      /3 aliases/,
    ],
    ['words', `{ ${'entityExists(urn: "x") '.repeat(50)} }`, /200 tokens/],
  ])('hold for %s', async (_what, query, message) => {
    for (let i = 0; i < 3; i += 1) {
      const error = await failure(catalog, query);
      expect(error.message).toMatch(message);
      expect(error.extensions).toMatchObject({ code: 400, errorCode: 'GRAPHQL_TOO_COSTLY' });
    }
  });

  it('hold for the page size in a variable, and for large documents that are not kept', async () => {
    const query = `query($n: Int) ${search('$n', 'entity { urn }')}`;
    expect((await data(catalog, query, { n: 10 })).searchAcrossEntities.searchResults).toHaveLength(10);
    expect((await failure(catalog, query, { n: 1000 })).extensions.errorCode).toBe('GRAPHQL_TOO_COSTLY');
    const large = `# ${'x'.repeat(20_000)}\n${search('1000', 'entity { urn }')}`;
    expect((await failure(catalog, large)).extensions.errorCode).toBe('GRAPHQL_TOO_COSTLY');
  });

  it('hold for what is answered, not for pages that may be asked for', async () => {
    const dataset = (below: string) => `{ dataset(urn: "${D}") { ${below} } }`;
    const page = (below: string) =>
      `relationships(input: { types: ["IsPartOf"], direction: OUTGOING, count: 10000 }) { ${below} }`;
    const wide = dataset(page(`relationships { entity { urn } }`));
    for (let i = 0; i < 3; i += 1) {
      expect((await data(catalog, wide)).dataset).toEqual({ relationships: { relationships: [] } });
      const error = await failure(catalog, search('300', 'entity { urn ... on Tag { name } }'));
      expect(error.message).toMatch(/more than 500 fields/);
      expect(error.extensions).toMatchObject({ code: 400, errorCode: 'GRAPHQL_TOO_COSTLY' });
    }
  });

  it('hold for a mutation before anything is written', async () => {
    const page = 'relationships(input: { types: ["IsPartOf"], direction: OUTGOING, count: 10000 })';
    const error = await failure(
      catalog,
      `mutation { updateDataset(urn: "${D}", input: { editableProperties: { description: "x" } }) { ${page} { relationships { entity { urn } } } } }`,
    );
    expect(error.message).toMatch(/may return \d+ fields, at most 500/);
    expect(await catalog.read(D, 'editableDatasetProperties')).toBeUndefined();
  });

  it('measure nested fragments by what they spread to, without spreading them', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `fragment f${i} on Dataset { ${i === 11 ? 'urn' : `...f${i + 1} ...f${i + 1}`} }`,
    );
    const error = await failure(catalog, `{ dataset(urn: "${D}") { ...f0 } } ${levels.join(' ')}`);
    expect(error.extensions.errorCode).toBe('GRAPHQL_TOO_COSTLY');
  });

  it('hold for lists, in variables and in the document', async () => {
    const urns = Array.from({ length: 6 }, (_, i) => `urn:li:tag:t${i}`);
    for (const error of [
      await failure(catalog, 'query($u: [String!]!) { entities(urns: $u) { urn } }', { u: urns }),
      await failure(catalog, `{ entities(urns: ${JSON.stringify(urns)}) { urn } }`),
    ]) {
      expect(error.extensions).toMatchObject({ code: 413, type: 'TOO_LARGE', errorCode: 'BATCH_TOO_LARGE' });
    }
    const few = await data(catalog, 'query($u: [String!]!) { entities(urns: $u) { urn } }', {
      u: [D, ...urns.slice(0, 4)],
    });
    expect(few.entities).toEqual([{ urn: D }, null, null, null, null]);
  });
});

describe('when something is wrong inside', () => {
  let catalog: TestCatalog;
  const query = `{ dataset(urn: "${D}") { urn } }`;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_GRAPHQL_TIMEOUT_MS: '1000' });
    await catalog.ingest([D, 'status', { removed: false }]);
  });
  afterAll(() => catalog.stop());

  const reads = () => jest.spyOn(Object.getPrototypeOf(catalog.provider(Database)) as Database, 'all');

  it('an operation that takes too long is given up', async () => {
    let release: (rows: never[]) => void = () => undefined;
    const stuck = new Promise<never[]>((resolve) => (release = resolve));
    const all = reads().mockReturnValue(stuck);
    try {
      const error = await failure(catalog, query);
      expect(error.extensions).toMatchObject({
        code: 503,
        errorCode: 'GRAPHQL_TIMEOUT',
        classification: 'DataFetchingException',
      });
    } finally {
      all.mockRestore();
      release([]);
    }
    expect((await data(catalog, query)).dataset).toEqual({ urn: D });
  });

  it('an error of ours keeps its text to itself, and names the request', async () => {
    const all = reads().mockRejectedValue(new Error('SELECT secret FROM sqlite_master at /home/x'));
    try {
      for (let i = 0; i < 3; i += 1) {
        const answer = await graphql(catalog, query);
        expect(answer.status).toBe(200);
        expect(answer.text).not.toMatch(/secret|SELECT|home/);
        expect(answer.body).toEqual({
          data: { dataset: null },
          errors: [
            {
              message: expect.stringContaining(answer.headers.get('x-request-id')!),
              locations: expect.any(Array),
              path: ['dataset'],
              extensions: {
                code: 500,
                type: 'SERVER_ERROR',
                classification: 'DataFetchingException',
                errorCode: 'INTERNAL',
              },
            },
          ],
          extensions: {},
        });
      }
    } finally {
      all.mockRestore();
    }
  });
});
