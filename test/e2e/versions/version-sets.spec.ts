import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../graphql/mutating.js';
import { policy, putPolicies } from '../policies/policies.js';

const ASPECT = 'versionProperties';
const OF_SET = 'versionSetProperties';

const version = (set: string, sortId: string) => ({
  versionSet: set,
  version: { versionTag: sortId },
  sortId,
});

describe('a version set', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog?.stop());

  let sets = 0;
  const newSet = () => {
    sets += 1;
    const urns = ['a', 'b', 'c'].map((letter) => dataset(`kept_${sets}_${letter}`));
    return { set: `urn:li:versionSet:(kept_${sets},dataset)`, urns: urns as [string, string, string] };
  };
  /** A set of three versions, in the order of their letters. */
  const filledSet = async () => {
    const { set, urns } = newSet();
    for (const [at, urn] of urns.entries()) await catalog.ingest([urn, ASPECT, version(set, String(at + 1))]);
    return { set, urns };
  };
  const pathOf = (urn: string) =>
    `/openapi/v3/entity/${urn.startsWith('urn:li:versionSet') ? 'versionSet' : 'dataset'}/${encodeURIComponent(urn)}`;
  const deleted = async (path: string, token?: string) =>
    (await catalog.request('DELETE', path, token === undefined ? {} : { token })).status;
  const exists = async (urn: string) =>
    (await catalog.post('/entities?action=exists', { urn })).body as { value: boolean };

  describe('that is deleted', () => {
    it('takes its versions along, which are found as other entities are', async () => {
      const { set, urns } = await filledSet();
      const found = async () =>
        (await catalog.search('dataset', `kept_${sets}_*`)).metadata.urns.toSorted() as string[];
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
});
