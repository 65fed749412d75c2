import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stepsOf } from './steps.js';
import { Shop } from './shop.js';

const [RAW, CLEAN, MART] = ['raw', 'clean', 'mart'].map(Shop.dataset) as [string, string, string];
const column = (dataset: string): string => `urn:li:schemaField:(${dataset},id)`;
const STAMP = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ann' };

/** One dataset made from another, column by column. */
const madeFrom = (upstream: string, downstream: string) => ({
  upstreams: [{ auditStamp: STAMP, dataset: upstream, type: 'TRANSFORMED' }],
  fineGrainedLineages: [
    {
      upstreamType: 'FIELD_SET',
      upstreams: [column(upstream)],
      downstreamType: 'FIELD',
      downstreams: [column(downstream)],
      confidenceScore: 1,
    },
  ],
});

describe("what the field's command line does over GraphQL", () => {
  let shop: Shop;
  const json = async (...args: string[]): Promise<any> => JSON.parse(await shop.client.datahub(...args));

  beforeAll(async () => {
    shop = await Shop.open();
    for (const [urn, name] of [
      [RAW, 'raw'],
      [CLEAN, 'clean'],
      [MART, 'mart'],
    ] as const) {
      await shop.put(urn, 'datasetProperties', { name, description: `the ${name} table` });
    }
    await shop.put(MART, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] });
    await shop.put('urn:li:tag:pii', 'tagProperties', { name: 'Personal' });
    await shop.put(CLEAN, 'upstreamLineage', madeFrom(RAW, CLEAN));
    await shop.put(MART, 'upstreamLineage', madeFrom(CLEAN, MART));
  });
  afterAll(() => shop?.close());

  it('search shows entities with everything that it asks for', async () => {
    const found = await json('search', 'mart', '--format', 'json');
    expect(found.total).toBe(1);
    expect(found.searchResults[0].entity).toMatchObject({
      urn: MART,
      name: 'mart',
      platform: { name: 'postgres' },
      properties: { description: 'the mart table' },
      tags: { tags: [{ tag: { name: 'Personal' } }] },
    });
  });

  it('search filters, lists URNs and counts', async () => {
    const urns = (printed: string) => printed.split('\n').filter((line) => line.startsWith('urn:li:'));
    expect(
      urns(await shop.client.datahub('search', '*', '--filter', 'entity_type=dataset', '--urns-only')).sort(),
    ).toEqual([RAW, CLEAN, MART].sort());
    expect(
      urns(await shop.client.datahub('search', '*', '--filter', 'tag=urn:li:tag:pii', '--urns-only')),
    ).toEqual([MART]);
    const { facets } = await json('search', '*', '--facets-only');
    const platform = facets.find(({ field }: { field: string }) => field === 'platform');
    expect(platform.aggregations).toEqual([
      expect.objectContaining({
        value: 'urn:li:dataPlatform:postgres',
        count: 3,
        entity: expect.objectContaining({ name: 'postgres' }),
      }),
    ]);
  });

  it('lineage walks over datasets and columns, up and down', async () => {
    const up = await json(
      'lineage',
      '--urn',
      MART,
      '--direction',
      'upstream',
      '--hops',
      '2',
      '--format',
      'json',
    );
    expect(up.results.map((r: any) => [r.urn, r.hops])).toEqual([
      [CLEAN, 1],
      [RAW, 2],
    ]);
    const down = await json(
      'lineage',
      '--urn',
      RAW,
      '--direction',
      'downstream',
      '--hops',
      '1',
      '--format',
      'json',
    );
    expect(down.results.map((r: any) => r.urn)).toEqual([CLEAN]);
    const columns = await json('lineage', '--urn', MART, '--column', 'id', '--hops', '2', '--format', 'json');
    expect(columns.results.map((r: any) => [r.urn, r.hops])).toEqual([
      [column(CLEAN), 1],
      [column(RAW), 2],
    ]);
    expect(await shop.client.datahub('lineage', 'path', '--from', RAW, '--to', MART)).toContain(
      'Path found (2 hops)',
    );
  });

  it('graphql runs operations, and knows the schema', async () => {
    expect(await json('graphql', '--query', '{ me { corpUser { urn } } }')).toEqual({
      me: { corpUser: { urn: 'urn:li:corpuser:admin' } },
    });
    const operations = await shop.client.datahub('graphql', '--list-operations');
    for (const name of ['scrollAcrossEntities', 'addTerms', 'createGlossaryTerm', 'updateDataset']) {
      expect(operations).toContain(`- ${name}`);
    }
    expect(
      await json('graphql', '--operation', 'entityExists', '--variables', JSON.stringify({ urn: MART })),
    ).toEqual({ entityExists: true });
    const failed = await shop.client.attempt(['graphql', '--query', '{ dataset(urn: "nope") { urn } }']);
    expect(failed.code).not.toBe(0);
    expect(failed.stdout + failed.stderr).toMatch(/URN/);
  });

  it('delete finds by platform, type and text', async () => {
    expect(await shop.client.datahub('delete', '--platform', 'postgres', '--dry-run', '-f')).toMatch(
      /Would delete 3 entities/,
    );
    await shop.client.datahub('delete', '--entity-type', 'dataset', '--query', 'mart', '--soft', '-f');
    expect((await shop.client.aspect(MART, 'status')).removed).toBe(true);
    expect(
      await shop.client.datahub(
        'delete',
        '--entity-type',
        'dataset',
        '--platform',
        'postgres',
        '--only-soft-deleted',
        '--hard',
        '-f',
      ),
    ).toMatch(/deleted 1 entities/i);
    expect(await shop.exists(MART)).toBe(false);
  });

  describe('its SDK', () => {
    stepsOf(() => shop.client, 'finding.py', {
      'urns by type': [CLEAN, RAW],
      'urns by platform and environment': [CLEAN, RAW],
      'urns by text': [CLEAN],
      'urns by a filter': [RAW],
      'nothing by what is not there': [],
      'search client': [CLEAN, RAW],
      'lineage client': [[RAW, 1]],
      'column lineage': [[column(RAW), 1, ['clean.id', 'raw.id']]],
      graphql: { entityExists: true },
      tags: ['urn:li:tag:made', true, true],
    });
  });
});
