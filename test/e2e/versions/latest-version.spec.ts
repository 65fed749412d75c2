import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, eventually } from '../graphql/mutating.js';
import { policy, putPolicies } from '../policies/policies.js';
import { ASPECT, setsNamed, version } from './sets.js';

describe('the latest version of a set, when versions are written as aspects', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog?.stop());

  const newSet = setsNamed('set');
  /** What the set has as its latest, and the members that say they are. */
  const latestOf = async (set: string, urns: readonly string[]) => {
    const marks: Record<string, boolean> = {};
    for (const urn of urns) {
      const value = await catalog.read(urn, ASPECT);
      if (value !== undefined) marks[urn] = value.isLatest;
    }
    return { latest: (await catalog.read(set, 'versionSetProperties'))?.latest, marks };
  };
  const proposal = (urn: string, changeType: string, value?: object) => ({
    proposal: {
      ...{ entityType: 'dataset', entityUrn: urn, changeType, aspectName: ASPECT },
      ...(value && { aspect: { contentType: 'application/json', value: JSON.stringify(value) } }),
    },
  });
  const sent = async (path: string, body: unknown) => {
    const { status } = await catalog.post(path, body);
    expect([200, 201, 202]).toContain(status);
  };
  const snapshot = (urn: string, value: object) => ({
    entity: {
      value: {
        'com.linkedin.metadata.snapshot.DatasetSnapshot': {
          urn,
          aspects: [{ 'com.linkedin.common.VersionProperties': value }],
        },
      },
    },
  });

  it.each<[string, (urn: string, value: object) => Promise<unknown>]>([
    [
      'ingestProposal',
      (urn, value) => sent('/aspects?action=ingestProposal', proposal(urn, 'UPSERT', value)),
    ],
    [
      'a patch',
      (urn, value) =>
        sent(
          '/aspects?action=ingestProposal',
          proposal(urn, 'PATCH', { patch: [{ op: 'add', path: '', value }], arrayPrimaryKeys: {} }),
        ),
    ],
    ['a snapshot', (urn, value) => sent('/entities?action=ingest', snapshot(urn, value))],
    [
      'OpenAPI v2',
      (urn, value) => sent('/openapi/v2/entity/dataset', [{ urn, aspects: { [ASPECT]: { value } } }]),
    ],
    [
      'OpenAPI v3',
      (urn, value) => sent('/openapi/v3/entity/dataset?async=false', [{ urn, [ASPECT]: { value } }]),
    ],
    [
      'OpenAPI v3, accepted',
      (urn, value) => sent('/openapi/v3/entity/dataset?async=true', [{ urn, [ASPECT]: { value } }]),
    ],
  ])('follows from what each says of itself: %s', async (_, write) => {
    const {
      set,
      urns: [a, b, c],
    } = newSet();
    await write(b, version(set, '0002', { isLatest: false }));
    await eventually(async () =>
      expect(await latestOf(set, [a, b, c])).toEqual({ latest: b, marks: { [b]: true } }),
    );
    await write(a, version(set, '0001', { isLatest: true }));
    await write(c, version(set, '0003'));
    await eventually(async () =>
      expect(await latestOf(set, [a, b, c])).toEqual({
        latest: c,
        marks: { [a]: false, [b]: false, [c]: true },
      }),
    );
    expect(await catalog.read(set, 'versionSetProperties')).toMatchObject({
      versioningScheme: 'LEXICOGRAPHIC_STRING',
    });
  });

  it('is one of a batch', async () => {
    const { set, urns } = newSet();
    const [a, b, c] = urns;
    await catalog.ingest(
      [c, ASPECT, version(set, '1')],
      [a, ASPECT, version(set, '3')],
      [b, ASPECT, version(set, '2')],
    );
    expect(await latestOf(set, urns)).toEqual({ latest: a, marks: { [a]: true, [b]: false, [c]: false } });
    // In one transaction the latest falls behind, and a later proposal overtakes.
    await catalog.ingest([a, ASPECT, version(set, '0')], [c, ASPECT, version(set, '9')]);
    expect(await latestOf(set, urns)).toEqual({ latest: c, marks: { [a]: false, [b]: false, [c]: true } });
  });

  it('is a copy of the latest that says that it is, and of no earlier one', async () => {
    const { set, urns } = newSet();
    const [a, b, c] = urns;
    await catalog.ingest([a, ASPECT, version(set, '2')]);
    await catalog.ingest([b, ASPECT, version(set, '2')]);
    expect(await latestOf(set, urns)).toEqual({ latest: a, marks: { [a]: true, [b]: false } });
    await catalog.ingest([c, ASPECT, await catalog.read(a, ASPECT)]);
    expect(await latestOf(set, urns)).toEqual({ latest: c, marks: { [a]: false, [b]: false, [c]: true } });
    await catalog.ingest([b, ASPECT, version(set, '1', { isLatest: true })]);
    expect((await latestOf(set, urns)).latest).toBe(c);
  });

  it('is another when it falls behind, leaves for another set, or is deleted', async () => {
    const { set, urns } = newSet();
    const [a, b, c] = urns;
    for (const [urn, sortId] of [
      [a, '1'],
      [b, '2'],
      [c, '3'],
    ] as const)
      await catalog.ingest([urn, ASPECT, version(set, sortId)]);
    await catalog.ingest([c, ASPECT, version(set, '0')]);
    expect(await latestOf(set, urns)).toEqual({ latest: b, marks: { [a]: false, [b]: true, [c]: false } });
    const other = newSet().set;
    await catalog.ingest([b, ASPECT, version(other, '5')]);
    expect(await latestOf(set, urns)).toEqual({ latest: a, marks: { [a]: true, [b]: true, [c]: false } });
    expect(await catalog.read(other, 'versionSetProperties')).toMatchObject({ latest: b });
    await sent('/aspects?action=ingestProposal', proposal(a, 'DELETE'));
    expect(await latestOf(set, urns)).toEqual({ latest: c, marks: { [b]: true, [c]: true } });
    await sent('/entities?action=delete', { urn: c });
    expect(await latestOf(set, urns)).toEqual({ latest: undefined, marks: { [b]: true } });
    expect((await catalog.post('/entities?action=exists', { urn: set })).body).toEqual({ value: false });
  });

  it('stays when nothing changes, or another says the same', async () => {
    const { set, urns } = newSet();
    const [a, b] = urns;
    await catalog.ingest([a, ASPECT, version(set, '1')]);
    await catalog.ingest([a, ASPECT, version(set, '1')], [b, ASPECT, version(set, '1')]);
    expect(await latestOf(set, urns)).toEqual({ latest: a, marks: { [a]: true, [b]: false } });
  });

  it('is not taken from a set of other entities', async () => {
    const { urns } = newSet();
    const set = 'urn:li:versionSet:(models,mlModel)';
    await catalog.ingest([urns[0], ASPECT, version(set, '1', { isLatest: true })]);
    expect(await latestOf(set, urns)).toEqual({ latest: undefined, marks: { [urns[0]]: true } });
  });

  it('leaves nothing of a batch that is refused', async () => {
    const { set, urns } = newSet();
    const [a, b] = urns;
    await catalog.ingest([a, ASPECT, version(set, '1')]);
    const refused = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: [
        proposal(b, 'UPSERT', version(set, '2')).proposal,
        proposal(b, 'CREATE', version(set, '3')).proposal,
      ],
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await latestOf(set, urns)).toEqual({ latest: a, marks: { [a]: true } });
  });

  it('is changed by those only who may edit the set', async () => {
    const { set, urns } = newSet();
    const [a, b, c] = urns;
    const other = newSet().set;
    await catalog.ingest(
      [a, ASPECT, version(set, '1')],
      [b, ASPECT, version(set, '2')],
      [c, 'datasetProperties', { name: 'c' }],
    );
    await putPolicies(catalog, {
      sets: policy({
        privileges: ['EDIT_ENTITY'],
        effect: 'DENY',
        actors: { allUsers: true },
        criteria: [{ field: 'URN', values: [set] }],
      }),
    });
    const { token } = await catalog.issueToken({ user: 'vera', role: 'EDITOR' });
    const write = async (urn: string, value?: object) => {
      const body = proposal(urn, value ? 'UPSERT' : 'DELETE', value);
      const answer = await catalog.post('/aspects?action=ingestProposal', body, { token });
      return [answer.status, answer.status === 403 && answer.text.includes(set)];
    };
    const [done, refused] = [
      [200, false],
      [403, true],
    ];
    const before = await latestOf(set, urns);
    expect(await write(c, version(set, '3'))).toEqual(refused);
    expect(await write(c, version(set, '0'))).toEqual(refused);
    expect(await write(b, version(set, '0'))).toEqual(refused);
    expect(await write(b, version(other, '2'))).toEqual(refused);
    expect(await write(a)).toEqual(refused);
    const answer = await catalog.post(
      `/openapi/v3/entity/dataset/${encodeURIComponent(c)}/${ASPECT}?async=false`,
      { value: version(set, '3') },
      { token },
    );
    expect(answer.status).toBe(403);
    expect(await latestOf(set, urns)).toEqual(before);
    // The set stays what it is.
    expect(await write(a, version(set, '1', { comment: 'the first' }))).toEqual(done);
    expect(await write(c, version(other, '3'))).toEqual(done);
  });

  it('is one when many write at once', async () => {
    const { set } = newSet();
    const urns = Array.from({ length: 12 }, (_, i) => dataset(`at_once_${i}`));
    await Promise.all(
      urns.map((urn, i) => catalog.ingest([urn, ASPECT, version(set, String(10 + ((i * 5) % 12)))])),
    );
    const { latest, marks } = await latestOf(set, urns);
    expect(Object.entries(marks).filter(([, isLatest]) => isLatest)).toEqual([[latest, true]]);
    expect(await catalog.read(latest, ASPECT)).toMatchObject({ sortId: '21' });
  });
});
