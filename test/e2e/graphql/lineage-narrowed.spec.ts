import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const dataset = (name: string, platform = 'hive') =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)';
const ACTOR = 'urn:li:corpuser:ann';
const [TOP, MODEL, MART, GHOST, GONE] = [
  dataset('top'),
  dataset('model', 'dbt'),
  dataset('mart'),
  dataset('ghost'),
  dataset('gone'),
];

/** An edge that was made and last reported at these times. */
const upstream = (urn: string, made: number, reported: number, source?: string) => ({
  ...{ dataset: urn, type: 'TRANSFORMED', auditStamp: { time: reported, actor: ACTOR } },
  created: { time: made, actor: ACTOR },
  ...(source && { properties: { source } }),
});

describe('lineage that is narrowed', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...[TOP, MODEL, MART, GONE].map((urn): [string, string, object] => [urn, 'datasetProperties', {}]),
      [JOB, 'dataJobInfo', { name: 'load', type: { string: 'SQL' } }],
      [JOB, 'dataJobInputOutput', { inputDatasets: [TOP], outputDatasets: [MODEL] }],
      [
        MART,
        'upstreamLineage',
        { upstreams: [upstream(MODEL, 100, 200), upstream(GHOST, 0, 0), upstream(GONE, 300, 400, 'UI')] },
      ],
      [GONE, 'status', { removed: true }],
    );
  });
  afterAll(() => catalog?.stop());

  const above = async (input: object) => {
    const { dataset: found } = await data(
      catalog,
      `query ($input: LineageInput!) { dataset(urn: "${MART}") { lineage(input: $input) { total relationships { entity { urn } } } } }`,
      { input: { direction: 'UPSTREAM', ...input } },
    );
    const urns = found.lineage.relationships.map(({ entity }: any) => entity.urn);
    expect(found.lineage.total).toBe(urns.length);
    return urns.sort();
  };
  const walked = async (input: object) => {
    const { searchAcrossLineage } = await data(
      catalog,
      `query ($input: SearchAcrossLineageInput!) { searchAcrossLineage(input: $input) {
        searchResults { degree ignoredAsHop entity { urn } } } }`,
      { input: { urn: MART, direction: 'UPSTREAM', query: '*', ...input } },
    );
    return Object.fromEntries(
      searchAcrossLineage.searchResults.map(({ degree, ignoredAsHop, entity }: any) => [
        entity.urn,
        ignoredAsHop ? `${degree}, passed` : degree,
      ]),
    );
  };

  it('by the time that edges were there; drawn ones, and those without times, count always', async () => {
    const always = [GHOST, GONE].sort();
    const all = [GHOST, GONE, MODEL].sort();
    expect(await above({})).toEqual(all);
    expect(await above({ startTimeMillis: 150, endTimeMillis: 500 })).toEqual(all);
    expect(await above({ startTimeMillis: 201 })).toEqual(always);
    expect(await above({ endTimeMillis: 99 })).toEqual(always);
    expect(await above({ startTimeMillis: 200, endTimeMillis: 100 })).toEqual(all);
  });

  it('and so is a walk, by the input or its flags', async () => {
    expect(await walked({})).toEqual({ [MODEL]: 1, [JOB]: 2, [TOP]: 3 });
    expect(await walked({ startTimeMillis: 201 })).toEqual({});
    expect(await walked({ lineageFlags: { endTimeMillis: 99 } })).toEqual({});
    expect(await walked({ startTimeMillis: 200 })).toEqual({ [MODEL]: 1, [JOB]: 2, [TOP]: 3 });
  });

  it('to what is there', async () => {
    expect(await above({ includeGhostEntities: false })).toEqual([MODEL]);
    expect(await above({ includeGhostEntities: true })).toEqual([GHOST, GONE, MODEL].sort());
  });

  it('by what counts as no step', async () => {
    const near = [{ and: [{ field: 'degree', values: ['1'] }] }];
    const passing = (...ignoreAsHops: object[]) => ({ lineageFlags: { ignoreAsHops } });
    const dbt = { entityType: 'DATASET', platforms: ['urn:li:dataPlatform:dbt'] };
    expect(await walked(passing(dbt))).toEqual({ [MODEL]: '1, passed', [JOB]: 1, [TOP]: 2 });
    const jobs = { entityType: 'DATA_JOB' };
    expect(await walked(passing(jobs))).toEqual({ [MODEL]: 1, [JOB]: '2, passed', [TOP]: 2 });
    expect(await walked({ ...passing(dbt, jobs), orFilters: near })).toEqual({
      [MODEL]: '1, passed',
      [JOB]: '1, passed',
      [TOP]: 1,
    });
    const airflow = { entityType: 'DATA_JOB', platforms: ['urn:li:dataPlatform:airflow'] };
    expect(await walked({ ...passing(dbt, airflow), orFilters: near })).toHaveProperty([TOP], 1);
    const other = { entityType: 'DATA_JOB', platforms: ['urn:li:dataPlatform:dagster'] };
    expect(await walked({ ...passing(other), orFilters: near })).toEqual({ [MODEL]: 1 });
  });

  it('a type that there is not is refused', async () => {
    const wrong = await failure(
      catalog,
      `{ searchAcrossLineage(input: { urn: "${MART}", direction: UPSTREAM, lineageFlags: { ignoreAsHops: [{ entityType: OTHER }] } }) { total } }`,
    );
    expect(wrong.extensions).toMatchObject({ code: 400, errorCode: 'ENTITY_UNKNOWN' });
  });
});
