import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityReader } from '../../../src/modules/entities/index.js';
import { Database } from '../../../src/catalog/store/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { data, graphql } from './support.js';

const dataset = (i: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.t${i},PROD)`;
const URNS = [1, 2, 3, 4].map(dataset);
const tag = (i: number) => `urn:li:tag:t${i}`;
const PAGE = `query($u: [String!]!) { entities(urns: $u) { urn ... on Dataset {
  properties { description } status { removed } tags { tags { tag { urn properties { description } } } } } } }`;

describe('what a page selects', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    for (const [i, urn] of URNS.entries()) {
      await catalog.ingest(
        [urn, 'datasetProperties', { description: `the ${i}th` }],
        [urn, 'status', { removed: false }],
        [urn, 'subTypes', { typeNames: ['Table'] }],
        [urn, 'globalTags', { tags: [{ tag: tag(i) }] }],
        [tag(i), 'tagProperties', { name: tag(i), description: `tag ${i}` }],
      );
    }
  });
  afterAll(() => catalog.stop());

  const shown = (i: number, description = `the ${i}th`) => ({
    urn: URNS[i],
    properties: { description },
    status: { removed: false },
    tags: { tags: [{ tag: { urn: tag(i), properties: { description: `tag ${i}` } } }] },
  });

  it('is read level by level, and nothing else is', async () => {
    const reader = catalog.provider(EntityReader);
    const spy = jest.spyOn(reader, 'stored');
    // What was read recently would not be read again.
    const now = jest.spyOn(reader, 'storedNow').mockReturnValue(undefined);
    const readBy = async (variables: Record<string, unknown>) => {
      spy.mockClear();
      expect((await data(catalog, PAGE, variables)).entities).toEqual(URNS.map((_, i) => shown(i)));
      return spy.mock.calls.map(([, urns, selection]) => [[...urns], selection?.aspects]);
    };
    try {
      // What its fields read is found out while they are resolved.
      await readBy({ u: URNS });
      const levels = [
        [URNS, ['datasetProperties', 'editableDatasetProperties', 'globalTags', 'status']],
        [URNS.map((_, i) => tag(i)), ['tagProperties']],
      ];
      expect(await readBy({ u: URNS })).toEqual(levels);
      // Compiled by now.
      expect(await readBy({ u: URNS })).toEqual(levels);
    } finally {
      now.mockRestore();
      spy.mockRestore();
    }
  });

  it('is as it is stored, however often it was read before', async () => {
    await catalog.ingest([URNS[1]!, 'datasetProperties', { description: 'changed' }]);
    const read = async () => (await data(catalog, PAGE, { u: URNS })).entities;
    expect(await read()).toEqual([shown(0), shown(1, 'changed'), shown(2), shown(3)]);
    await catalog.post('/entities?action=delete', { urn: URNS[2] });
    expect(await read()).toEqual([shown(0), shown(1, 'changed'), null, shown(3)]);
    await catalog.ingest([URNS[2]!, 'status', { removed: false }]);
    const [, , again] = await read();
    expect(again).toEqual({ urn: URNS[2], properties: null, status: { removed: false }, tags: null });
  });

  it('fails field by field when it cannot be read', async () => {
    const urn = dataset(99);
    const query =
      'query($u: [String!]!) { entities(urns: $u, checkForExistence: false) { urn ... on Dataset {\n' +
      '  properties { description } status { removed } } } }';
    await data(catalog, query, { u: [urn] });
    const spy = jest.spyOn(catalog.provider(Database), 'all').mockRejectedValue(new Error('gone'));
    try {
      const { body } = await graphql(catalog, query, { u: [urn] });
      expect(body.data).toEqual({ entities: [{ urn, properties: null, status: null }] });
      expect(body.errors.map(({ path }: { path: unknown }) => path)).toEqual([
        ['entities', 0, 'properties'],
        ['entities', 0, 'status'],
      ]);
    } finally {
      spy.mockRestore();
    }
  });
});
