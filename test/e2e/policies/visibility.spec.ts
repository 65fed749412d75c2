import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
} from 'graphql';
import { ADMIN_TOKEN, TestCatalog, type Answer } from '../../harness/catalog.js';
import { permissionRows } from '../../harness/roles-page.js';
import { importSample, SAMPLE_LINES } from '../../harness/sample.js';
import { SHORT_WAITS } from '../events/feed-reader.js';
import { Cookies } from '../sign-in/browser.js';
import { dataset, policy, putPolicies } from './policies.js';
import {
  ABOUT,
  BY_URN,
  GRAPHQL,
  KINDS,
  MANAGED,
  OUTSIDE,
  REST,
  SHOWN_AS_STORED,
  type About,
  type GraphqlRow,
  type Told,
} from './read-operations.js';

/** What a description, a column, a tag or an event of something hidden says. No request sends it. */
const SECRET = 'okapi';
/** All that is hidden has one of them in its URN or its name. */
const HIDDEN = /zebra|okapi/i;
const VISIBLE = /lion|wild/i;
const TAG = 'urn:li:tag:wild';

const schema = buildSchema(readFileSync('docs/schema.graphql', 'utf8'));
const queries = schema.getQueryType()!.getFields();
/** The operations that read: mutations that a READER may call are about tokens of their own. */
const read = permissionRows().filter(
  ({ needs, call }) => needs === 'read' && (call.includes(' ') || call in queries),
);

/** Who may see everything, and who may not. */
const [FREE, BOUND] = [
  ['admin', 'carl'],
  ['ann', 'bea'],
];

let catalog: TestCatalog;
const tokens: Record<string, string> = {};
const about: Record<keyof typeof ABOUT, About> = { ...ABOUT };

beforeAll(async () => {
  catalog = await TestCatalog.start({
    ...SHORT_WAITS,
    CATALOG_GRAPHQL_MAX_COST: '1000000',
    CATALOG_GRAPHQL_MAX_SEARCH_COST: '1000000',
    CATALOG_GRAPHQL_MAX_DEPTH: '50',
  });
  const gone = dataset('shop.zebra_gone');
  const everything = (urn: string, word: string): Array<[string, string, unknown]> => {
    const stamp = { time: 1, actor: 'urn:li:corpuser:x' };
    const event = { timestampMillis: Date.now(), operationType: 'INSERT', lastUpdatedTimestamp: Date.now() };
    return [
      [
        urn,
        'datasetProperties',
        { name: `shared ${word}`, description: word, customProperties: { [word]: word } },
      ],
      [
        urn,
        'schemaMetadata',
        {
          ...{ schemaName: word, platform: 'urn:li:dataPlatform:hive', version: 0, hash: '' },
          platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: word } },
          fields: [
            {
              fieldPath: word,
              nativeDataType: 'int',
              type: { type: { 'com.linkedin.schema.NumberType': {} } },
              globalTags: { tags: [{ tag: TAG }] },
            },
          ],
        },
      ],
      [urn, 'ownership', { owners: [{ owner: 'urn:li:corpuser:wild', type: 'TECHNICAL_OWNER' }] }],
      [urn, 'glossaryTerms', { terms: [{ urn: 'urn:li:glossaryTerm:wild' }], auditStamp: stamp }],
      [urn, 'container', { container: 'urn:li:container:wild' }],
      [urn, 'operation', event],
      [
        urn,
        'datasetProfile',
        { timestampMillis: event.timestampMillis, rowCount: 7, fieldProfiles: [{ fieldPath: word }] },
      ],
      [
        urn,
        'datasetUsageStatistics',
        {
          timestampMillis: event.timestampMillis,
          totalSqlQueries: 3,
          topSqlQueries: [word],
          userCounts: [{ user: 'urn:li:corpuser:wild', count: 3 }],
          fieldCounts: [{ fieldPath: word, count: 3 }],
        },
      ],
    ];
  };
  const upstream = (...of: string[]) => ({
    upstreams: of.map((dataset) => ({
      dataset,
      type: 'TRANSFORMED',
      auditStamp: { time: 0, actor: 'urn:li:corpuser:x' },
    })),
  });
  const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) });
  const wild = Object.values(KINDS).map(([kind, aspect, value]): [string, string, unknown] => [
    `urn:li:${kind}:wild`,
    aspect,
    value('wild'),
  ]);
  await catalog.ingest(
    ...wild,
    ...Object.values(KINDS).flatMap(([kind, aspect, value]): Array<[string, string, unknown]> => [
      [`urn:li:${kind}:zebra`, aspect, value(`zebra ${SECRET}`)],
      [`urn:li:${kind}:lion`, aspect, value('lion')],
    ]),
    ...everything(about.hidden.dataset, SECRET),
    ...everything(about.visible.dataset, 'lion'),
    ...everything(gone, SECRET),
    [about.visible.dataset, 'globalTags', tags('wild')],
    [about.visible.dataset, 'domains', { domains: ['urn:li:domain:wild'] }],
    ['urn:li:tag:zebra_gone', 'tagProperties', { name: SECRET }],
    [about.hidden.dataset, 'globalTags', tags('wild', SECRET, 'zebra_gone')],
    [about.hidden.dataset, 'domains', { domains: [`urn:li:domain:${SECRET}`] }],
    [gone, 'globalTags', tags('wild', SECRET)],
    [gone, 'domains', { domains: [`urn:li:domain:${SECRET}`] }],
    [about.hidden.dataset, 'upstreamLineage', upstream(about.visible.dataset)],
    [dataset('shop.lion_cubs'), 'upstreamLineage', upstream(about.visible.dataset)],
    [dataset('shop.lion_cubs'), 'globalTags', tags('wild')],
    [dataset('shop.lion_cubs'), 'container', { container: 'urn:li:container:wild' }],
    [
      SHOWN_AS_STORED,
      'dataProductProperties',
      {
        name: 'wild',
        assets: [about.hidden, about.visible].map((asset) => ({ destinationUrn: asset.dataset })),
      },
    ],
  );
  // Hides one entity by its tag from ann, and by its domain from bea; what has neither by the URN.
  const urns = Object.values(KINDS).map(([kind]) => `urn:li:${kind}:zebra`);
  const users = (...names: string[]) => ({ users: names.map((name) => `urn:li:corpuser:${name}`) });
  const denied = (actors: object, field: string, values: string[], condition = 'EQUALS') =>
    policy({
      privileges: ['VIEW_ENTITY_PAGE'],
      effect: 'DENY',
      actors,
      criteria: [{ field, values, condition }],
    });
  await putPolicies(catalog, {
    lion: policy({ privileges: ['VIEW_ENTITY_PAGE'], state: 'INACTIVE' }),
    'zebra-tagged': denied(users('ann'), 'TAG', [`urn:li:tag:${SECRET}`]),
    'zebra-domain': denied(users('bea'), 'DOMAIN', [`urn:li:domain:${SECRET}`]),
    'zebra-named': denied(users('ann', 'bea'), 'URN', urns),
    'zebra-policies': denied(users('ann', 'bea'), 'URN', ['urn:li:dataHubPolicy:zebra'], 'STARTS_WITH'),
  });
  const erased = await catalog.request(
    'DELETE',
    `/openapi/v3/entity/dataset/${encodeURIComponent(gone)}?async=false`,
  );
  expect(erased.status).toBe(200);
  // References to a tag are cleared, which can be followed.
  const cleared = await catalog.post('/entities?action=delete', { urn: 'urn:li:tag:zebra_gone' });
  expect([cleared.status, cleared.text]).toEqual([200, expect.stringContaining('/trace/references/')]);
  const traceOf = ({ headers }: Answer) => headers.get('traceparent')!.split('-')[1]!;
  const trace = async (of: string): Promise<string> => {
    const accepted = await catalog.post('/openapi/v3/entity/dataset?async=true', [
      { urn: of, status: { value: { removed: false } } },
    ]);
    expect(accepted.status).toBe(202);
    return traceOf(accepted);
  };
  about.hidden = { ...about.hidden, trace: await trace(about.hidden.dataset) };
  about.visible = {
    ...about.visible,
    trace: await trace(about.visible.dataset),
    erasure: cleared.body.value.references.slice(-32),
  };
  tokens['admin'] = ADMIN_TOKEN;
  for (const user of ['ann', 'bea', 'carl'])
    tokens[user] = (await catalog.issueToken({ user, role: 'READER' })).token;
  tokens['egon'] = (await catalog.issueToken({ user: 'egon', role: 'EDITOR' })).token;
});
afterAll(() => catalog?.stop());

/** The page of permissions is made from the declarations of the code, and has each operation. */
it('has each operation that reads, and no other', () => {
  const names = read.map(({ call }) => call).sort();
  expect([...Object.keys(REST), ...Object.keys(GRAPHQL), ...BY_URN].sort()).toEqual(names);
});

type Ask = (of: About, caller: string) => Promise<Answer>;

/** An answer without what differs from one request to the next, and without the name of what was asked for. */
function bare({ status, text, headers }: Answer, of: About): string {
  const etag = headers.get('etag') === null ? '' : ' tagged';
  const name = of.dataset.split(',')[1]!;
  const shown = text
    .replaceAll(of.trace || '\0', 'TRACE')
    .replaceAll(name, 'NAME')
    .replaceAll(new RegExp(`\\b${of.name}\\b`, 'g'), 'NAME')
    .replaceAll(/"(requestId|timestamp)":("[^"]*"|\d+)/g, '');
  return `${status}${etag} ${shown}`;
}

/** Tells which kind an operation is of, asked by those who may see everything and by those who may not. */
async function check(told: Told, ask: Ask): Promise<void> {
  if (told === 'absent') {
    for (const caller of FREE) {
      const [hidden, absent] = [await ask(about.hidden, caller), await ask(about.absent, caller)];
      expect(bare(hidden, about.hidden)).not.toBe(bare(absent, about.absent));
    }
    for (const caller of BOUND)
      for (let time = 0; time < 2; time += 1) {
        const hidden = await ask(about.hidden, caller);
        expect(hidden.text).not.toContain(SECRET);
        expect(bare(hidden, about.hidden)).toBe(bare(await ask(about.absent, caller), about.absent));
        const visible = await ask(about.visible, caller);
        expect(visible.text).not.toMatch(HIDDEN);
        expect(visible.text).not.toContain(SECRET);
        expect(bare(visible, about.visible)).not.toBe(bare(hidden, about.hidden));
      }
    return;
  }
  for (const caller of FREE) {
    const { status, text } = await ask(about.visible, caller);
    expect(status).toBe(200);
    if (told === 'left out') expect(text).toMatch(HIDDEN);
    if (told === 'counted') expect(text).toMatch(/"count":3\b/);
    if (told === 'nothing') expect(text).not.toMatch(HIDDEN);
  }
  for (const caller of BOUND) {
    const visible = await ask(about.visible, caller);
    const { status, text, body } = visible;
    expect(text).not.toMatch(HIDDEN);
    const refused = status === 403 || body?.errors?.[0]?.extensions?.errorCode === 'NOT_ALLOWED';
    if (told === 'nothing') {
      // Figures of the service are others each time, and none when nothing was recorded. Those of the runtime have
      // a line for each kind of event, as soon as one of the kind occurs.
      const counted = (answer: Answer, of: About) =>
        bare(answer, of)
          .replaceAll(/\bNan\b|\d[\d.e+-]*/g, 'N')
          .replaceAll(/^(nodejs|process)_.*\n/gm, '');
      const [hidden, absent] = [await ask(about.hidden, caller), await ask(about.absent, caller)];
      expect(counted(hidden, about.hidden)).toBe(counted(absent, about.absent));
    } else expect([caller, refused]).toEqual([caller, told === 'refused']);
    if (told === 'left out') expect(text).toMatch(VISIBLE);
    if (told === 'counted') expect(text).toMatch(/"count":2\b/);
  }
}

describe('routes', () => {
  it.each(Object.entries(REST))('%s', async (_, { told, request }) => {
    await check(told, async (of, caller) => {
      const [method, path, body] = request(of);
      return catalog.request(method, path, { token: tokens[caller]!, ...(body !== undefined && { body }) });
    });
  });
});

describe('by another address, or with a session', () => {
  const told = Object.entries(REST).filter(([, row]) => row.told === 'absent' || row.told === 'left out');
  let cookies: Cookies;
  beforeAll(async () => {
    const { body } = await catalog.post('/api/graphql', {
      query:
        'mutation { createAccount(input: { userUrn: "urn:li:corpuser:ann", role: READER }) { resetToken } }',
    });
    const { resetToken } = body.data.createAccount;
    cookies = new Cookies(catalog);
    const password = 'a long walk by the sea';
    const set = await cookies.send('POST', '/resetNativeUserCredentials', {
      resetToken,
      email: 'ann',
      password,
    });
    expect(set.status).toBe(200);
  });

  it.each(told)('/api/gms: %s', async (_, { told, request }) => {
    await check(told, async (of, caller) => {
      const [method, path, body] = request(of);
      return catalog.request(method, `/api/gms${path}`, {
        token: tokens[caller]!,
        ...(body !== undefined && { body }),
      });
    });
  });

  it.each(told.filter(([name]) => /^GET .*(V2|v3|timeline|poll)/.test(name)))(
    'a session: %s',
    async (_, { told, request }) => {
      await check(told, async (of, caller) => {
        const [method, path, body] = request(of);
        // That of one who may not see everything.
        if (BOUND.includes(caller)) return cookies.send(method, path, body);
        return catalog.request(method, path, { token: tokens[caller]!, ...(body !== undefined && { body }) });
      });
    },
  );

  it('/api/v2/graphql, as pages ask it', async () => {
    const ask = async ({ dataset: of }: About) =>
      (
        await cookies.send('POST', '/api/v2/graphql', {
          query: `{ dataset(urn: "${of}") { urn } entityExists(urn: "${of}") }`,
        })
      ).body.data;
    expect(await ask(about.hidden)).toEqual({ dataset: null, entityExists: false });
    expect(await ask(about.visible)).toEqual({ dataset: { urn: about.visible.dataset }, entityExists: true });
  });
});

describe('routes that tell nothing of the catalog', () => {
  /** All of the running service, and those that the page of permissions has. */
  const routes = async (): Promise<string[]> => {
    const { body } = await catalog.get('/restli/docs', { headers: { accept: 'application/json' } });
    const shapes = permissionRows().map(({ call }) => {
      const pattern = call.replaceAll(/[?.]/g, '\\$&').replace('{v2,v3}', 'v[23]');
      return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '\\{\\w+\\}')}$`);
    });
    const groups = body.groups as Array<{ endpoints: Array<{ method: string; path: string }> }>;
    return groups
      .flatMap(({ endpoints }) => endpoints)
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter((route) => !shapes.some((shape) => shape.test(route)));
  };

  it('are all that are not on the page of permissions, but the one of GraphQL', async () => {
    expect((await routes()).sort()).toEqual([...Object.keys(OUTSIDE), 'POST /api/graphql'].sort());
  });

  it.each(Object.entries(OUTSIDE))('%s', async (_, request) => {
    // Attempts to sign in are counted: not by more callers.
    for (const token of [null, tokens['ann']!]) {
      const ask = async (of: About) => {
        const [method, path, body] = request(of);
        const answer = await catalog.request(method, path, {
          token,
          headers: { origin: catalog.url },
          ...(body !== undefined && { body }),
        });
        // Documents have traces of their own.
        return bare(answer, { ...of, trace: '' }).replaceAll(/\d[\d.e+-]*/g, 'N');
      };
      const hidden = await ask(about.hidden);
      expect(hidden).not.toMatch(HIDDEN);
      expect(hidden).toBe(await ask(about.absent));
    }
  });
});

describe('what needs to manage', () => {
  it('has the export', () => {
    const managed = permissionRows().filter(({ needs }) => needs === 'manage');
    for (const name of Object.keys(MANAGED))
      expect(managed).toContainEqual(expect.objectContaining({ call: name.split(',')[0] }));
  });

  it.each(Object.entries(MANAGED))('%s', async (_, request) => {
    for (const caller of [...BOUND, 'carl', 'egon']) {
      const ask = async (of: About) => {
        const [method, path, body] = request(of);
        const answer = await catalog.request(method, path, {
          token: tokens[caller]!,
          ...(body !== undefined && { body }),
        });
        expect([caller, answer.status]).toEqual([caller, 403]);
        return bare(answer, of);
      };
      const hidden = await ask(about.hidden);
      expect(hidden).not.toMatch(HIDDEN);
      expect(hidden).toBe(await ask(about.absent));
    }
  });
});

/** What arguments of fields below the first are, by their names, where any value of the type would not do. */
const ARGUMENTS: Record<string, unknown> = {
  query: '*',
  types: ['TaggedWith', 'OwnedBy', 'TermedWith', 'AssociatedWith', 'IsPartOf', 'DownstreamOf', 'Contains'],
};

/** A value as GraphQL writes it. */
function written(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return written(value, type.ofType);
  if (isListType(type)) return `[${(value as unknown[]).map((one) => written(one, type.ofType)).join(', ')}]`;
  if (isEnumType(type)) return String(value);
  if (isInputObjectType(type))
    return `{${Object.entries(value as object)
      .map(([name, one]) => `${name}: ${written(one, type.getFields()[name]!.type)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

/** A value of the type with all that it must have. @param last whether of several words the last is taken */
function needed(type: GraphQLInputType, name: string, last: boolean): unknown {
  if (isNonNullType(type)) return needed(type.ofType, name, last);
  const known = ARGUMENTS[name];
  if (isListType(type)) {
    if (Array.isArray(known) && getNamedType(type).name === 'String') return known;
    return [needed(type.ofType, name, last)];
  }
  if (isEnumType(type)) return type.getValues().at(last ? -1 : 0)!.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, needed(field.type, field.name, last)]),
    );
  const { name: scalar } = getNamedType(type);
  if (scalar === 'Boolean') return true;
  return ['Int', 'Long', 'Float'].includes(scalar) ? 10 : (known ?? 'x');
}

const isEntity = (type: GraphQLNamedType): boolean =>
  (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Entity')) ||
  (isInterfaceType(type) && type.name === 'Entity');

/** Everything that can be asked of an object; of entities in it their names. */
function selection(type: GraphQLNamedType, last: boolean, within: readonly string[] = []): string {
  if (isUnionType(type)) return '{ __typename }';
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  if (within.length > 0 && isEntity(type))
    return isObjectType(type) && type.name === 'Dataset'
      ? '{ urn exists name properties { name description } }'
      : isInterfaceType(type)
        ? '{ urn type ... on Dataset { name properties { name description } } }'
        : '{ urn }';
  const parts: string[] = [];
  for (const field of Object.values(type.getFields())) {
    const inner = getNamedType(field.type);
    if (within.includes(inner.name) || within.length > 6) continue;
    const below = isLeafType(inner) ? '' : selection(inner, last, [...within, type.name]);
    if (!isLeafType(inner) && below === '') continue;
    parts.push(`${field.name}${given(field, undefined, last)} ${below}`);
  }
  return parts.length === 0 ? '' : `{ ${parts.join(' ')} }`;
}

/** The arguments of a field as the document has them. */
function given(
  field: GraphQLField<unknown, unknown>,
  args: Record<string, unknown> | undefined,
  last: boolean,
): string {
  const values = field.args.flatMap(({ name, type }) => {
    if (args?.[name] !== undefined) return `${name}: ${written(args[name], type)}`;
    return isNonNullType(type) ? `${name}: ${written(needed(type, name, last), type)}` : [];
  });
  return values.length === 0 ? '' : `(${values.join(', ')})`;
}

describe('GraphQL queries', () => {
  it.each(Object.entries(GRAPHQL))('%s', async (name, { told, args }: GraphqlRow) => {
    const field = queries[name]!;
    for (const last of [false, true]) {
      const fields = selection(getNamedType(field.type), last);
      await check(told, async (of, caller) => {
        const asked = args?.(of, `urn:li:corpuser:${caller}`);
        const query = `{ ${name}${given(field, asked, last)} ${fields} }`;
        const answer = await catalog.post('/api/graphql', { query }, { token: tokens[caller]! });
        // A document that cannot be answered would tell of nothing.
        if (of === about.visible && told !== 'nothing' && FREE.includes(caller))
          expect(answer.body.errors).toBeUndefined();
        return answer;
      });
    }
  });
});

it('shows what values say as they are stored', async () => {
  const { text } = await catalog.get(`/entitiesV2/${encodeURIComponent(SHOWN_AS_STORED)}`, {
    token: tokens['ann']!,
  });
  expect(text).toContain(about.hidden.dataset);
});

describe('GraphQL queries for an entity of the sample', () => {
  const kinds = new Map(
    permissionRows().map(({ call, does }) => [call, /^The (\w+) of that URN/.exec(does)?.[1] ?? call]),
  );
  const examples = new Map(SAMPLE_LINES.map(({ entityType, entityUrn }) => [entityType, entityUrn]));
  const urnOf = (name: string): string => examples.get(kinds.get(name)!)!;
  beforeAll(async () => {
    await importSample(catalog);
    await putPolicies(catalog, {
      sample: policy({
        privileges: ['VIEW_ENTITY_PAGE'],
        effect: 'DENY',
        actors: { users: ['urn:li:corpuser:ann'] },
        criteria: [{ field: 'URN', values: BY_URN.map(urnOf) }],
      }),
    });
  });

  it.each(BY_URN)('%s', async (name) => {
    const query = `query one($urn: String!) { ${name}(urn: $urn) { urn } }`;
    const urn = urnOf(name);
    const ask = async (caller: string) =>
      (await catalog.post('/api/graphql', { query, variables: { urn } }, { token: tokens[caller]! })).body;
    for (const caller of FREE) expect((await ask(caller)).data).toEqual({ [name]: { urn } });
    const { data, errors } = await ask('ann');
    expect([data, errors]).toEqual([{ [name]: null }, undefined]);
  });
});
