import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, BOB, dataset, eventually, graphql } from './mutating.js';

const chart = 'urn:li:chart:(looker,daily)';
const dashboard = 'urn:li:dashboard:(looker,daily)';
const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,PROD),load)';
const flow = 'urn:li:dataFlow:(airflow,daily,PROD)';
const [orders, items, sums] = [dataset('daily.orders'), dataset('daily.items'), dataset('daily.sums')];
const stamp = { time: 0, actor: ANN };
const NO_SUCH = 'urn:li:corpuser:nobody-there';

/** What people do day by day to users, groups, products, queries, lineage, charts and the like. */
describe('daily edits', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [ANN, 'corpUserInfo', { active: true }],
      [BOB, 'corpUserInfo', { active: true }],
      [orders, 'datasetProperties', { name: 'orders' }],
      [items, 'datasetProperties', { name: 'items' }],
      [sums, 'datasetProperties', { name: 'sums' }],
      [
        chart,
        'chartInfo',
        { title: 'daily', description: '', lastModified: { created: stamp, lastModified: stamp } },
      ],
      [
        dashboard,
        'dashboardInfo',
        { title: 'daily', description: '', lastModified: { created: stamp, lastModified: stamp } },
      ],
      [job, 'dataJobInfo', { name: 'load', type: { string: 'COMMAND' } }],
      [flow, 'dataFlowInfo', { name: 'daily' }],
      ['urn:li:domain:daily', 'domainProperties', { name: 'daily' }],
      ['urn:li:tag:daily', 'tagProperties', { name: 'daily' }],
    );
  });
  afterAll(() => catalog?.stop());

  const run = async (query: string, variables: Record<string, unknown> = {}): Promise<any> => {
    const { data, errors } = await graphql(catalog, query, variables);
    expect(errors).toBeUndefined();
    return Object.values(data)[0];
  };
  const refused = async (query: string, variables: Record<string, unknown> = {}, token?: string) => {
    const { errors = [] } = await graphql(catalog, query, variables, token);
    return errors.map(({ extensions }) => [extensions['errorCode'], extensions['pointer']]);
  };
  const aspect = (urn: string, name: string): Promise<any> => catalog.read(urn, name);

  describe('of groups', () => {
    it('make, describe, fill, empty and delete them', async () => {
      const create = 'mutation m($input: CreateGroupInput!) { createGroup(input: $input) }';
      const urn = await run(create, { input: { id: 'daily', name: 'Daily', description: 'every day' } });
      expect(urn).toBe('urn:li:corpGroup:daily');
      expect(await aspect(urn, 'corpGroupInfo')).toMatchObject({
        displayName: 'Daily',
        description: 'every day',
      });
      expect(await aspect(urn, 'origin')).toEqual({ type: 'NATIVE' });
      expect(await refused(create, { input: { id: 'daily', name: 'Again' } })).toEqual([
        ['ENTITY_EXISTS', '/input/id'],
      ]);

      const described = await run(
        `mutation m($urn: String!, $input: CorpGroupUpdateInput!) {
           updateCorpGroupProperties(urn: $urn, input: $input) { urn editableProperties { slack email } } }`,
        { urn, input: { slack: '#daily', email: 'daily@example.org' } },
      );
      expect(described).toEqual({ urn, editableProperties: { slack: '#daily', email: 'daily@example.org' } });

      const members = (verb: string, userUrns: string[]) =>
        [
          `mutation m($input: ${verb}GroupMembersInput!) { ${verb.toLowerCase()}GroupMembers(input: $input) }`,
          { input: { groupUrn: urn, userUrns } },
        ] as const;
      expect(await run(...members('Add', [ANN, BOB]))).toBe(true);
      expect(await run(...members('Add', [ANN]))).toBe(true);
      expect(await aspect(ANN, 'nativeGroupMembership')).toEqual({ nativeGroups: [urn] });
      expect(await run(...members('Remove', [BOB]))).toBe(true);
      expect(await aspect(BOB, 'nativeGroupMembership')).toEqual({ nativeGroups: [] });
      expect(await refused(...members('Add', [BOB, NO_SUCH]))).toEqual([
        ['ENTITY_NOT_FOUND', '/input/userUrns/1'],
      ]);
      expect(await refused(...members('Add', []))).toEqual([['PARAMETER_INVALID', '/input/userUrns']]);

      await eventually(async () => {
        const listed = await run('{ listGroups(input: { query: "Daily" }) { total groups { urn } } }');
        expect(listed).toEqual({ total: 1, groups: [{ urn }] });
      });
      expect(await run(`mutation { removeGroup(urn: "${urn}") }`)).toBe(true);
      expect(await refused(`mutation { removeGroup(urn: "${urn}") }`)).toEqual([
        ['ENTITY_NOT_FOUND', '/urn'],
      ]);
      await eventually(async () =>
        expect(await aspect(ANN, 'nativeGroupMembership')).toEqual({ nativeGroups: [] }),
      );
    });
  });

  describe('of users', () => {
    it('describe them, say whether they are active, and delete them', async () => {
      const update = `mutation m($urn: String!, $input: CorpUserUpdateInput!) {
        updateCorpUserProperties(urn: $urn, input: $input) { editableProperties { title skills } } }`;
      await run(update, { urn: BOB, input: { title: 'Steward', skills: ['SQL'] } });
      expect(await run(update, { urn: BOB, input: { skills: ['SQL', 'dbt'] } })).toEqual({
        editableProperties: { title: 'Steward', skills: ['SQL', 'dbt'] },
      });
      expect(await refused(update, { urn: orders, input: {} })).toEqual([['PARAMETER_INVALID', '/urn']]);

      expect(await run(`mutation { updateUserStatus(urn: "${BOB}", status: SUSPENDED) }`)).toBe('SUSPENDED');
      expect(await aspect(BOB, 'corpUserStatus')).toMatchObject({ status: 'SUSPENDED' });

      const gone = 'urn:li:corpuser:leaver';
      await catalog.ingest([gone, 'corpUserInfo', { active: false }]);
      expect(await run(`mutation { removeUser(urn: "${gone}") }`)).toBe(true);
      expect(await refused(`mutation { removeUser(urn: "${gone}") }`)).toEqual([
        ['ENTITY_NOT_FOUND', '/urn'],
      ]);
    });

    it('keep what the caller has chosen, and how far the caller got in a tour', async () => {
      const choose = (name: string, value: boolean) =>
        run(`mutation { updateUserSetting(input: { name: ${name}, value: ${value} }) }`);
      expect(await choose('SHOW_THEME_V2', true)).toBe(true);
      expect(await choose('SHOW_SIMPLIFIED_HOMEPAGE', false)).toBe(true);
      expect(await aspect('urn:li:corpuser:admin', 'corpUserSettings')).toEqual({
        appearance: { showThemeV2: true, showSimplifiedHomepage: false },
      });

      const states = [{ id: 'ann-welcome', properties: [{ key: 'done', value: 'yes' }] }];
      expect(
        await run(
          `mutation m($states: [StepStateInput!]!) {
             batchUpdateStepStates(input: { states: $states }) { results { id succeeded } } }`,
          { states },
        ),
      ).toEqual({ results: [{ id: 'ann-welcome', succeeded: true }] });
      expect(
        await run(
          '{ batchGetStepStates(input: { ids: ["ann-welcome", "bob-welcome"] }) { results { id properties { key value } } } }',
        ),
      ).toEqual({ results: states });
    });
  });

  it('make, describe, fill, empty and delete data products', async () => {
    const create = (id: string, domainUrn = 'urn:li:domain:daily') =>
      [
        `mutation m($input: CreateDataProductInput!) { createDataProduct(input: $input) { urn properties { name } } }`,
        { input: { id, domainUrn, properties: { name: `Product ${id}`, description: 'daily' } } },
      ] as const;
    const first = await run(...create('first'));
    expect(first).toEqual({ urn: 'urn:li:dataProduct:first', properties: { name: 'Product first' } });
    const second = await run(...create('second'));
    expect(await aspect(first.urn, 'domains')).toEqual({ domains: ['urn:li:domain:daily'] });
    expect(await refused(...create('third', 'urn:li:domain:absent'))).toEqual([
      ['ENTITY_NOT_FOUND', '/input/domainUrn'],
    ]);
    expect(
      await run(
        `mutation { updateDataProduct(urn: "${first.urn}", input: { name: "First" }) { properties { name description } } }`,
      ),
    ).toEqual({ properties: { name: 'First', description: 'daily' } });

    const put = (dataProductUrn: string | null, resourceUrns: string[]) =>
      [
        'mutation m($input: BatchSetDataProductInput!) { batchSetDataProduct(input: $input) }',
        { input: { dataProductUrn, resourceUrns } },
      ] as const;
    const assets = async (urn: string) =>
      ((await aspect(urn, 'dataProductProperties')).assets ?? []).map((one: any) => one.destinationUrn);
    expect(await run(...put(first.urn, [orders, items]))).toBe(true);
    expect(await assets(first.urn)).toEqual([orders, items]);
    expect(await run(...put(second.urn, [items]))).toBe(true);
    expect([await assets(first.urn), await assets(second.urn)]).toEqual([[orders], [items]]);
    expect(await run(...put(null, [orders]))).toBe(true);
    expect(await assets(first.urn)).toEqual([]);
    expect(await refused(...put(first.urn, [orders, dataset('daily.absent')]))).toEqual([
      ['ENTITY_NOT_FOUND', '/input/resourceUrns/1'],
    ]);
    expect(await refused(...put(orders, [items]))).toEqual([['PARAMETER_INVALID', '/input/dataProductUrn']]);
    expect(await run(`mutation { deleteDataProduct(urn: "${second.urn}") }`)).toBe(true);
    expect((await catalog.get(`/openapi/v3/entity/dataset/${encodeURIComponent(items)}`)).status).toBe(200);
  });

  it('make, describe and delete kinds of ownership', async () => {
    const { urn } = await run(
      'mutation { createOwnershipType(input: { name: "Keeper", description: "keeps it" }) { urn } }',
    );
    expect(
      await run(
        `mutation { updateOwnershipType(urn: "${urn}", input: { description: "looks after it" }) { info { name description } } }`,
      ),
    ).toEqual({ info: { name: 'Keeper', description: 'looks after it' } });
    await run(
      `mutation { addOwner(input: { ownerUrn: "${ANN}", ownerEntityType: CORP_USER, ownershipTypeUrn: "${urn}", resourceUrn: "${sums}" }) }`,
    );
    expect(await run(`mutation { deleteOwnershipType(urn: "${urn}") }`)).toBe(true);
    await eventually(async () => {
      const { owners } = await aspect(sums, 'ownership');
      expect(owners).toEqual([{ owner: ANN, type: 'CUSTOM', source: { type: 'MANUAL' } }]);
    });
    const shipped = 'urn:li:ownershipType:__system__data_steward';
    expect(await refused(`mutation { deleteOwnershipType(urn: "${shipped}") }`)).toEqual([
      ['PARAMETER_INVALID', '/urn'],
    ]);
    expect(
      await refused('mutation { createOwnershipType(input: { name: " ", description: "" }) { urn } }'),
    ).toEqual([['PARAMETER_INVALID', '/input/name']]);
  });

  it('keep, change and delete queries', async () => {
    const { urn } = await run(
      `mutation m($input: CreateQueryInput!) { createQuery(input: $input) { urn } }`,
      {
        input: {
          properties: { name: 'all', statement: { value: 'SELECT 1', language: 'SQL' } },
          subjects: [{ datasetUrn: orders }],
        },
      },
    );
    await run(
      `mutation m($urn: String!, $input: UpdateQueryInput!) { updateQuery(urn: $urn, input: $input) { urn } }`,
      { urn, input: { properties: { description: 'one' }, subjects: [{ datasetUrn: items }] } },
    );
    expect(await aspect(urn, 'queryProperties')).toMatchObject({
      name: 'all',
      description: 'one',
      source: 'MANUAL',
      statement: { value: 'SELECT 1', language: 'SQL' },
    });
    expect(await aspect(urn, 'querySubjects')).toEqual({ subjects: [{ entity: items }] });
    await eventually(async () =>
      expect(await run(`{ listQueries(input: { datasetUrn: "${items}" }) { queries { urn } } }`)).toEqual({
        queries: [{ urn }],
      }),
    );
    expect(
      await refused(`mutation m($input: CreateQueryInput!) { createQuery(input: $input) { urn } }`, {
        input: {
          properties: { statement: { value: ' ', language: 'SQL' } },
          subjects: [{ datasetUrn: orders }],
        },
      }),
    ).toEqual([['PARAMETER_INVALID', '/input/properties/statement/value']]);
    expect(await run(`mutation { deleteQuery(urn: "${urn}") }`)).toBe(true);
    expect(await refused(`mutation { deleteQuery(urn: "${urn}") }`)).toEqual([['ENTITY_NOT_FOUND', '/urn']]);
  });

  describe('of lineage', () => {
    const update = (edgesToAdd: object[], edgesToRemove: object[] = []) =>
      [
        'mutation m($input: UpdateLineageInput!) { updateLineage(input: $input) }',
        { input: { edgesToAdd, edgesToRemove } },
      ] as const;
    const upstreams = async (urn: string): Promise<string[]> => {
      const { upstream } = await run(
        `query q($urn: String!) { entity(urn: $urn) { ... on Entity { upstream: lineage(input: { direction: UPSTREAM }) { relationships { entity { urn } } } } } }`,
        { urn },
      );
      return upstream.relationships.map(({ entity }: any) => entity.urn).sort();
    };

    it.each([
      ['dataset', 'dataset', orders, sums],
      ['data job', 'dataset', job, sums],
      ['dataset', 'data job', items, job],
      ['dataset', 'chart', sums, chart],
      ['chart', 'dashboard', chart, dashboard],
      ['dataset', 'dashboard', sums, dashboard],
    ])('draw a step from a %s to a %s, and take it away', async (_from, _to, upstreamUrn, downstreamUrn) => {
      const before = await upstreams(downstreamUrn);
      const edge = { upstreamUrn, downstreamUrn };
      expect(await run(...update([edge]))).toBe(true);
      expect(await run(...update([edge]))).toBe(true);
      expect(await upstreams(downstreamUrn)).toEqual([...before, upstreamUrn].sort());
      expect(await run(...update([], [edge]))).toBe(true);
      expect(await upstreams(downstreamUrn)).toEqual(before);
    });

    it('take the lineage of columns along', async () => {
      const column = (urn: string, path: string) => `urn:li:schemaField:(${urn},${path})`;
      const step = (upstream: string[]) => ({
        upstreamType: 'FIELD_SET',
        downstreamType: 'FIELD',
        upstreams: upstream,
        downstreams: [column(sums, 'sum')],
        confidenceScore: 1,
      });
      await catalog.ingest([
        sums,
        'upstreamLineage',
        {
          upstreams: [orders, items].map((one) => ({ dataset: one, type: 'TRANSFORMED' })),
          fineGrainedLineages: [
            step([column(orders, 'price'), column(items, 'count')]),
            step([column(orders, 'id')]),
          ],
        },
      ]);
      await run(...update([], [{ upstreamUrn: orders, downstreamUrn: sums }]));
      const { upstreams: left, fineGrainedLineages } = await aspect(sums, 'upstreamLineage');
      expect(left).toMatchObject([{ dataset: items }]);
      expect(fineGrainedLineages).toMatchObject([{ upstreams: [column(items, 'count')] }]);
    });

    it('are refused where there can be none, and all at once', async () => {
      const good = { upstreamUrn: orders, downstreamUrn: sums };
      const absent = { upstreamUrn: dataset('daily.absent'), downstreamUrn: sums };
      const before = await aspect(sums, 'upstreamLineage');
      expect(await refused(...update([good, absent]))).toEqual([
        ['ENTITY_NOT_FOUND', '/input/edgesToAdd/1/upstreamUrn'],
      ]);
      expect(await aspect(sums, 'upstreamLineage')).toEqual(before);
      expect(await refused(...update([{ upstreamUrn: ANN, downstreamUrn: sums }]))).toEqual([
        ['PARAMETER_INVALID', '/input/edgesToAdd/0'],
      ]);
    });
  });

  it.each([
    ['updateChart', 'ChartUpdateInput', chart, 'editableChartProperties'],
    ['updateDashboard', 'DashboardUpdateInput', dashboard, 'editableDashboardProperties'],
    ['updateDataFlow', 'DataFlowUpdateInput', flow, 'editableDataFlowProperties'],
    ['updateDataJob', 'DataJobUpdateInput', job, 'editableDataJobProperties'],
  ])('%s changes several parts', async (name, input, urn, editable) => {
    const query = `mutation m($urn: String!, $input: ${input}!) { ${name}(urn: $urn, input: $input) { urn editableProperties { description } tags { tags { tag { urn } } } } }`;
    const parts = {
      editableProperties: { description: 'by hand' },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:daily' } }] },
      ownership: { owners: [{ owner: ANN, type: 'DATAOWNER' }] },
    };
    expect(await run(query, { urn, input: parts })).toEqual({
      urn,
      editableProperties: { description: 'by hand' },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:daily' } }] },
    });
    expect(await aspect(urn, editable)).toMatchObject({ description: 'by hand' });
    expect((await aspect(urn, 'ownership')).owners).toMatchObject([{ owner: ANN }]);
    expect(await refused(query, { urn: orders, input: parts })).toEqual([['PARAMETER_INVALID', '/urn']]);
  });

  it('show domains, terms and folders in a colour, with an icon', async () => {
    const update = (urn: string, input: object) =>
      [
        'mutation m($urn: String!, $input: DisplayPropertiesUpdateInput!) { updateDisplayProperties(urn: $urn, input: $input) }',
        { urn, input },
      ] as const;
    const urn = 'urn:li:domain:daily';
    const icon = { iconLibrary: 'MATERIAL', name: 'Home', style: 'Filled' };
    expect(await run(...update(urn, { colorHex: '#00a3d9', icon }))).toBe(true);
    expect(await run(...update(urn, { icon: { name: 'Star' } }))).toBe(true);
    expect(await aspect(urn, 'displayProperties')).toEqual({
      colorHex: '#00a3d9',
      icon: { ...icon, name: 'Star' },
    });
    expect(await refused(...update(urn, { colorHex: 'blue' }))).toEqual([
      ['PARAMETER_INVALID', '/input/colorHex'],
    ]);
    expect(await refused(...update(orders, { colorHex: '#00a3d9' }))).toEqual([['ASPECT_UNKNOWN', '/urn']]);
  });

  it('give a new domain the owners that are named', async () => {
    const urn = await run(
      `mutation { createDomain(input: { name: "Owned", owners: [{ ownerUrn: "${BOB}", ownerEntityType: CORP_USER }] }) }`,
    );
    expect((await aspect(urn, 'ownership')).owners).toMatchObject([{ owner: BOB }]);
  });

  it('are refused to those who only read', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    for (const query of [
      'mutation { createGroup(input: { name: "x" }) }',
      `mutation { removeUser(urn: "${ANN}") }`,
      `mutation { updateLineage(input: { edgesToAdd: [], edgesToRemove: [{ upstreamUrn: "${orders}", downstreamUrn: "${sums}" }] }) }`,
      `mutation { batchSetDataProduct(input: { resourceUrns: ["${orders}"] }) }`,
    ])
      expect((await refused(query, {}, token)).map(([code]) => code)).toEqual(['NOT_ALLOWED']);
  });
});
