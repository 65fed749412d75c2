import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, expectRefusal, STAMP } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

describe('snapshots', () => {
  const body = (kind: string, urn: string, aspects: object[], namespace = 'com.linkedin') => ({
    entity: { value: { [`${namespace}.metadata.snapshot.${kind}Snapshot`]: { urn, aspects } } },
  });
  const owned = {
    'com.linkedin.common.Ownership': { owners: [{ owner: ANN, type: 'DATAOWNER' }], lastModified: STAMP },
  };
  const chart = {
    title: 'T',
    description: 'D',
    inputs: [{ string: dataset('s.in') }],
    lastModified: { created: STAMP, lastModified: STAMP },
  };
  const dashboard = {
    title: 'T',
    description: 'D',
    charts: [],
    lastModified: { created: STAMP, lastModified: STAMP },
  };

  it.each<[kind: string, urn: string, record: string, aspect: string, value: object]>([
    [
      'CorpUser',
      'urn:li:corpuser:s',
      'identity.CorpUserInfo',
      'corpUserInfo',
      { active: true, displayName: 'S', fullName: 'S S', email: 's@example.org' },
    ],
    [
      'CorpGroup',
      'urn:li:corpGroup:s',
      'identity.CorpGroupInfo',
      'corpGroupInfo',
      { email: 'g@example.org', admins: [], members: [ANN], groups: [] },
    ],
    ['Dataset', dataset('s.orders'), 'common.BrowsePaths', 'browsePaths', { paths: ['/a/b'] }],
    ['Chart', 'urn:li:chart:(looker,s)', 'chart.ChartInfo', 'chartInfo', chart],
    ['Dashboard', 'urn:li:dashboard:(looker,s)', 'dashboard.DashboardInfo', 'dashboardInfo', dashboard],
    ['Tag', 'urn:li:tag:s', 'tag.TagProperties', 'tagProperties', { name: 's', description: 'd' }],
    [
      'GlossaryTerm',
      'urn:li:glossaryTerm:s.t',
      'glossary.GlossaryTermInfo',
      'glossaryTermInfo',
      { definition: 'd', termSource: 'INTERNAL' },
    ],
  ])(
    'of a %s are written with all their aspects, and answer nothing',
    async (kind, urn, record, aspect, value) => {
      const second = kind.startsWith('Corp') ? { 'com.linkedin.common.Status': { removed: false } } : owned;
      const aspects = [{ [`com.linkedin.${record}`]: value }, second];
      const answer = await catalog.post('/entities?action=ingest', body(kind, urn, aspects), {
        headers: { 'x-restli-protocol-version': '' },
      });
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(await catalog.read(urn, aspect)).toMatchObject(value);
      expect(await catalog.read(urn, kind.startsWith('Corp') ? 'status' : 'ownership')).toBeDefined();
    },
  );

  it.each(['acme', 'org.acme.deep', 'com.linkedin'])(
    'are known under the namespace %s',
    async (namespace) => {
      const urn = `urn:li:tag:ns-${namespace}`;
      const answer = await catalog.post(
        '/entities?action=ingest',
        body('Tag', urn, [{ [`${namespace}.tag.TagProperties`]: { name: 'n' } }], namespace),
      );
      expect(answer.status).toBe(200);
      expect(await catalog.read(urn, 'tagProperties')).toEqual({ name: 'n' });
    },
  );

  it('may hold aspects by their names', async () => {
    const term = {
      urn: 'urn:li:glossaryTerm:s.named',
      glossaryTermInfo: { definition: 'd', termSource: 'INTERNAL' },
      ownership: { owners: [] },
    };
    const entity = { value: { 'com.linkedin.metadata.snapshot.GlossaryTermSnapshot': term } };
    expect((await catalog.post('/entities?action=ingest', { entity })).status).toBe(200);
    expect(await catalog.read(term.urn, 'glossaryTermInfo')).toMatchObject(term.glossaryTermInfo);
  });

  it.each([
    [{ Ownership: { owners: [] } }, '/Ownership', '"Ownership" and "ownership" both name ownership'],
    [
      { aspects: [{ 'com.linkedin.common.Ownership': { owners: [] } }] },
      '/ownership',
      '"ownership" and "com.linkedin.common.Ownership" both name ownership',
    ],
  ])('may name each aspect once: %j', async (more, place, message) => {
    const term = { urn: 'urn:li:glossaryTerm:s.twice', ownership: { owners: [] }, ...more };
    const name = 'com.linkedin.metadata.snapshot.GlossaryTermSnapshot';
    const answer = await catalog.post('/entities?action=ingest', { entity: { value: { [name]: term } } });
    expectRefusal(answer, 400, 'PROPOSAL_MALFORMED', `/entity/value/${name}${place}`);
    expect(answer.body.message).toBe(message);
  });

  it('of several entities are written together or not at all', async () => {
    const tag = (name: string, value: object) =>
      body('Tag', `urn:li:tag:${name}`, [{ 'com.linkedin.tag.TagProperties': value }]).entity;
    const answer = await catalog.post('/entities?action=batchIngest', {
      entities: [tag('b1', { name: '1' }), tag('b2', { name: '2' })],
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await catalog.read('urn:li:tag:b2', 'tagProperties')).toEqual({ name: '2' });
    const refused = await catalog.post('/entities?action=batchIngest', {
      entities: [tag('b3', { name: '3' }), tag('b4', { nam: '4' })],
    });
    expectRefusal(
      refused,
      422,
      'ASPECT_INVALID',
      '/entities/1/value/com.linkedin.metadata.snapshot.TagSnapshot/aspects/0/com.linkedin.tag.TagProperties/name',
    );
    expect(await catalog.read('urn:li:tag:b3', 'tagProperties')).toBeUndefined();
  });
});
