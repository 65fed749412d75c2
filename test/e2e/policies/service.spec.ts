import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KINDS_CREATED, KINDS_MANAGED } from '../../../src/catalog/auth/index.js';
import { proposal, statusOf, TestCatalog, type Answer } from '../../harness/catalog.js';
import { importSample, SAMPLE_LINES } from '../../harness/sample.js';
import { dataset, policy, putPolicies } from './policies.js';

const BOB = 'urn:li:corpuser:bob';
/** What decides who may do what, and what no privilege of these is about. */
const OTHERS = ['dataset', 'corpGroup', 'corpuser', 'dataHubPolicy', 'dataHubRole'];
const KINDS = [...new Set(Object.values(KINDS_MANAGED).flat()), ...OTHERS];
const sampleOf = (kind: string) => SAMPLE_LINES.find(({ entityType }) => entityType === kind)!;

const service = (privileges: string[], actors: object = { users: [BOB] }): object => ({
  ...policy({ privileges, actors }),
  type: 'PLATFORM',
});

describe('policies about the service', () => {
  let catalog: TestCatalog;
  let editor: string;
  let reader: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    editor = (await catalog.issueToken({ user: 'bob', role: 'EDITOR' })).token;
    reader = (await catalog.issueToken({ user: 'bob', role: 'READER' })).token;
    await importSample(catalog);
    await putPolicies(catalog, {
      'catalog-editors': policy({ privileges: ['EDIT_ENTITY'], state: 'INACTIVE' }),
    });
  });
  afterAll(() => catalog?.stop());

  const graphql = (token: string, query: string) => catalog.post('/api/graphql', { query }, { token });
  /** Writes what the sample says of an entity of a kind. */
  const write = (token: string, kind: string): Promise<Answer> => {
    const { entityUrn, aspectName, aspect } = sampleOf(kind);
    const written = proposal(entityUrn, aspectName, aspect.json);
    return catalog.post('/aspects?action=ingestProposal', { proposal: written, async: 'false' }, { token });
  };

  it('are about nothing by default', async () => {
    for (const kind of KINDS) expect([kind, (await write(editor, kind)).status]).toEqual([kind, 403]);
  });

  it.each(Object.entries(KINDS_MANAGED))('%s is about %j, and nothing else', async (name, kinds) => {
    await putPolicies(catalog, { service: service([name]) });
    for (const kind of KINDS)
      expect([kind, (await write(editor, kind)).status]).toEqual([kind, kinds.includes(kind) ? 200 : 403]);
    // A token allows no more than its role, whatever policies say.
    for (const kind of kinds) expect((await write(reader, kind)).status).toBe(403);
  });

  it.each(Object.entries(KINDS_CREATED))('%s makes %j, and nothing else', async (name, kinds) => {
    await putPolicies(catalog, { service: service([name]) });
    for (const kind of [...new Set(Object.values(KINDS_CREATED).flat()), ...OTHERS]) {
      const id = name.toLowerCase();
      const urn = kind === 'dataset' ? dataset(id) : `urn:li:${kind}:${id}`;
      const aspects = SAMPLE_LINES.filter(
        ({ entityUrn, aspectName }) => entityUrn === sampleOf(kind).entityUrn && !aspectName.endsWith('Key'),
      ).map(({ aspectName, aspect }): [string, unknown] => [aspectName, aspect.json]);
      const send = (token: string, values: readonly [string, unknown][]): Promise<Answer> =>
        catalog.post(
          '/aspects?action=ingestProposalBatch',
          { proposals: values.map((value) => proposal(urn, ...value)), async: 'false' },
          { token },
        );
      const statuses: number[] = [];
      // A token allows no more than its role; all that makes it is one request, and the next one edits.
      for (const [token, values] of [
        [reader, aspects],
        [editor, aspects],
        [editor, aspects.slice(0, 1)],
      ] as const)
        statuses.push((await send(token, values)).status);
      statuses.push((await catalog.post('/entities?action=delete', { urn }, { token: editor })).status);
      const made = kinds.includes(kind);
      // More than one is said of each that can be made, by aspects of their own privileges as well.
      if (made) expect(aspects.length).toBeGreaterThan(1);
      expect([kind, statuses]).toEqual([kind, [403, made ? 200 : 403, 403, 403]]);
      expect((await write(editor, kind)).status).toBe(403);
    }
  });

  it('that make something do not make what another policy denies', async () => {
    const denied = (privilege: string) =>
      policy({
        privileges: [privilege],
        effect: 'DENY',
        actors: { allUsers: true },
        criteria: [{ field: 'URN', values: ['urn:li:tag:denied'] }],
      });
    const make = (id: string) =>
      graphql(editor, `mutation { createTag(input: { id: "${id}", name: "made" }) }`);
    await putPolicies(catalog, { service: service(['CREATE_TAGS']) });
    expect(statusOf(await make('allowed'))).toBe(200);
    for (const privilege of ['CREATE_ENTITY', 'EDIT_ENTITY']) {
      await putPolicies(catalog, { denying: denied(privilege) });
      expect([privilege, statusOf(await make('denied'))]).toEqual([privilege, 403]);
    }
    await putPolicies(catalog, { denying: { ...denied('EDIT_ENTITY'), state: 'INACTIVE' } });
    expect(statusOf(await make('denied'))).toBe(200);
  });

  it('let entities be made, edited and deleted on each surface', async () => {
    await putPolicies(catalog, { service: service(['MANAGE_TAGS']) });
    const calls: Array<() => Promise<Answer>> = [
      () => graphql(editor, 'mutation { createTag(input: { id: "made", name: "made" }) }'),
      () =>
        graphql(
          editor,
          'mutation { updateTag(urn: "urn:li:tag:made", input: { urn: "urn:li:tag:made", name: "new" }) { urn } }',
        ),
      () => graphql(editor, 'mutation { deleteTag(urn: "urn:li:tag:made") }'),
      () =>
        catalog.post(
          '/openapi/v3/entity/tag?async=false',
          [{ urn: 'urn:li:tag:v3', tagProperties: { value: { name: 'v3' } } }],
          { token: editor },
        ),
      () => catalog.request('DELETE', '/openapi/v3/entity/tag/urn%3Ali%3Atag%3Av3', { token: editor }),
    ];
    for (const call of calls) expect(statusOf(await call())).toBe(200);
    await putPolicies(catalog, { service: service(['MANAGE_DOMAINS']) });
    for (const call of calls) expect(statusOf(await call())).toBe(403);
  });

  it('are what privileges tell of', async () => {
    const asked = async () => {
      const { body } = await graphql(
        editor,
        `{ me { platformPrivileges { createTags createDomains manageTags manageDomains manageGlossaries managePolicies } }
           getGrantedPrivileges(input: { actorUrn: "${BOB}" }) { privileges } }`,
      );
      return [
        body.data.me.platformPrivileges,
        body.data.getGrantedPrivileges.privileges.filter((name: string) => /TAGS|DOMAINS|GLOSS/.test(name)),
      ];
    };
    await putPolicies(catalog, { service: service(['MANAGE_TAGS', 'MANAGE_POLICIES']) });
    const [me, granted] = await asked();
    expect(me).toEqual({
      createTags: true,
      createDomains: false,
      manageTags: true,
      manageDomains: false,
      manageGlossaries: false,
      managePolicies: false,
    });
    expect(granted).toContain('MANAGE_TAGS');
    expect(granted).not.toContain('MANAGE_DOMAINS');
    await putPolicies(catalog, { service: service(['CREATE_DOMAINS']) });
    expect((await asked())[1].sort()).toEqual(['CREATE_DOMAINS', 'VIEW_MANAGE_TAGS']);
  });

  it('let no caller raise themselves', async () => {
    const all = ['POLICIES', 'USERS_AND_GROUPS', 'USER_CREDENTIALS', 'ACCESS_TOKENS', 'SECRETS', 'TOKENS'];
    await putPolicies(catalog, {
      service: service([
        ...all.map((name) => `MANAGE_${name}`),
        ...Object.keys({ ...KINDS_MANAGED, ...KINDS_CREATED }),
      ]),
    });
    const propose = (urn: string, aspect: string, value: object) =>
      catalog.post(
        '/aspects?action=ingestProposal',
        { proposal: proposal(urn, aspect, value) },
        { token: editor },
      );
    const refused = [
      await propose('urn:li:dataHubPolicy:own', 'dataHubPolicyInfo', policy({ privileges: ['EDIT_ENTITY'] })),
      await propose(BOB, 'groupMembership', { groups: ['urn:li:corpGroup:a'] }),
      await propose(BOB, 'nativeGroupMembership', { nativeGroups: ['urn:li:corpGroup:a'] }),
      await propose(BOB, 'roleMembership', { roles: ['urn:li:dataHubRole:Admin'] }),
      await graphql(
        editor,
        'mutation { batchAssignRole(input: { roleUrn: "urn:li:dataHubRole:Admin", actors: ["urn:li:corpuser:bob"] }) }',
      ),
      await graphql(
        editor,
        'mutation { createAccessToken(input: { type: PERSONAL, actorUrn: "urn:li:corpuser:admin", duration: ONE_DAY, name: "t" }) { accessToken } }',
      ),
      await graphql(editor, 'mutation { deletePolicy(urn: "urn:li:dataHubPolicy:service") }'),
    ];
    expect(refused.map(statusOf)).toEqual(refused.map(() => 403));
  });

  it('concern groups and roles as other policies do, and cannot deny', async () => {
    await putPolicies(catalog, {
      service: service(['MANAGE_TAGS'], { roles: ['urn:li:dataHubRole:Editor'] }),
    });
    expect((await write(editor, 'tag')).status).toBe(200);
    await putPolicies(catalog, {
      service: service(['MANAGE_TAGS'], { groups: ['urn:li:corpGroup:others'] }),
    });
    expect((await write(editor, 'tag')).status).toBe(403);
    const denying = { ...service(['MANAGE_TAGS']), effect: 'DENY' };
    const answer = await catalog.post('/aspects?action=ingestProposal', {
      proposal: proposal('urn:li:dataHubPolicy:denying', 'dataHubPolicyInfo', denying),
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'RULE_VIOLATED' } });
  });
});
