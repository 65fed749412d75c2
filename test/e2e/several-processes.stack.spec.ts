import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proposal, removeHome } from '../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../harness/search-server.js';
import { ServiceProcess } from '../harness/service-process.js';
import { databaseServers, freshDatabase } from '../harness/stack.js';

const COUNT = 3;
const engine = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('several-');
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

/** Asks until the answer has this status: whatever is asked at the end or later must. An answer may take its time. */
async function answered(status: number, end: number, ask: () => Promise<number>): Promise<void> {
  for (;;) {
    const asked = performance.now();
    if ((await ask()) === status) return;
    expect(asked).toBeLessThan(end);
  }
}

describe.each(databaseServers())('several services on one database of %s', (_server, serverUrl) => {
  let database: { url: string; drop: () => Promise<void> };
  let folder: string;
  let services: ServiceProcess[];

  beforeAll(async () => {
    database = await freshDatabase(serverUrl);
    folder = await mkdtemp(join(tmpdir(), 'catalog-several-'));
    // All at once on an empty database: migrations, shipped types and the first token are made once.
    services = await Promise.all(
      Array.from({ length: COUNT }, (_, i) =>
        ServiceProcess.start(join(folder, String(i)), {
          CATALOG_DATABASE_URL: database.url,
          CATALOG_SEARCH_URL: engine.href,
          CATALOG_SEARCH_PREFIX: prefix,
          CATALOG_ADMIN_TOKEN: '',
        }),
      ),
    );
  });
  afterAll(async () => {
    for (const service of services ?? []) await service.stop();
    await removeHome(folder);
    await database.drop();
    await dropIndices(engine, prefix);
  });

  const one = (i: number): ServiceProcess => services[i % COUNT] as ServiceProcess;
  async function administrator(): Promise<string> {
    const found: string[] = [];
    for (let i = 0; i < COUNT; i++) {
      const home = join(folder, String(i));
      if ((await readdir(home)).includes('admin-token')) found.push(home);
    }
    expect(found).toHaveLength(1);
    return (await readFile(join(found[0] as string, 'admin-token'), 'utf8')).trim();
  }
  async function ask(
    service: ServiceProcess,
    token: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any }> {
    const answer = await fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-restli-protocol-version': '2.0.0',
      },
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  it('make one administrator, whom all of them know', async () => {
    const token = await administrator();
    for (const service of services) {
      expect((await ask(service, token, '/entitiesV2/urn%3Ali%3Acorpuser%3Anobody')).status).toBe(404);
    }
  });

  it('write the same entities, with the same new targets, and lose nothing', async () => {
    const token = await administrator();
    const writes = Array.from({ length: 60 }, (_, n) => {
      // Each batch holds the entities in another order, and refers to tags that nobody has written.
      const order = [0, 1, 2, 3, 4].sort((a, b) => ((a * 7 + n) % 5) - ((b * 7 + n) % 5));
      return ask(one(n), token, '/aspects?action=ingestProposalBatch', {
        proposals: order.flatMap((k) => [
          proposal(dataset(`same_${k}`), 'datasetProperties', { name: `same ${k}`, description: `by ${n}` }),
          proposal(dataset(`same_${k}`), 'globalTags', { tags: [{ tag: `urn:li:tag:new_${n}_${k}` }] }),
          proposal(dataset(`own_${n}_${k}`), 'status', { removed: false }),
        ]),
      });
    });
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(60).fill(200));
    for (let k = 0; k < 5; k++) {
      const urn = encodeURIComponent(dataset(`same_${k}`));
      const { body } = await ask(
        one(k),
        token,
        `/entitiesV2/${urn}?aspects=List(datasetProperties,globalTags)`,
      );
      // Every one of the writes made a version, and both aspects are of the same writer.
      expect(body.aspects.datasetProperties.version ?? 0).toBe(0);
      expect(Number(body.aspects.datasetProperties.systemMetadata.version)).toBe(60);
      const by = /\d+/.exec(body.aspects.datasetProperties.value.description)?.[0];
      expect(body.aspects.globalTags.value.tags).toEqual([{ tag: `urn:li:tag:new_${by}_${k}` }]);
    }
  });

  it('take a token back everywhere within five seconds', async () => {
    const admin = await administrator();
    const me = { query: '{ me { corpUser { urn } } }' };
    const input = { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:ann', duration: 'ONE_DAY', name: 'x' };
    const made = await ask(one(0), admin, '/api/graphql', {
      query: `mutation($input: CreateAccessTokenInput!) {
        createAccessToken(input: $input) { accessToken metadata { id } }
      }`,
      variables: { input },
    });
    const { accessToken, metadata } = made.body.data.createAccessToken;
    for (const service of services)
      expect((await ask(service, accessToken, '/api/graphql', me)).status).toBe(200);
    const revoked = await ask(one(1), admin, '/api/graphql', {
      query: 'mutation($id: String!) { revokeAccessToken(tokenId: $id) }',
      variables: { id: metadata.id },
    });
    expect(revoked.body.data).toEqual({ revokeAccessToken: true });
    const end = performance.now() + 5000;
    expect((await ask(one(1), accessToken, '/api/graphql', me)).status).toBe(401);
    for (const service of services)
      await answered(401, end, async () => (await ask(service, accessToken, '/api/graphql', me)).status);
  });

  it('apply a policy everywhere within five seconds', async () => {
    const admin = await administrator();
    const input = { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:ann', duration: 'ONE_DAY', name: 'y' };
    const made = await ask(one(0), admin, '/api/graphql', {
      query: 'mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken } }',
      variables: { input },
    });
    const { accessToken } = made.body.data.createAccessToken;
    const hidden = dataset('hidden');
    await ask(one(0), admin, '/aspects?action=ingestProposal', {
      proposal: proposal(hidden, 'status', { removed: false }),
    });
    const read = async (service: ServiceProcess): Promise<number> =>
      (await ask(service, accessToken, `/entitiesV2/${encodeURIComponent(hidden)}`)).status;
    for (const service of services) expect(await read(service)).toBe(200);
    const wrote = await ask(one(1), admin, '/aspects?action=ingestProposal', {
      proposal: proposal('urn:li:dataHubPolicy:hide', 'dataHubPolicyInfo', {
        displayName: 'hide',
        description: '',
        type: 'METADATA',
        state: 'ACTIVE',
        effect: 'DENY',
        privileges: ['VIEW_ENTITY_PAGE'],
        actors: { allUsers: true },
        resources: { filter: { criteria: [{ field: 'URN', values: [hidden] }] } },
      }),
    });
    expect(wrote.status).toBe(200);
    const end = performance.now() + 5000;
    expect(await read(one(1))).toBe(404);
    for (const service of services) await answered(404, end, () => read(service));
  });

  it.each([
    [
      'a group',
      { groups: ['urn:li:corpGroup:finance'] },
      'groupMembership',
      { groups: ['urn:li:corpGroup:finance'] },
      { groups: [] },
    ],
    [
      'a role',
      { roles: ['urn:li:dataHubRole:analyst'] },
      'roleMembership',
      { roles: ['urn:li:dataHubRole:analyst'] },
      { roles: [] },
    ],
  ])('know who is in %s everywhere within five seconds', async (kind, actors, aspect, joined, left) => {
    const admin = await administrator();
    const user = `urn:li:corpuser:${kind.replace(' ', '_')}`;
    const input = { type: 'PERSONAL', actorUrn: user, duration: 'ONE_DAY', name: kind };
    const made = await ask(one(0), admin, '/api/graphql', {
      query: 'mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken } }',
      variables: { input },
    });
    const { accessToken } = made.body.data.createAccessToken;
    const hidden = dataset(`hidden_from_${kind.replace(' ', '_')}`);
    const write = async (by: number, urn: string, name: string, value: object): Promise<void> => {
      const change = { proposal: proposal(urn, name, value) };
      expect((await ask(one(by), admin, '/aspects?action=ingestProposal', change)).status).toBe(200);
    };
    await write(0, hidden, 'status', { removed: false });
    // By the process that is to judge at once: others learn of a policy within their time.
    await write(1, `urn:li:dataHubPolicy:${aspect}`, 'dataHubPolicyInfo', {
      displayName: kind,
      description: '',
      type: 'METADATA',
      state: 'ACTIVE',
      effect: 'DENY',
      privileges: ['VIEW_ENTITY_PAGE'],
      actors: { allUsers: false, ...actors },
      resources: { filter: { criteria: [{ field: 'URN', values: [hidden] }] } },
    });
    const read = async (service: ServiceProcess): Promise<number> =>
      (await ask(service, accessToken, `/entitiesV2/${encodeURIComponent(hidden)}`)).status;
    for (const service of services) expect(await read(service)).toBe(200);
    for (const [by, membership, status] of [
      [1, joined, 404],
      [2, left, 200],
    ] as const) {
      await write(by, user, aspect, membership);
      const end = performance.now() + 5000;
      expect(await read(one(by))).toBe(status);
      for (const service of services) await answered(status, end, () => read(service));
    }
  });
});
