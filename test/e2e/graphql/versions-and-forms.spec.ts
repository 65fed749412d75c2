import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, eventually, expectRefused, graphql, mutate, resultOf, tried } from './mutating.js';

const SET = 'urn:li:versionSet:(orders,dataset)';
const [FIRST, SECOND, THIRD] = [dataset('orders_1'), dataset('orders_2'), dataset('orders_3')];
const USER = 'urn:li:corpuser:nina';

const link = (linkedEntity: string, version: string, more: object = {}) => ({
  versionSet: SET,
  linkedEntity,
  version,
  ...more,
});

describe('versions', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...[FIRST, SECOND, THIRD].map((urn): [string, string, object] => [
        urn,
        'datasetProperties',
        { name: urn },
      ]),
      [USER, 'corpUserInfo', { active: true }],
    );
  });
  afterAll(() => catalog?.stop());

  const linked = async (input: object) =>
    resultOf(await triedUrn('linkAssetVersion', 'LinkVersionInput', input), 'linkAssetVersion');
  const unlinked = async (input: object) =>
    resultOf(await triedUrn('unlinkAssetVersion', 'UnlinkVersionInput', input), 'unlinkAssetVersion');
  const triedUrn = (mutation: string, type: string, input: object, token?: string) =>
    graphql(
      catalog,
      `mutation ($input: ${type}!) { ${mutation}(input: $input) { urn properties { latest { urn } } } }`,
      { input },
      token,
    );
  const versionOf = (urn: string): Promise<any> => catalog.read(urn, 'versionProperties');

  it('are linked to a set, the latest last', async () => {
    expect(
      await linked(link(FIRST, 'v1', { comment: 'the first', sourceTimestamp: 1_000, sourceCreator: ANN })),
    ).toEqual({
      urn: SET,
      properties: { latest: { urn: FIRST } },
    });
    expect(await versionOf(FIRST)).toEqual({
      versionSet: SET,
      version: { versionTag: 'v1' },
      aliases: [],
      comment: 'the first',
      sortId: 'AAAAAAAA',
      versioningScheme: 'ALPHANUMERIC_GENERATED_BY_DATAHUB',
      sourceCreatedTimestamp: { time: 1_000, actor: ANN },
      metadataCreatedTimestamp: { time: expect.any(Number), actor: expect.any(String) },
      isLatest: true,
    });
    expect((await linked(link(SECOND, 'v2'))).properties).toEqual({ latest: { urn: SECOND } });
    expect(await versionOf(FIRST)).toMatchObject({ isLatest: false, sortId: 'AAAAAAAA' });
    expect(await versionOf(SECOND)).toMatchObject({ isLatest: true, sortId: 'AAAAAAAB' });
    expect(await catalog.read(SET, 'versionSetProperties')).toMatchObject({
      latest: SECOND,
      versioningScheme: 'ALPHANUMERIC_GENERATED_BY_DATAHUB',
    });
  });

  it('have a set that names its latest', async () => {
    const asked = `{ versionSet(urn: "${SET}") { latestVersion { urn type ... on Dataset { name } } } }`;
    expect((await graphql(catalog, asked)).data.versionSet.latestVersion).toEqual({
      ...{ urn: SECOND, type: 'DATASET', name: SECOND },
    });
    const none = '{ versionSet(urn: "urn:li:versionSet:(none,dataset)") { latestVersion { urn } } }';
    await catalog.ingest([
      'urn:li:versionSet:(none,dataset)',
      'versionSetKey',
      { id: 'none', entityType: 'dataset' },
    ]);
    expect((await graphql(catalog, none)).data.versionSet).toEqual({ latestVersion: null });
  });

  it('are not linked twice, to sets of others, or without a label', async () => {
    const refused = (input: object) => triedUrn('linkAssetVersion', 'LinkVersionInput', input);
    expectRefused(await refused(link(FIRST, 'again')), 400, 'RULE_VIOLATED', '/input/linkedEntity');
    expectRefused(await refused(link(USER, 'v1')), 400, 'PARAMETER_INVALID', '/input/versionSet');
    expectRefused(await refused(link(THIRD, ' ')), 400, 'PARAMETER_INVALID', '/input/version');
    expectRefused(
      await refused(link(dataset('absent'), 'v1')),
      404,
      'ENTITY_NOT_FOUND',
      '/input/linkedEntity',
    );
    expectRefused(
      await refused({ ...link(THIRD, 'v1'), versionSet: THIRD }),
      400,
      'PARAMETER_INVALID',
      '/input/versionSet',
    );
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefused(
      await triedUrn('linkAssetVersion', 'LinkVersionInput', link(THIRD, 'v3'), token),
      403,
      'NOT_ALLOWED',
    );
    expect(await versionOf(THIRD)).toBeUndefined();
  });

  it('of a set that is put in order by texts are left to who writes them', async () => {
    const own = 'urn:li:versionSet:(own,dataset)';
    const written = dataset('written');
    await catalog.ingest(
      [
        written,
        'versionProperties',
        { versionSet: own, version: { versionTag: '1' }, sortId: '1.0', isLatest: true },
      ],
      [own, 'versionSetProperties', { latest: written, versioningScheme: 'LEXICOGRAPHIC_STRING' }],
    );
    expectRefused(
      await triedUrn('linkAssetVersion', 'LinkVersionInput', { ...link(THIRD, 'v1'), versionSet: own }),
      400,
      'RULE_VIOLATED',
      '/input/versionSet',
    );
  });

  it('all take effect when many are linked at once', async () => {
    const many = Array.from({ length: 5 }, (_, i) => dataset(`many_${i}`));
    await catalog.ingest(
      ...many.map((urn): [string, string, object] => [urn, 'datasetProperties', { name: urn }]),
    );
    const set = 'urn:li:versionSet:(many,dataset)';
    await Promise.all(many.map((urn, i) => linked({ ...link(urn, `v${i}`), versionSet: set })));
    const versions = await Promise.all(many.map(versionOf));
    expect(versions.map(({ sortId }) => sortId).sort()).toEqual([
      'AAAAAAAA',
      'AAAAAAAB',
      'AAAAAAAC',
      'AAAAAAAD',
      'AAAAAAAE',
    ]);
    const latest = versions.filter(({ isLatest }) => isLatest);
    expect(latest.map(({ sortId }) => sortId)).toEqual(['AAAAAAAE']);
    expect(await catalog.read(set, 'versionSetProperties')).toMatchObject({
      latest: many[versions.indexOf(latest[0])],
    });
  });

  it('are listed from the latest on, unless the request says otherwise', async () => {
    const [middle, last, first] = ['listed_m', 'listed_z', 'listed_a'].map(dataset) as [
      string,
      string,
      string,
    ];
    const set = 'urn:li:versionSet:(listed,dataset)';
    for (const urn of [middle, last, first]) {
      await catalog.ingest([urn, 'datasetProperties', { name: 'listed' }]);
      await linked({ ...link(urn, `of ${urn}`), versionSet: set });
    }
    const listed = async (input: object) => {
      const query = `query ($set: String!, $input: SearchAcrossEntitiesInput!) { entity(urn: $set) { ... on VersionSet {
        versionsSearch(input: $input) { searchResults { entity { urn } } } } } }`;
      const { versionsSearch }: any = resultOf(await graphql(catalog, query, { set, input }), 'entity');
      return versionsSearch.searchResults.map(({ entity }: any) => entity.urn);
    };
    for (const input of [{ query: '*' }, { query: 'listed', sortInput: null }, { query: '', sortInput: {} }])
      expect(await listed(input)).toEqual([first, last, middle]);
    const sortCriteria = [{ field: 'urn', sortOrder: 'DESCENDING' }];
    expect(await listed({ query: '*', sortInput: { sortCriteria } })).toEqual([last, middle, first]);
  });

  it('are taken out, the one before becomes the latest, and the set ends with the last', async () => {
    await linked(link(THIRD, 'v3'));
    expectRefused(
      await triedUrn('unlinkAssetVersion', 'UnlinkVersionInput', {
        versionSet: 'urn:li:versionSet:(other,dataset)',
        unlinkedEntity: FIRST,
      }),
      400,
      'RULE_VIOLATED',
      '/input/versionSet',
    );
    expectRefused(
      await triedUrn('unlinkAssetVersion', 'UnlinkVersionInput', {}),
      400,
      'PARAMETER_MISSING',
      '/input/unlinkedEntity',
    );
    const reader = await catalog.issueToken({ role: 'READER' });
    expectRefused(
      await triedUrn('unlinkAssetVersion', 'UnlinkVersionInput', { unlinkedEntity: FIRST }, reader.token),
      403,
      'NOT_ALLOWED',
    );
    expect(await unlinked({ versionSet: SET, unlinkedEntity: FIRST })).toEqual({
      urn: SET,
      properties: { latest: { urn: THIRD } },
    });
    expect(await versionOf(FIRST)).toBeUndefined();
    expect(await unlinked({ versionSet: SET })).toEqual({
      urn: SET,
      properties: { latest: { urn: SECOND } },
    });
    expect(await versionOf(SECOND)).toMatchObject({ isLatest: true });
    expectRefused(
      await triedUrn('unlinkAssetVersion', 'UnlinkVersionInput', { unlinkedEntity: THIRD }),
      400,
      'RULE_VIOLATED',
      '/input/unlinkedEntity',
    );
    expect(await unlinked({ unlinkedEntity: SECOND })).toEqual({ urn: SET, properties: null });
    expect(await versionOf(SECOND)).toBeUndefined();
    expect(await catalog.read(SET, 'versionSetProperties')).toBeUndefined();
  });
});

describe('forms', () => {
  const FORM = 'urn:li:form:review';
  const RETENTION = 'urn:li:structuredProperty:retention';
  const [A, B] = [dataset('form_a'), dataset('form_b')];
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [A, 'datasetProperties', { name: 'form a' }],
      [B, 'datasetProperties', { name: 'form b' }],
      [
        RETENTION,
        'propertyDefinition',
        {
          qualifiedName: 'retention',
          displayName: 'Retention',
          valueType: 'urn:li:dataType:datahub.string',
          cardinality: 'SINGLE',
          entityTypes: ['urn:li:entityType:datahub.dataset'],
        },
      ],
      [
        FORM,
        'formInfo',
        {
          name: 'Review',
          prompts: [
            {
              id: 'keep',
              title: 'How long?',
              type: 'STRUCTURED_PROPERTY',
              structuredPropertyParams: { urn: RETENTION },
            },
          ],
        },
      ],
    );
    await catalog.ingest([
      A,
      'structuredProperties',
      { properties: [{ propertyUrn: RETENTION, values: [{ string: '30d' }] }] },
    ]);
  });
  afterAll(() => catalog?.stop());
  const formsOf = (urn: string): Promise<any> => catalog.read(urn, 'forms');

  it('are put to entities, with what is answered already', async () => {
    expect(await mutate(catalog, 'batchAssignForm', { formUrn: FORM, entityUrns: [A, B, B] })).toBe(true);
    const prompt = { id: 'keep', lastModified: { time: expect.any(Number), actor: expect.any(String) } };
    expect(await formsOf(A)).toEqual({
      incompleteForms: [],
      completedForms: [{ urn: FORM, incompletePrompts: [], completedPrompts: [prompt] }],
      verifications: [],
    });
    const asked = {
      incompleteForms: [{ urn: FORM, incompletePrompts: [prompt], completedPrompts: [] }],
      completedForms: [],
      verifications: [],
    };
    const before = await formsOf(B);
    expect(before).toEqual(asked);
    await mutate(catalog, 'batchAssignForm', { formUrn: FORM, entityUrns: [B] });
    expect(await formsOf(B)).toEqual(before);
  });

  it('are put to all or none', async () => {
    const other = 'urn:li:form:other';
    await catalog.ingest([other, 'formInfo', { name: 'Other' }]);
    const assign = (entityUrns: string[], formUrn = other, token?: string) =>
      tried(catalog, 'batchAssignForm', { formUrn, entityUrns }, token);
    expectRefused(await assign([A, dataset('absent')]), 404, 'ENTITY_NOT_FOUND', '/input/entityUrns/1');
    expectRefused(await assign([A, FORM]), 400, 'ASPECT_UNKNOWN', '/input/entityUrns/1');
    expectRefused(await assign([A], 'urn:li:form:absent'), 404, 'ENTITY_NOT_FOUND', '/input/formUrn');
    expectRefused(await assign([]), 400, 'PARAMETER_INVALID', '/input/entityUrns');
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefused(await assign([A], other, token), 403, 'NOT_ALLOWED');
    expect(JSON.stringify([await formsOf(A)])).not.toContain(other);
  });

  it('find what they are put to by a filter, which is kept', async () => {
    const form = 'urn:li:form:by-filter';
    await catalog.ingest([form, 'formInfo', { name: 'By filter' }]);
    const conditions = [{ and: [{ field: 'name', values: ['form'], condition: 'CONTAIN' }] }];
    await eventually(async () => {
      expect(
        await mutate(catalog, 'createDynamicFormAssignment', { formUrn: form, orFilters: conditions }),
      ).toBe(true);
      expect((await formsOf(B)).incompleteForms.map(({ urn }: { urn: string }) => urn)).toContain(form);
    });
    expect((await formsOf(A)).incompleteForms.map(({ urn }: { urn: string }) => urn)).toContain(form);
    expect(await catalog.read(form, 'dynamicFormAssignment')).toEqual({
      filter: { or: [{ and: [{ field: 'name', values: ['form'], condition: 'CONTAIN', negated: false }] }] },
    });
    const assign = (orFilters: object[], token?: string) =>
      tried(catalog, 'createDynamicFormAssignment', { formUrn: form, orFilters }, token);
    expectRefused(await assign([]), 400, 'FILTER_INVALID', '/input/orFilters');
    expectRefused(await assign([{ and: [] }]), 400, 'FILTER_INVALID', '/input/orFilters');
    expectRefused(await assign([...conditions, { and: [] }]), 400, 'FILTER_INVALID', '/input/orFilters');
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefused(await assign(conditions, token), 403, 'NOT_ALLOWED');
  });
});
