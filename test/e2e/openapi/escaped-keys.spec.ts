import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded } from '../aspect-api/support.js';
import { graphql } from '../graphql/mutating.js';
import { path } from './support.js';

/** Two keys that the parser of the platform confuses where it reads the second after the first, in objects that begin alike. */
const PAIRS = [
  ['\\', '"'],
  ['\\n', '\n;'],
];

describe('a key with an escape in what is stored', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it.each(PAIRS)('stays itself where %j has been read before %j', async (known, other) => {
    const head = `before ${known}${other}`;
    const urns = [known, other].map((key) =>
      dataset(`keys.of.${key.length}.${key === known ? 'known' : 'other'}`),
    );
    await catalog.ingest(
      ...[known, other].map((key, i): [string, string, object] => [
        urns[i]!,
        'datasetProperties',
        { customProperties: { [head]: 'x', [key]: 'y' } },
      ]),
    );
    const query =
      'query ($u: String!) { dataset(urn: $u) { properties { customProperties { key value } } } }';
    for (const [i, urn] of urns.entries()) {
      const key = [known, other][i]!;
      const { data } = await graphql(catalog, query, { u: urn });
      expect(data.dataset.properties.customProperties).toEqual([
        { key: head, value: 'x' },
        { key, value: 'y' },
      ]);
      const patch = [{ op: 'add', path: '/customProperties/more', value: 'z' }];
      const answer = await catalog.request('PATCH', path(urn, 'datasetProperties'), { body: { patch } });
      expect(answer.status).toBe(200);
      // The text: to parse it here would confuse the keys again.
      const { text } = await catalog.get(`/entitiesV2/${encoded(urn)}?aspects=List(datasetProperties)`);
      for (const member of [{ [head]: 'x' }, { [key]: 'y' }, { more: 'z' }]) {
        expect(text).toContain(JSON.stringify(member).slice(1, -1));
      }
    }
  });
});
