import { expect, it } from '@jest/globals';
import {
  datasetUrn,
  documentOf,
  requestOf,
  schema,
  where,
} from '../../../../../test/conformance/search-fixture.js';
import { SqliteSearchIndex } from '../sqlite-search-index.js';

const TAGS = ['urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:c', 'urn:li:tag:d', 'urn:li:tag:e'];
const TURNS = 200;

it('finds documents by the values that they have, whatever batches changed them or failed', async () => {
  const index = new SqliteSearchIndex(':memory:');
  await index.ensureSchema(schema);
  const random = randomFrom(7);
  let tagsOf = new Map<string, string[]>();
  for (let turn = 1; turn <= TURNS; turn++) {
    const next = new Map(tagsOf);
    const few = () => TAGS.filter(() => random() < 0.25);
    const make = (urn: string) => {
      const tags = few();
      next.set(urn, tags);
      return documentOf(urn, { globalTags: { tags: tags.map((tag) => ({ tag })) } }, turn);
    };
    const urns = [...tagsOf.keys()].filter(() => random() < 0.2);
    for (let fresh = 0; random() < 0.7; fresh++) urns.push(datasetUrn('hive', `t${turn}_${fresh}`));
    const batch = urns.map(make);
    if (random() < 0.3) {
      // The second state of a document makes the index write the first ones before it comes to what fails.
      const bad = { ...documentOf(datasetUrn('hive', 'bad')), sequence: undefined as unknown as number };
      await expect(index.upsert([...batch, ...urns.map(make), bad])).rejects.toThrow();
      continue;
    }
    await index.upsert(batch);
    tagsOf = next;
    if (random() < 0.2) {
      const gone = [...tagsOf.keys()].filter(() => random() < 0.7);
      await index.remove(gone.map((urn) => ({ urn, sequence: turn })));
      for (const urn of gone) tagsOf.delete(urn);
    }
    for (const tag of TAGS) {
      const { hits } = await index.search(requestOf({ filter: where('tags', 'EQUAL', tag) }));
      const expected = [...tagsOf].flatMap(([urn, tags]) => (tags.includes(tag) ? [urn] : []));
      expect([turn, tag, hits.map(({ urn }) => urn)]).toEqual([turn, tag, expected.sort()]);
    }
  }
  await index.close();
});

it('gives the list of a value that is gone to no other one', async () => {
  const index = new SqliteSearchIndex(':memory:');
  await index.ensureSchema(schema);
  const urns = (name: string) => [1, 2].map((i) => datasetUrn('hive', `${name}${i}`));
  const write = (name: string, tag: string) =>
    index.upsert(urns(name).map((urn) => documentOf(urn, { globalTags: { tags: [{ tag }] } })));
  await write('x', TAGS[0]!);
  await index.remove(urns('x').map((urn) => ({ urn, sequence: 2 })));
  await write('y', TAGS[1]!);
  await write('z', TAGS[0]!);
  for (const [tag, name] of [
    [TAGS[0]!, 'z'],
    [TAGS[1]!, 'y'],
  ] as const) {
    const { hits } = await index.search(requestOf({ filter: where('tags', 'EQUAL', tag) }));
    expect(hits.map(({ urn }) => urn)).toEqual(urns(name));
  }
  await index.close();
});

it('tells values that are new from those that one document has, however many a batch has of both', async () => {
  const index = new SqliteSearchIndex(':memory:');
  await index.ensureSchema(schema);
  const COUNT = 200;
  const byName = new Map<string, string[]>();
  for (let batch = 1; batch <= 4; batch++) {
    const documents = Array.from({ length: COUNT }, (_, i) => {
      const urn = datasetUrn('hive', `b${batch}_${i}`);
      // Every third one has the name of one that came before, and some share that name within the batch.
      const name = i % 3 === 0 ? `name1x${(i * batch) % COUNT}` : `name${batch}x${i}`;
      byName.set(name, [...(byName.get(name) ?? []), urn]);
      return documentOf(urn, { datasetProperties: { name } }, batch);
    });
    await index.upsert(documents);
  }
  for (const [name, urns] of byName) {
    const { hits } = await index.search(requestOf({ filter: where('name', 'EQUAL', name) }));
    expect([name, hits.map(({ urn }) => urn)]).toEqual([name, urns.sort()]);
    const [first] = await index.autocomplete({ ...requestOf({}), text: name, fields: ['name'], limit: 1 });
    expect(first?.text).toBe(name);
  }
  await index.close();
});

/** Numbers from 0 up to 1, the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}
