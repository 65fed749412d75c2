import { describe, expect, it } from '@jest/globals';
import type { SearchDocument, SearchIndex } from '../../src/catalog/search/index.js';
import { datasetUrn, documentOf, requestOf } from './search-fixture.js';
import { tag } from './search-parity.js';

/** The order of hits that every search index must give; see `src/catalog/search/ranking.ts`. */
export function rankingConformance(indexOf: () => SearchIndex): void {
  describe('ranks', () => {
    const named = (platform: string, id: string, aspects = {}, origin = 'PROD') =>
      documentOf(datasetUrn(platform, id, origin), aspects);
    const props = (name: string, description?: string) => ({
      datasetProperties: { name, ...(description !== undefined && { description }) },
    });
    const ranked = async (...documents: SearchDocument[]) => {
      await indexOf().upsert(documents);
      return async (input: string) =>
        (await indexOf().search(requestOf({ input }))).hits.map((hit) => hit.urn);
    };
    const urns = (documents: readonly SearchDocument[]) => documents.map(({ urn }) => urn);

    it('names by how much of them was typed, then what is said about it, then its parts', async () => {
      const steps = [
        named('r', 'a', props('falcon')),
        named('r', 'b', props('Fal_con')),
        named('r', 'c.falcon'),
        named('r', 'd', props('grey falcon')),
        named('r', 'e', props('falcons')),
        named('r', 'f', props('f', 'about a falcon')),
        named('r', 'g', {
          schemaMetadata: { fields: [{ fieldPath: 'falcon' }, { fieldPath: 'falcon_id' }] },
        }),
      ];
      const search = await ranked(...steps);
      expect(await search('falcon')).toEqual(urns(steps));
      expect((await search('Fal_con')).slice(0, 3)).toEqual(urns([steps[1]!, steps[0]!, steps[2]!]));
    });

    it('what is live, current and described before copies of the same name', async () => {
      const copies = [
        named('r1', 'osprey', {
          ...props('osprey', 'described'),
          globalTags: { tags: [{ tag: tag('pii') }] },
        }),
        named('r2', 'osprey', props('osprey')),
        named('r3', 'osprey', {
          ...props('osprey'),
          deprecation: { deprecated: true, note: '', actor: 'urn:li:corpuser:a' },
        }),
        named('r4', 'osprey', props('osprey'), 'DEV'),
      ];
      expect(await (await ranked(...copies.toReversed()))('osprey')).toEqual(urns(copies));
    });

    it('completions alike, however few are asked for', async () => {
      const names = ['kite', 'Kite', 'KITE', 'k-ite', 'ki-te', 'kit-e', 'k.ite', 'ki.te', 'kit.e', 'k_ite'];
      const described = named('sky', 'last', {
        ...props('kit_e', 'described'),
        globalTags: { tags: [{ tag: tag('pii') }] },
      });
      await indexOf().upsert([...names.map((name, i) => named('sky', `s${i}`, props(name))), described]);
      const complete = async (limit: number) => {
        const found = await indexOf().autocomplete({
          ...requestOf({}),
          text: 'kite',
          fields: ['name'],
          limit,
        });
        return found.map(({ urn }) => urn);
      };
      expect((await complete(10))[0]).toBe(described.urn);
      for (const limit of [1, 2, 3, 5])
        expect(await complete(limit)).toEqual((await complete(10)).slice(0, limit));
    });

    it('the name that one of the words is before names that hold it', async () => {
      const [whole, part] = [named('nest', 'x.heron'), named('nest', 'x.heron_daily_heron_heron')];
      expect(await (await ranked(part, whole))('nest heron')).toEqual(urns([whole, part]));
    });
  });
}
