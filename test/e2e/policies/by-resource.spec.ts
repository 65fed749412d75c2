import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, proposal, TestCatalog, type Answer } from '../../harness/catalog.js';
import { policy, putPolicies } from './policies.js';

/*
 * The table of what should be, once for each thing that policies may look at: an entity that policies leave alone, one
 * that nobody may change, one that nobody may see, and one that does not exist, told apart by that thing only.
 */

type State = 'open' | 'locked' | 'hidden' | 'none';
type Verdict = 'done' | 'refused' | 'absent';
type Kind = 'read' | 'change' | 'write' | 'remove';
type Caller = 'reader' | 'editor' | 'admin';
type Aspect = [urn: string, aspect: string, value: unknown];

const STATES = ['open', 'locked', 'hidden', 'none'] as const;
const row = (open: Verdict, locked: Verdict, hidden: Verdict, none: Verdict): Record<State, Verdict> => ({
  ...{ open, locked, hidden, none },
});
const FREE: Record<Kind, Record<State, Verdict>> = {
  read: row('done', 'done', 'done', 'absent'),
  change: row('done', 'done', 'done', 'absent'),
  write: row('done', 'done', 'done', 'done'),
  remove: row('done', 'done', 'done', 'absent'),
};
/** What should be. */
const TABLE: Record<Caller, Record<Kind, Record<State, Verdict>>> = {
  reader: {
    read: row('done', 'done', 'absent', 'absent'),
    change: row('refused', 'refused', 'refused', 'refused'),
    write: row('refused', 'refused', 'refused', 'refused'),
    remove: row('refused', 'refused', 'refused', 'refused'),
  },
  editor: {
    read: row('done', 'done', 'absent', 'absent'),
    change: row('done', 'refused', 'absent', 'absent'),
    write: row('done', 'refused', 'refused', 'done'),
    remove: row('done', 'refused', 'absent', 'absent'),
  },
  admin: FREE,
};

/** What a policy may look at, and entities that differ in it. */
interface Resource {
  /** A criterion of the policy that says what is locked or hidden. */
  criterion: (state: State) => { field: string; values: string[]; condition?: string };
  urn: (state: State, name: string) => string;
  /** What makes it so. */
  described?: (state: State) => [aspect: string, value: unknown];
}

const dataset = (name: string, platform = 'hive') =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const looksAt = (
  kind: string,
  field: string,
  value: (state: State) => string,
  described: (value: string) => [aspect: string, value: unknown],
): Resource => ({
  criterion: (state) => ({ field, values: [value(state)] }),
  urn: (state, name) => dataset(`${kind}.${name}.${state}`),
  described: (state) => described(value(state)),
});
const STAMP = { time: 1, actor: 'urn:li:corpuser:x' };
const OF_TYPE: Record<State, string> = {
  open: 'chart',
  locked: 'dashboard',
  hidden: 'notebook',
  none: 'chart',
};
const owners = (owner: string): [string, unknown] => [
  'ownership',
  { owners: [{ owner, type: 'DATAOWNER' }] },
];

const RESOURCES: Record<string, Resource> = {
  'a type': {
    criterion: (state) => ({ field: 'TYPE', values: [OF_TYPE[state]] }),
    urn: (state, name) => `urn:li:${OF_TYPE[state]}:(looker,${name}.${state})`,
  },
  'a domain': looksAt(
    'domain',
    'DOMAIN',
    (state) => `urn:li:domain:${state}`,
    (domain) => ['domains', { domains: [domain] }],
  ),
  'a container': looksAt(
    'container',
    'CONTAINER',
    (state) => `urn:li:container:${state}`,
    (container) => ['container', { container }],
  ),
  'a tag': looksAt(
    'tag',
    'TAG',
    (state) => `urn:li:tag:${state}`,
    (tag) => ['globalTags', { tags: [{ tag }] }],
  ),
  'a glossary term': looksAt(
    'glossary_term',
    'GLOSSARY_TERM',
    (state) => `urn:li:glossaryTerm:${state}`,
    (urn) => ['glossaryTerms', { terms: [{ urn }], auditStamp: STAMP }],
  ),
  'an owner': looksAt('owner', 'OWNER', (state) => `urn:li:corpuser:${state}`, owners),
  'a group that owns it': looksAt('group', 'OWNER', (state) => `urn:li:corpGroup:${state}`, owners),
  'a platform': {
    criterion: (state) => ({ field: 'DATA_PLATFORM', values: [`urn:li:dataPlatform:${state}`] }),
    urn: (state, name) => dataset(`platform.${name}`, state),
  },
  'an instance of a platform': looksAt(
    'data_platform_instance',
    'DATA_PLATFORM_INSTANCE',
    (state) => `urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,${state})`,
    (instance) => ['dataPlatformInstance', { platform: 'urn:li:dataPlatform:hive', instance }],
  ),
  'the beginning of a URN': {
    criterion: (state) => ({
      field: 'URN',
      values: [`urn:li:dataset:(urn:li:dataPlatform:hive,${state}.`],
      condition: 'STARTS_WITH',
    }),
    urn: (state, name) => dataset(`${state}.${name}`),
  },
};

const urnIn = encodeURIComponent;
const typeOf = (urn: string) => urn.split(':')[2]!;
const REMOVED = { removed: false };
type Ask = (of: string) => [method: string, path: string, body?: unknown];
const graphql =
  (text: (of: string) => string): Ask =>
  (of) => ['POST', '/api/graphql', { query: text(of) }];

/** Operations of each kind and surface that fit entities of every type. */
const OPERATIONS: Record<Kind, Record<string, Ask>> = {
  read: {
    'aspect API': (of) => ['GET', `/entitiesV2/${urnIn(of)}`],
    'OpenAPI v3': (of) => ['GET', `/openapi/v3/entity/${typeOf(of)}/${urnIn(of)}`],
    'OpenAPI v2': (of) => ['GET', `/openapi/v2/entity/${typeOf(of)}/${urnIn(of)}`],
    GraphQL: graphql((of) => `{ entity(urn: "${of}") { urn } entityExists(urn: "${of}") }`),
  },
  change: {
    'aspect API': (of) => [
      'POST',
      '/aspects?action=ingestProposal',
      { proposal: proposal(of, 'status', REMOVED, { changeType: 'UPDATE' }) },
    ],
    'OpenAPI v3': (of) => [
      'POST',
      `/openapi/v3/entity/${typeOf(of)}/${urnIn(of)}/status?async=false&createIfNotExists=false`,
      { value: REMOVED },
    ],
    GraphQL: graphql(
      (of) => `mutation { addLink(input: {
      linkUrl: "https://example.org/a", label: "a", resourceUrn: "${of}" }) }`,
    ),
  },
  write: {
    'aspect API': (of) => [
      'POST',
      '/aspects?action=ingestProposal',
      { proposal: proposal(of, 'status', REMOVED) },
    ],
    'OpenAPI v3': (of) => [
      'POST',
      `/openapi/v3/entity/${typeOf(of)}?async=false`,
      [{ urn: of, status: { value: REMOVED } }],
    ],
  },
  remove: {
    'aspect API': (of) => ['POST', '/entities?action=delete', { urn: of }],
    'OpenAPI v3': (of) => ['DELETE', `/openapi/v3/entity/${typeOf(of)}/${urnIn(of)}?async=false`],
  },
};
const CALLERS = Object.keys(TABLE) as Caller[];
const KINDS = Object.keys(OPERATIONS) as Kind[];

/** The name of what one call is about. */
const nameOf = (kind: Kind, surface: string, caller: Caller) =>
  [kind, surface.replaceAll(' ', '_'), caller].join('.');
const CASES = KINDS.flatMap((kind) =>
  Object.keys(OPERATIONS[kind]).flatMap((surface) => CALLERS.map((caller) => ({ kind, surface, caller }))),
);

let catalog: TestCatalog;
const tokens = { reader: '', editor: '', admin: ADMIN_TOKEN };

beforeAll(async () => {
  catalog = await TestCatalog.start();
  tokens.reader = (await catalog.issueToken({ user: 'rita', role: 'READER' })).token;
  tokens.editor = (await catalog.issueToken({ user: 'egon', role: 'EDITOR' })).token;
  for (const { urn, described } of Object.values(RESOURCES))
    await catalog.ingest(
      ...['listed', ...CASES.map(({ kind, surface, caller }) => nameOf(kind, surface, caller))].flatMap(
        (name) =>
          (['open', 'locked', 'hidden'] as const).flatMap((state): Aspect[] => {
            const one = urn(state, name);
            const more = described?.(state);
            return [[one, 'status', REMOVED], ...(more ? [[one, ...more] as Aspect] : [])];
          }),
      ),
    );
  const denied = (state: State, privileges: string[]) =>
    Object.values(RESOURCES).map(({ criterion }, index) => [
      `${state}-${index}`,
      policy({ privileges, effect: 'DENY', actors: { allUsers: true }, criteria: [criterion(state)] }),
    ]);
  await putPolicies(
    catalog,
    Object.fromEntries([
      ...denied('locked', ['EDIT_ENTITY', 'DELETE_ENTITY', 'EDIT_ENTITY_DOC_LINKS']),
      ...denied('hidden', ['VIEW_ENTITY_PAGE']),
    ]),
  );
});
afterAll(() => catalog?.stop());

/** An answer without the name of what was asked for. */
const bare = ({ status, text }: Answer, urn: string): string =>
  `${status} ${text
    .replaceAll(urn, 'URN')
    .replaceAll(/"(requestId|timestamp|timestampMillis)":("[^"]*"|\d+)/g, '')}`;

describe.each(Object.entries(RESOURCES))('by %s', (_, { urn }) => {
  it.each(KINDS)('%s', async (kind) => {
    for (const [surface, request] of Object.entries(OPERATIONS[kind]))
      for (const caller of CALLERS) {
        const name = nameOf(kind, surface, caller);
        const ask = (of: string): Promise<Answer> => {
          const [method, path, body] = request(of);
          return catalog.request(method, path, {
            token: tokens[caller],
            ...(body !== undefined && { body }),
          });
        };
        const seen: Record<string, string> = {};
        for (const state of STATES) {
          const of = urn(state, state === 'none' ? `${name}.none` : name);
          const never = urn(state, `${name}.never`);
          const [answer, nothing] = [await ask(of), kind === 'write' ? '' : bare(await ask(never), never)];
          const refused =
            answer.status === 403 || answer.body?.errors?.[0]?.extensions?.errorCode === 'NOT_ALLOWED';
          const said = bare(answer, of);
          // What nobody may see of a kind is refused whether it is there or not: that tells nothing either.
          if (TABLE[caller][kind][state] === 'absent' && said === nothing) seen[state] = 'absent';
          else if (refused) seen[state] = 'refused';
          else seen[state] = answer.status < 300 && answer.body?.errors === undefined ? 'done' : said;
        }
        expect([surface, caller, seen]).toEqual([surface, caller, TABLE[caller][kind]]);
      }
  });

  it('search, with its total and its facets', async () => {
    const names = (['open', 'locked', 'hidden'] as const).map((state) => urn(state, 'listed'));
    const query = `query($urns: [String!]!) { searchAcrossEntities(input: { query: "*", count: 10
      orFilters: [{ and: [{ field: "urn", values: $urns }] }] }) {
        total searchResults { entity { urn } } facets { field aggregations { count } } } }`;
    for (const caller of CALLERS) {
      const { body } = await catalog.post(
        '/api/graphql',
        { query, variables: { urns: names } },
        { token: tokens[caller] },
      );
      const { total, searchResults, facets } = body.data.searchAcrossEntities;
      const found = searchResults.map(({ entity }: { entity: { urn: string } }) => entity.urn).sort();
      const ofTypes = facets.find(({ field }: { field: string }) => field === '_entityType');
      const counted = ofTypes.aggregations.reduce(
        (sum: number, { count }: { count: number }) => sum + count,
        0,
      );
      const seen = caller === 'admin' ? names : names.slice(0, 2);
      expect([caller, total, counted, found]).toEqual([caller, seen.length, seen.length, seen.toSorted()]);
    }
  });
});
