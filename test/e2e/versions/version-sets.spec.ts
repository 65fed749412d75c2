import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../graphql/mutating.js';
import { policy, putPolicies } from '../policies/policies.js';
import { ASPECT, setsNamed, version } from './sets.js';

const OF_SET = 'versionSetProperties';

describe('a version set', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog?.stop());

  const newSet = setsNamed('kept');
  /** A set of three versions, in the order of their letters. */
  const filledSet = async () => {
    const made = newSet();
    for (const [at, urn] of made.urns.entries())
      await catalog.ingest([urn, ASPECT, version(made.set, String(at + 1))]);
    return made;
  };
  const pathOf = (urn: string) =>
    `/openapi/v3/entity/${urn.startsWith('urn:li:versionSet') ? 'versionSet' : 'dataset'}/${encodeURIComponent(urn)}`;
  const deleted = async (path: string, token?: string) =>
    (await catalog.request('DELETE', path, token === undefined ? {} : { token })).status;
  const exists = async (urn: string) =>
    (await catalog.post('/entities?action=exists', { urn })).body as { value: boolean };

  it('is completed by its latest version only', async () => {
    const { name, urns } = await filledSet();
    const completed = `{ suggestions entities { urn } }`;
    const { data } = (
      await catalog.post('/api/graphql', {
        query: `query($q: String!) {
          one: autoComplete(input: { type: DATASET, query: $q }) ${completed}
          each: autoCompleteForMultiple(input: { types: [DATASET], query: $q }) { suggestions ${completed} }
        }`,
        variables: { q: name },
      })
    ).body as { data: any };
    const action = await catalog.post('/entities?action=autocomplete', { entity: 'dataset', query: name });
    const only = { suggestions: [`${name}_c`], entities: [{ urn: urns[2] }] };
    expect(data.one).toEqual(only);
    expect(data.each.suggestions).toEqual([only]);
    expect(action.body.value).toEqual({ query: name, ...only });
    const flags = { filterNonLatestVersions: false };
    const all = await catalog.post('/entities?action=autocomplete', {
      entity: 'dataset',
      query: name,
      searchFlags: flags,
    });
    expect(all.body.value.suggestions).toEqual(['a', 'b', 'c'].map((letter) => `${name}_${letter}`));
  });

  describe('that is deleted', () => {
    it('takes its versions along, which are found as other entities are', async () => {
      const { name, set, urns } = await filledSet();
      const found = async () =>
        (await catalog.search('dataset', `${name}_*`)).metadata.urns.toSorted() as string[];
      expect(await found()).toEqual([urns[2]]);
      expect(await deleted(pathOf(set))).toBe(200);
      for (const urn of urns) expect(await catalog.read(urn, ASPECT)).toBeUndefined();
      expect(await found()).toEqual(urns);
      expect((await exists(set)).value).toBe(false);
    });

    it('is deleted by whom may delete it, and edit no more', async () => {
      const { set, urns } = await filledSet();
      await putPolicies(catalog, {
        kept: policy({
          privileges: ['EDIT_ENTITY'],
          effect: 'DENY',
          actors: { users: ['urn:li:corpuser:vera'] },
          criteria: [{ field: 'URN', values: [set] }],
        }),
      });
      const { token } = await catalog.issueToken({ user: 'vera', role: 'EDITOR' });
      expect(await deleted(pathOf(set), token)).toBe(200);
      for (const urn of urns) expect(await catalog.read(urn, ASPECT)).toBeUndefined();
    });

    it('begins anew', async () => {
      const { set, urns } = await filledSet();
      const [a, b] = urns;
      await deleted(pathOf(set));
      await catalog.ingest([a, ASPECT, version(set, '0')]);
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: a });
      expect(await catalog.read(a, ASPECT)).toMatchObject({ isLatest: true });
      expect(await catalog.read(b, ASPECT)).toBeUndefined();
    });
  });

  describe('whose properties are written', () => {
    it('keeps the latest of its versions', async () => {
      const { set, urns } = await filledSet();
      const [a, b, c] = urns;
      await catalog.ingest([set, OF_SET, { latest: a, versioningScheme: 'LEXICOGRAPHIC_STRING' }]);
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: c });
      expect(await catalog.read(c, ASPECT)).toMatchObject({ isLatest: true });
      await catalog.ingest([c, ASPECT, version(set, '0')]);
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: b });
    });

    it('keeps it when they are deleted', async () => {
      const { set, urns } = await filledSet();
      const written = { customProperties: { of: 'clients' }, versioningScheme: 'LEXICOGRAPHIC_STRING' };
      await catalog.ingest([set, OF_SET, { latest: urns[0], ...written }]);
      expect(await deleted(`${pathOf(set)}/${OF_SET}`)).toBe(200);
      const kept = { latest: urns[2], versioningScheme: 'LEXICOGRAPHIC_STRING' };
      expect(await catalog.read(set, OF_SET)).toEqual(kept);
      expect(await deleted(`${pathOf(set)}?clear=true`)).toBe(200);
      expect(await catalog.read(set, OF_SET)).toEqual(kept);
      expect(await deleted(pathOf(set))).toBe(200);
      expect((await exists(set)).value).toBe(false);
    });

    it('finds it again when they were deleted', async () => {
      const { set, urns } = await filledSet();
      const [a, , c] = urns;
      expect(await deleted(`${pathOf(set)}/${OF_SET}`)).toBe(200);
      await catalog.ingest([set, OF_SET, { latest: a, versioningScheme: 'LEXICOGRAPHIC_STRING' }]);
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: c });
    });

    it('takes what a client says before there are versions', async () => {
      const { set, urns } = newSet();
      const [a, b] = urns;
      await catalog.ingest([set, OF_SET, { latest: b, versioningScheme: 'LEXICOGRAPHIC_STRING' }]);
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: b });
      await catalog.ingest([a, ASPECT, version(set, '1')]);
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: a });
    });
  });

  describe('whose versions come of a run', () => {
    const run = async (runId: string, urn: string, value: object) =>
      expect(
        (
          await catalog.post('/aspects?action=ingestProposal', {
            proposal: proposal(urn, ASPECT, value, { systemMetadata: { runId, lastObserved: 1 } }),
          })
        ).status,
      ).toBe(200);
    const rolledBack = async (runId: string) =>
      (await catalog.post('/runs?action=rollback', { runId, dryRun: false, safe: true })).body.value;

    it.each([
      ['the latest last', [1, 2, 3]],
      ['the latest first', [3, 2, 1]],
      ['the latest in between', [1, 3, 2]],
    ])('is gone with them when the run is rolled back: %s', async (title, order) => {
      const { set, urns } = newSet();
      for (const at of order) await run(title, urns[at - 1]!, version(set, String(at)));
      expect(await rolledBack(title)).toMatchObject({
        entitiesDeleted: 4,
        unsafeEntitiesCount: 0,
        unsafeEntities: [],
      });
      for (const urn of [set, ...urns]) expect((await exists(urn)).value).toBe(false);
    });

    it.each([
      ['of the run', false],
      ['that was there', true],
    ])('loses very many of them at once, of a set %s', async (title, wasThere) => {
      const { name, set } = newSet();
      const member = (at: number) => dataset(`${name}_${String(at).padStart(3, '0')}`);
      if (wasThere) await run('there before', member(0), version(set, '001'));
      // The latest goes first, so that another is the latest while most are still there.
      const sortIds = [299, ...Array.from({ length: 250 }, (_, at) => at + 10)].map(String);
      const proposals = sortIds.map((sortId, at) =>
        proposal(member(at + 1), ASPECT, version(set, sortId.padStart(3, '0')), {
          systemMetadata: { runId: title, lastObserved: 1 },
        }),
      );
      const written = await catalog.post('/aspects?action=ingestProposalBatch', { proposals });
      expect(written.status).toBe(200);
      // A set that came with the run goes with its last version.
      expect(await rolledBack(title)).toMatchObject({ entitiesDeleted: 251, unsafeEntities: [] });
      for (const at of [1, 2, 130, 251]) expect((await exists(member(at))).value).toBe(false);
      expect((await exists(set)).value).toBe(wasThere);
      if (!wasThere) return;
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: member(0) });
      expect(await catalog.read(member(0), ASPECT)).toMatchObject({ isLatest: true });
      // What only marks a version leaves it to the run that made it.
      expect((await rolledBack('there before')).unsafeEntities).toEqual([]);
      expect((await exists(member(0))).value).toBe(false);
    });

    it('is as it was before, whichever of its versions are the first to go', async () => {
      const { set, urns } = newSet();
      const [a, b, c] = urns;
      await run('before', b, version(set, '2'));
      await run('rolled back', c, version(set, '3'));
      await run('rolled back', a, version(set, '1'));
      expect(await rolledBack('rolled back')).toMatchObject({ unsafeEntitiesCount: 0, unsafeEntities: [] });
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: b });
      expect(await catalog.read(b, ASPECT)).toMatchObject({ isLatest: true });
      for (const urn of [a, c]) expect((await exists(urn)).value).toBe(false);
    });

    it('loses what a run made of an entity that was there', async () => {
      const { set, urns } = newSet();
      const [a, b, c] = urns;
      await catalog.ingest(
        [a, ASPECT, version(set, '1')],
        [b, 'datasetProperties', { name: 'b' }],
        [c, 'datasetProperties', { name: 'c' }],
      );
      await run('joined', c, version(set, '3'));
      await run('joined', b, version(set, '2'));
      expect(await rolledBack('joined')).toMatchObject({ unsafeEntitiesCount: 0, unsafeEntities: [] });
      expect(await catalog.read(set, OF_SET)).toMatchObject({ latest: a });
      expect(await catalog.read(a, ASPECT)).toMatchObject({ isLatest: true });
      for (const urn of [b, c]) expect(await catalog.read(urn, ASPECT)).toBeUndefined();
    });
  });
});
