import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog, type Answer } from '../harness/catalog.js';
import { dataset, encoded, expectRefusal, version } from './aspect-api/support.js';
import { path, settled } from './openapi/support.js';

const stamp = { time: 0, actor: 'urn:li:corpuser:admin' };

/** What is deleted: its URN, what makes it, and an aspect of a dataset with it and with another one beside it. */
const KINDS = {
  tag: (name: string) => ({
    urn: `urn:li:tag:${name}`,
    made: ['tagProperties', { name }],
    aspect: 'globalTags',
    both: { tags: [{ tag: `urn:li:tag:${name}` }, { tag: 'urn:li:tag:stays' }] },
    left: { tags: [{ tag: 'urn:li:tag:stays' }] },
  }),
  glossaryTerm: (name: string) => ({
    urn: `urn:li:glossaryTerm:${name}`,
    made: ['glossaryTermInfo', { definition: 'd', termSource: 'INTERNAL' }],
    aspect: 'glossaryTerms',
    both: {
      terms: [{ urn: `urn:li:glossaryTerm:${name}` }, { urn: 'urn:li:glossaryTerm:stays' }],
      auditStamp: stamp,
    },
    left: { terms: [{ urn: 'urn:li:glossaryTerm:stays' }] },
  }),
  domain: (name: string) => ({
    urn: `urn:li:domain:${name}`,
    made: ['domainProperties', { name }],
    aspect: 'domains',
    both: { domains: [`urn:li:domain:${name}`, 'urn:li:domain:stays'] },
    left: { domains: ['urn:li:domain:stays'] },
  }),
  application: (name: string) => ({
    urn: `urn:li:application:${name}`,
    made: ['applicationProperties', { name }],
    aspect: 'applications',
    both: { applications: [`urn:li:application:${name}`, 'urn:li:application:stays'] },
    left: { applications: ['urn:li:application:stays'] },
  }),
  corpuser: (name: string) => ({
    urn: `urn:li:corpuser:${name}`,
    made: ['corpUserInfo', { active: true }],
    aspect: 'ownership',
    both: {
      owners: [
        { owner: `urn:li:corpuser:${name}`, type: 'NONE' },
        { owner: 'urn:li:corpuser:stays', type: 'NONE' },
      ],
      lastModified: stamp,
    },
    left: { owners: [expect.objectContaining({ owner: 'urn:li:corpuser:stays' })] },
  }),
  corpGroup: (name: string) => ({
    urn: `urn:li:corpGroup:${name}`,
    made: ['corpGroupInfo', { admins: [], members: [], groups: [] }],
    aspect: 'ownership',
    both: {
      owners: [
        { owner: `urn:li:corpGroup:${name}`, type: 'NONE' },
        { owner: 'urn:li:corpuser:stays', type: 'NONE' },
      ],
      lastModified: stamp,
    },
    left: { owners: [expect.objectContaining({ owner: 'urn:li:corpuser:stays' })] },
  }),
} as const;
type Kind = keyof typeof KINDS;

type Delete = (catalog: TestCatalog, urn: string, kind: Kind) => Promise<Answer>;
const SURFACES: Record<string, Delete> = {
  v3: (catalog, urn) => catalog.request('DELETE', path(urn)),
  v2: (catalog, urn) => catalog.request('DELETE', path(urn, '', 'v2')),
  v1: (catalog, urn) => catalog.request('DELETE', `/openapi/entities/v1/?urns=${encoded(urn)}&soft=false`),
  later: (catalog, urn) => catalog.request('DELETE', `${path(urn)}?async=true`),
  key: (catalog, urn, kind) =>
    catalog.request('DELETE', path(urn, kind === 'corpuser' ? 'corpUserKey' : `${kind}Key`)),
  action: (catalog, urn) => catalog.post('/entities?action=delete', { urn }),
  proposal: (catalog, urn, kind) =>
    catalog.post('/aspects?action=ingestProposal', {
      proposal: proposal(urn, kind === 'corpuser' ? 'corpUserKey' : `${kind}Key`, undefined, {
        changeType: 'DELETE',
      }),
    }),
};

describe('an entity that is permanently deleted', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  const done = async (location: string): Promise<any> => {
    for (;;) {
      const { status, body } = await catalog.get(location);
      expect(status).toBe(200);
      if (body.state === 'DONE') return body;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it.each(
    (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
      Object.keys(SURFACES).map((surface) => [kind, surface] as const),
    ),
  )('a %s by %s is taken off what carries it', async (kind, surface) => {
    const { urn, made, aspect, both, left } = KINDS[kind](`gone${surface}`);
    const holder = dataset(`carries.${kind}.${surface}`);
    await catalog.ingest([urn, ...(made as unknown as [string, unknown])], [holder, aspect, both]);
    const answer = await SURFACES[surface]!(catalog, urn, kind);
    expect(answer.status).toBe(surface === 'later' ? 202 : 200);
    if (surface === 'v3' || surface === 'v2') expect(answer.text).toBe('');
    let location = answer.headers.get('location') ?? answer.body?.value?.references;
    if (surface === 'later') {
      expect(await settled(catalog, answer)).toMatchObject({ state: 'COMMITTED' });
      location = (location as string).replace('/write/', '/references/');
    }
    if (surface === 'proposal') {
      // Its answer is the URN alone.
      while (JSON.stringify(await catalog.read(holder, aspect)).includes(urn))
        await new Promise((resolve) => setTimeout(resolve, 20));
    } else {
      expect(location).toMatch(/^\/openapi\/v1\/trace\/references\/[0-9a-f]{32}$/);
      expect(await done(location as string)).toMatchObject({
        state: 'DONE',
        entities: [{ urn, state: 'DONE', total: 1 }],
      });
    }
    expect(await catalog.read(holder, aspect)).toMatchObject(left);
  });

  it('a business attribute is taken off the columns that carry it', async () => {
    const urn = 'urn:li:businessAttribute:gone';
    const column = `urn:li:schemaField:(${dataset('carries.attribute')},c)`;
    const carried = { businessAttribute: { businessAttributeUrn: urn } };
    await catalog.ingest(
      [urn, 'businessAttributeInfo', { fieldPath: 'c', name: 'gone' }],
      [column, 'businessAttributes', carried],
    );
    const answer = await catalog.request('DELETE', path(urn));
    const entities = [{ urn, state: 'DONE', total: 1 }];
    expect(await done(answer.headers.get('location')!)).toMatchObject({ entities });
    expect(JSON.stringify((await catalog.get(path(column))).body)).not.toContain(urn);
  });

  it('says by the trace how far it is, and 404 for a trace that nobody knows', async () => {
    const url = '/openapi/v1/trace/references/0006000000000000aaaaaaaaaaaaaaaa';
    expectRefusal(await catalog.get(url), 404, 'RECEIPT_NOT_FOUND');
  });

  it('a structured property is answered 200 with nothing, as before, and a dataset leaves its references', async () => {
    const upstream = dataset('upstream.gone');
    const holder = dataset('upstream.holder');
    const lineage = { upstreams: [{ dataset: upstream, type: 'COPY', auditStamp: stamp }] };
    await catalog.ingest([upstream, 'status', { removed: false }], [holder, 'upstreamLineage', lineage]);
    const answer = await catalog.request('DELETE', path(upstream));
    expect({ status: answer.status, text: answer.text, at: answer.headers.get('location') }).toEqual({
      status: 200,
      text: '',
      at: null,
    });
    const dryRun = await catalog.post('/entities?action=deleteReferences', { urn: upstream, dryRun: true });
    expect(dryRun.body.value.total).toBe(1);
  });

  it('a rollback leaves what others refer to', async () => {
    const urn = 'urn:li:tag:rolledback';
    const holder = dataset('rollback.holder');
    await catalog.propose(urn, 'tagProperties', { name: 'x' }, { systemMetadata: { runId: 'run-refs' } });
    await catalog.ingest([holder, 'globalTags', { tags: [{ tag: urn }] }]);
    await catalog.post('/runs?action=rollback', {
      runId: 'run-refs',
      dryRun: false,
      safe: true,
    });
    expect(await catalog.read(urn, 'tagProperties')).toBeUndefined();
    const gone = 'urn:li:tag:behind';
    await catalog.ingest([gone, 'tagProperties', { name: 'b' }]);
    // The consumer goes in the order of the log: it has passed the rollback when it is through with this one.
    const answer = await catalog.request('DELETE', path(gone));
    await done(answer.headers.get('location')!);
    expect(await catalog.read(holder, 'globalTags')).toEqual({ tags: [{ tag: urn }] });
  });
});

describe('the versions of an aspect', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  const write = (urn: string, name: string, more: Record<string, unknown> = {}) =>
    catalog.propose(urn, 'datasetProperties', { name }, more);
  const nameAt = async (urn: string, number: number) =>
    (await version(catalog, urn, 'datasetProperties', number)) as any;
  const removeAspect = (urn: string) => catalog.request('DELETE', path(urn, 'datasetProperties'));
  const current = async (urn: string): Promise<string> =>
    (await catalog.get(`${path(urn, 'datasetProperties')}?systemMetadata=true`)).body.datasetProperties
      .systemMetadata.version;

  it('go on counting when it was deleted and is written anew, also in one batch and again and again', async () => {
    const urn = dataset('versions.go.on');
    await write(urn, 'one');
    await write(urn, 'two');
    expect((await removeAspect(urn)).status).toBe(200);
    await write(urn, 'three', { headers: { 'If-Version-Match': '-1' } });
    expect(await current(urn)).toBe('3');
    await removeAspect(urn);
    await removeAspect(urn);
    const batch = ['UPSERT', 'DELETE', 'UPSERT', 'UPSERT'].map((changeType, i) =>
      proposal(urn, 'datasetProperties', changeType === 'DELETE' ? undefined : { name: `batch ${i}` }, {
        changeType,
      }),
    );
    expect((await catalog.post('/aspects?action=ingestProposalBatch', { proposals: batch })).status).toBe(
      200,
    );
    expect(await current(urn)).toBe('6');
    expect(await nameAt(urn, 5)).toMatchObject({ name: 'batch 2' });
    for (const gone of [1, 2, 3, 4]) expect(await nameAt(urn, gone)).toBeUndefined();
    const matched = await write(urn, 'seven', { headers: { 'If-Version-Match': '6' } });
    expect(matched.status).toBe(200);
    expectRefusal(
      await write(urn, 'x', { headers: { 'If-Version-Match': '1' } }),
      412,
      'PRECONDITION_FAILED',
      '/proposal/headers/If-Version-Match',
    );
    expect(await current(urn)).toBe('7');
  });

  it('begin anew with the entity', async () => {
    const urn = dataset('versions.anew');
    await write(urn, 'one');
    await write(urn, 'two');
    await removeAspect(urn);
    await write(urn, 'three');
    await catalog.request('DELETE', path(urn));
    await write(urn, 'first');
    expect(await current(urn)).toBe('1');
    await removeAspect(urn);
    await write(urn, 'second');
    expect(await current(urn)).toBe('2');
  });

  it('what a refused batch deletes counts on from where it stands', async () => {
    const urn = dataset('versions.refused');
    await write(urn, 'one');
    const proposals = [
      proposal(urn, 'datasetProperties', undefined, { changeType: 'DELETE' }),
      proposal(urn, 'status', { removed: false }, { headers: { 'If-Version-Match': '9' } }),
    ];
    expect((await catalog.post('/aspects?action=ingestProposalBatch', { proposals })).status).toBe(412);
    await write(urn, 'two');
    expect(await current(urn)).toBe('2');
  });

  it('a rollback takes away what was written after a deletion, and the timeline goes on', async () => {
    const urn = dataset('versions.rollback');
    await write(urn, 'one', { systemMetadata: { runId: 'run-before' } });
    await removeAspect(urn);
    await write(urn, 'two', { systemMetadata: { runId: 'run-after' } });
    const timeline = await catalog.get(
      `/openapi/v2/timeline/v1/${encoded(urn)}?categories=DOCUMENTATION&startTime=0`,
    );
    expect(timeline.status).toBe(200);
    const rolledBack = await catalog.post('/runs?action=rollback', {
      runId: 'run-after',
      dryRun: false,
      safe: true,
    });
    expect(rolledBack.status).toBe(200);
    expect(await catalog.read(urn, 'datasetProperties')).toBeUndefined();
    await write(urn, 'three');
    expect(await current(urn)).toBe('3');
  });
});
