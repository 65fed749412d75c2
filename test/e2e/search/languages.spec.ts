import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data } from '../graphql/support.js';

const SEARCH = `query ($query: String!, $in: [AndFilterInput!]) {
  searchAcrossEntities(input: { types: [DATASET], query: $query, count: 50, orFilters: $in }) {
    searchResults { entity { ... on Dataset { displayName } } matchedFields { name value } }
  }
}`;
const COMPLETE = `query ($query: String!) { autoComplete(input: { type: DATASET, query: $query, limit: 20 }) { suggestions } }`;

/** What is typed, names that it finds, and names that it does not. */
const TYPED: Array<[typed: string, found: string[], others?: string[]]> = [
  ['strasse', ['Straße', 'STRASSE']],
  ['Straße', ['Straße', 'STRASSE']],
  ['kobenhavn', ['København']],
  ['lodz', ['Łódź']],
  ['aerø', ['Ærø', 'AERØ']],
  ['oeuvre', ['œuvre']],
  ['dordevic', ['Đorđević']],
  ['thingvellir', ['Þingvellir']],
  ['istanbul', ['İstanbul', 'ıstanbul']],
  ['ΟΔΟΣ', ['οδός', 'Οδος_2']],
  ['елка', ['Ёлка']],
  ['עברית', ['עִבְרִית']],
  ['كتب', ['كُتُب']],
  // Marks that spell a sound are no accents.
  ['ハス', ['ハス'], ['バス', 'パス']],
  ['バス', ['バス', 'ﾊﾞｽ'], ['ハス', 'パス']],
  ['दिन', ['दिन'], ['दान']],
  ['हिन्दी', ['हिन्दी']],
  ['हिन्द', ['हिन्दी']],
  ['ข้าว', ['ข้าว'], ['ขาว']],
  // A syllable is a sign: particles follow words of two.
  ['주문', ['주문', '주문을', '주문서_2024'], ['주소']],
  ['한국', ['한국어']],
];
const NAMES = [...new Set(TYPED.flatMap(([, found, others = []]) => [...found, ...others]))];

describe('words of other languages', () => {
  let catalog: TestCatalog;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...NAMES.map((name, i): [string, string, object] => [
        `urn:li:dataset:(urn:li:dataPlatform:hive,languages.t${i},PROD)`,
        'datasetProperties',
        { name },
      ]),
    );
  });
  afterAll(() => catalog.stop());

  const found = async (query: string): Promise<any[]> => {
    const { searchAcrossEntities: page }: any = await data(catalog, SEARCH, { query });
    return page.searchResults;
  };
  const names = (hits: any[]): string[] => hits.map(({ entity }) => entity.displayName);

  it.each(TYPED)('finds by %s', async (typed, wanted, others = []) => {
    const hits = await found(typed);
    expect(names(hits).sort()).toEqual([...wanted].sort());
    for (const { entity, matchedFields } of hits)
      expect(matchedFields).toContainEqual({ name: 'name', value: entity.displayName });
    expect(names(await found(`/q name:${typed}*`)).sort()).toEqual([...wanted].sort());
    const { autoComplete }: any = await data(catalog, COMPLETE, { query: typed });
    expect(autoComplete.suggestions).toEqual(expect.arrayContaining(wanted));
    for (const other of others) expect(autoComplete.suggestions).not.toContain(other);
  });
});
