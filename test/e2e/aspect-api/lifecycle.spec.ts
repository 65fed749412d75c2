import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { FormEdgesStep } from '../../../src/modules/forms/form-edges.step.js';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const act = (action: string, body: object, token?: string) =>
  catalog.post(`/entities?action=${action}`, body, token === undefined ? {} : { token });
const value = async (action: string, body: object) => {
  const answer = await act(action, body);
  expect(answer.status).toBe(200);
  return answer.body.value;
};
const remove = (urn: string, more: object = {}) => value('delete', { urn, ...more });
const neighbours = async (direction: string, urn: string) =>
  (await catalog.get(`/relationships?direction=${direction}&urn=${encoded(urn)}`)).body.relationships;
const profile = (time: number) => ({ timestampMillis: time, rowCount: time });
const events = async (urn: string) => {
  const answer = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
    urn,
    entity: 'dataset',
    aspect: 'datasetProfile',
  });
  return answer.body.value.values.map(
    (v: { aspect: { value: string } }) => JSON.parse(v.aspect.value).timestampMillis,
  );
};

const TAG = 'urn:li:tag:lifecycle';
const URN = dataset('warehouse.lifecycle.orders', 'snowflake');
const FULL: Array<[urn: string, aspect: string, value: unknown]> = [
  [URN, 'datasetProperties', { name: 'lifecycleorders', description: 'Ünï \u2028 "quoted"' }],
  [URN, 'globalTags', { tags: [{ tag: TAG }] }],
  [URN, 'ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }] }],
  [URN, 'browsePaths', { paths: ['/prod/snowflake/lifecycle'] }],
];

/** Everything by which people find an entity. */
async function discoverable(): Promise<Record<string, unknown>> {
  const search = await catalog.search('dataset', 'lifecycleorders');
  const across = await value('searchAcrossEntities', {
    entities: ['dataset'],
    input: `tags:${TAG}`,
    start: 0,
    count: 10,
  });
  const scroll = await value('scrollAcrossEntities', { entities: ['dataset'], input: '*', count: 100 });
  const complete = await value('autocomplete', { entity: 'dataset', query: 'lifecycleord', limit: 10 });
  const browse = await value('browse', {
    entity: 'dataset',
    path: '/prod/snowflake/lifecycle',
    start: 0,
    limit: 10,
  });
  const facet = search.metadata.aggregations?.find((a: { name: string }) => a.name === 'platform') as
    { aggregations?: Record<string, number> } | undefined;
  const openapi = await catalog.get('/openapi/v1/entities/dataset/count');
  return {
    search: search.entities.includes(URN),
    across: across.entities.includes(URN),
    scroll: scroll.entities.some(
      (hit: string | { entity: string }) => (typeof hit === 'string' ? hit : hit.entity) === URN,
    ),
    autocomplete: complete.entities.length > 0,
    browse: browse.numEntities > 0,
    facet: Object.values(facet?.aggregations ?? {}).some((n) => n > 0),
    listUrns: (await value('listUrns', { entity: 'dataset', start: 0, count: 100 })).entities.includes(URN),
    counted: await value('getTotalEntityCount', { entity: 'dataset' }),
    batchCounted: (await value('batchGetTotalEntityCount', { entities: ['dataset'] })).dataset,
    openapi: openapi.body.activeCount,
    softDeleted: openapi.body.softDeletedCount,
    exists: await value('exists', { urn: URN, includeSoftDelete: false }),
    filtered: await value('filterExistingUrns', { request: { urns: [URN], includeSoftDelete: false } }),
  };
}

const FOUND = {
  search: true,
  across: true,
  scroll: true,
  autocomplete: true,
  browse: true,
  facet: true,
  listUrns: true,
  counted: 1,
  batchCounted: 1,
  openapi: 1,
  softDeleted: 0,
  exists: true,
  filtered: [URN],
};
const HIDDEN = {
  search: false,
  across: false,
  scroll: false,
  autocomplete: false,
  browse: false,
  facet: false,
  listUrns: false,
  counted: 0,
  batchCounted: 0,
  openapi: 0,
  softDeleted: 1,
  exists: false,
  filtered: [],
};
const GONE = { ...HIDDEN, softDeleted: 0 };

describe('an entity', () => {
  beforeAll(() => catalog.ingest(...FULL));

  it('is hidden by a soft deletion, but read by its URN, and comes back with the same bytes', async () => {
    const bytes = async () => [
      (await catalog.get(`/entitiesV2/${encoded(URN)}`)).text,
      (await catalog.get(`/entities/${encoded(URN)}`)).text,
      (await catalog.get(`/aspects/${encoded(URN)}?aspect=globalTags&version=1`)).text,
    ];
    const before = await bytes();
    expect(await discoverable()).toEqual(FOUND);

    await catalog.ingest([URN, 'status', { removed: true }]);
    expect(await discoverable()).toEqual(HIDDEN);
    expect(await catalog.read(URN, 'datasetProperties')).toMatchObject({ name: 'lifecycleorders' });
    expect((await catalog.get(`/entities/${encoded(URN)}`)).status).toBe(200);
    expect(await value('exists', { urn: URN })).toBe(true);
    expect(await value('filterExistingUrns', { request: { urns: [URN] } })).toEqual([URN]);
    expect(await neighbours('INCOMING', TAG)).toEqual([{ type: 'TaggedWith', entity: URN }]);
    const all = await catalog.search('dataset', 'lifecycleorders', {
      searchFlags: { includeSoftDeleted: true },
    });
    expect(all.entities).toEqual([URN]);

    // By deleting the aspect: exactly what was there.
    expect(await remove(URN, { aspectName: 'status' })).toEqual({ urn: URN, rows: 1, timeseriesRows: 0 });
    expect(await discoverable()).toEqual(FOUND);
    expect(await bytes()).toEqual(before);

    // By writing it: everything else is what was there.
    await catalog.ingest([URN, 'status', { removed: true }]);
    await catalog.ingest([URN, 'status', { removed: false }]);
    expect(await discoverable()).toEqual(FOUND);
    const [entity] = before.map((text) => JSON.parse(text));
    const now = JSON.parse((await catalog.get(`/entitiesV2/${encoded(URN)}`)).text);
    expect(now.aspects.status.value).toEqual({ removed: false });
    delete now.aspects.status;
    expect(now).toEqual(entity);
  });

  it('is permanently gone after a hard deletion; deleting it again finds nothing', async () => {
    await catalog.ingest([URN, 'datasetProfile', profile(1)], [URN, 'datasetProfile', profile(2)]);
    await catalog.ingest([URN, 'datasetProperties', { name: 'lifecycleorders' }]);
    const stored = (await catalog.get(`/entitiesV2/${encoded(URN)}`)).body;
    // Each latest value, the first values of datasetProperties and of status.
    const rows = Object.keys(stored.aspects).length + 2;
    expect(await remove(URN)).toEqual({ urn: URN, rows, timeseriesRows: 2 });
    expect(await discoverable()).toEqual(GONE);
    expectRefusal(await catalog.get(`/entitiesV2/${encoded(URN)}`), 404, 'ENTITY_NOT_FOUND');
    expect(await value('exists', { urn: URN })).toBe(false);
    expect(await events(URN)).toEqual([]);
    expect(await neighbours('INCOMING', TAG)).toEqual([]);
    expect(await neighbours('OUTGOING', URN)).toEqual([]);
    expect(await remove(URN)).toEqual({ urn: URN, rows: 0, timeseriesRows: 0 });

    await catalog.ingest(...FULL);
    expect(await discoverable()).toEqual(FOUND);
    expect((await catalog.get(`/aspects/${encoded(URN)}?aspect=datasetProperties&version=2`)).status).toBe(
      404,
    );
    expect(await events(URN)).toEqual([]);
  });
});

describe('delete', () => {
  it('of what never existed is no error, and leaves nothing behind', async () => {
    const urn = dataset('never');
    expect(await remove(urn)).toEqual({ urn, rows: 0, timeseriesRows: 0 });
    expect(await remove(urn, { aspectName: 'ownership' })).toEqual({ urn, rows: 0, timeseriesRows: 0 });
    expect(await remove(urn, { aspectName: 'datasetProfile' })).toEqual({ urn, rows: 0, timeseriesRows: 0 });
    expect(await value('exists', { urn })).toBe(false);
  });

  it('of one aspect takes its history along and leaves the others', async () => {
    const urn = dataset('one-aspect');
    for (const name of ['a', 'b', 'c']) await catalog.ingest([urn, 'datasetProperties', { name }]);
    await catalog.ingest([urn, 'globalTags', { tags: [{ tag: TAG }] }]);
    expect(await remove(urn, { aspectName: 'datasetproperties' })).toEqual({
      urn,
      rows: 3,
      timeseriesRows: 0,
    });
    expect(await catalog.read(urn, 'datasetProperties')).toBeUndefined();
    expect(await catalog.read(urn, 'globalTags')).toEqual({ tags: [{ tag: TAG }] });
    expect((await catalog.get(`/aspects/${encoded(urn)}?aspect=datasetProperties&version=1`)).status).toBe(
      404,
    );
    await catalog.ingest([urn, 'datasetProperties', { name: 'new' }]);
    expect((await catalog.get(`/aspects/${encoded(urn)}?aspect=datasetProperties&version=2`)).status).toBe(
      404,
    );
  });

  it('of the key aspect is that of the entity', async () => {
    const urn = dataset('by-key');
    await catalog.ingest([urn, 'datasetProperties', { name: 'x' }]);
    expect((await remove(urn, { aspectName: 'datasetKey' })).rows).toBeGreaterThan(1);
    expect(await value('exists', { urn })).toBe(false);
  });

  it('of a range of time deletes its events only, both ends included', async () => {
    const urn = dataset('ranges');
    await catalog.ingest(
      ...[1, 2, 3, 4, 5].map((t): [string, string, unknown] => [urn, 'datasetProfile', profile(t)]),
    );
    const range = (more: object) => remove(urn, { aspectName: 'datasetProfile', ...more });
    expect(await range({ startTimeMillis: 2, endTimeMillis: 3 })).toEqual({
      urn,
      rows: 0,
      timeseriesRows: 2,
    });
    expect(await events(urn)).toEqual([5, 4, 1]);
    expect(await range({ startTimeMillis: 2, endTimeMillis: 3 })).toEqual({
      urn,
      rows: 0,
      timeseriesRows: 0,
    });
    expect(await range({ startTimeMillis: 5 })).toMatchObject({ timeseriesRows: 1 });
    expect(await range({ endTimeMillis: 1 })).toMatchObject({ timeseriesRows: 1 });
    expect(await range({})).toMatchObject({ timeseriesRows: 1 });
    expect(await events(urn)).toEqual([]);
    expect(await value('exists', { urn })).toBe(true);
  });

  it.each<[label: string, body: object, code: string, pointer: string]>([
    ['no URN', {}, 'PARAMETER_MISSING', '/urn'],
    ['a text that is no URN', { urn: 'orders' }, 'URN_MALFORMED', '/urn'],
    ['an unknown entity type', { urn: 'urn:li:nothing:x' }, 'ENTITY_UNKNOWN', '/urn'],
    ['an unknown aspect', { urn: URN, aspectName: 'nothing' }, 'ASPECT_UNKNOWN', '/aspectName'],
    [
      'a range of a versioned aspect',
      { urn: URN, aspectName: 'ownership', startTimeMillis: 1 },
      'PARAMETER_INVALID',
      '/startTimeMillis',
    ],
    ['a range without an aspect', { urn: URN, endTimeMillis: 1 }, 'PARAMETER_INVALID', '/endTimeMillis'],
    ['a misspelt parameter', { urn: URN, aspect: 'ownership' }, 'PARAMETER_INVALID', '/aspect'],
  ])('refuses %s', async (_label, body, code, pointer) => {
    expectRefusal(await act('delete', body), 400, code, pointer);
  });

  it('needs the privilege', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefusal(await act('delete', { urn: URN }, token), 403, 'NOT_ALLOWED');
    expectRefusal(await act('deleteReferences', { urn: TAG }, token), 403, 'NOT_ALLOWED');
    expect((await act('deleteReferences', { urn: TAG, dryRun: true }, token)).status).toBe(200);
    expect(await value('exists', { urn: URN })).toBe(true);
  });
});

describe('deleteReferences', () => {
  // Never made: the references to a tag that was deleted go behind the request, see hard-deletion.spec.ts.
  const old = 'urn:li:tag:old';
  const tagged = dataset('refs.tagged');
  const columns = dataset('refs.columns');

  beforeAll(() =>
    catalog.ingest(
      [tagged, 'globalTags', { tags: [{ tag: old }, { tag: 'urn:li:tag:new' }] }],
      [
        columns,
        'editableSchemaMetadata',
        { editableSchemaFieldInfo: [{ fieldPath: 'a', globalTags: { tags: [{ tag: old }] } }] },
      ],
    ),
  );

  it('finds and removes every reference to an entity that is not there, and then finds none', async () => {
    const related = [
      { relationshipType: 'EditableSchemaFieldTaggedWith', urn: columns, aspect: 'editableSchemaMetadata' },
      { relationshipType: 'TaggedWith', urn: tagged, aspect: 'globalTags' },
    ];
    const dry = await act('deleteReferences', { urn: old, dryRun: true });
    expect(dry.body.value).toEqual({ total: 2, relatedAspects: related });
    // Clients print the members in the order in which they come.
    expect(Object.keys(dry.body.value.relatedAspects[0])).toEqual(['relationshipType', 'urn', 'aspect']);
    expect(await catalog.read(tagged, 'globalTags')).toEqual({
      tags: [{ tag: old }, { tag: 'urn:li:tag:new' }],
    });

    expect(await value('deleteReferences', { urn: old })).toEqual({ total: 2, relatedAspects: related });
    expect(await catalog.read(tagged, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:new' }] });
    expect(await catalog.read(columns, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [{ fieldPath: 'a', globalTags: { tags: [] } }],
    });
    expect(await neighbours('INCOMING', old)).toEqual([]);
    expect((await catalog.search('dataset', `tags:${old}`)).entities).toEqual([]);
    expect(await value('deleteReferences', { urn: old })).toEqual({ total: 0, relatedAspects: [] });
  });

  it('removes an aspect that is there for the reference alone', async () => {
    const container = 'urn:li:container:c1';
    const urn = dataset('refs.contained');
    await catalog.ingest([urn, 'container', { container }], [urn, 'datasetProperties', { name: 'x' }]);
    expect(await value('deleteReferences', { urn: container })).toMatchObject({ total: 1 });
    expect(await catalog.read(urn, 'container')).toBeUndefined();
    expect(await catalog.read(urn, 'datasetProperties')).toMatchObject({ name: 'x' });
  });

  it('says which references cannot be removed, and never touches a key', async () => {
    const flow = 'urn:li:dataFlow:(airflow,f,PROD)';
    const job = `urn:li:dataJob:(${flow},j)`;
    await catalog.ingest([job, 'dataJobInfo', { name: 'j', type: { string: 'SQL' } }]);
    expect(await value('deleteReferences', { urn: flow })).toMatchObject({
      total: 1,
      left: [
        {
          relationshipType: 'IsPartOf',
          urn: job,
          aspect: 'dataJobKey',
          reason: expect.stringContaining('URN'),
        },
      ],
    });
    expect(await value('exists', { urn: job })).toBe(true);
  });

  it('finds the forms of entities, and takes them off also behind the deletion of a form', async () => {
    const [asked, gone] = ['urn:li:form:asked', 'urn:li:form:gone'];
    const urn = dataset('refs.forms');
    const association = (form: string) => ({ urn: form, incompletePrompts: [], completedPrompts: [] });
    const forms = (...names: string[]) => ({
      incompleteForms: names.map(association),
      completedForms: [association(gone)],
      verifications: names.map((form) => ({ form })),
    });
    await catalog.ingest([gone, 'formInfo', { name: 'gone', type: 'COMPLETION', prompts: [] }]);
    await catalog.ingest([urn, 'forms', forms(asked, gone)]);
    const related = { relationshipType: 'HasForm', urn, aspect: 'forms' };
    expect(await value('deleteReferences', { urn: gone, dryRun: true })).toEqual({
      total: 1,
      relatedAspects: [related],
    });
    await remove(gone);
    await value('deleteReferences', { urn: gone });
    const left = { ...forms(asked), completedForms: [] };
    expect(await catalog.read(urn, 'forms')).toEqual(left);
    expect(await value('deleteReferences', { urn: gone, dryRun: true })).toMatchObject({ total: 0 });
    expect(await neighbours('OUTGOING', urn)).toContainEqual({ type: 'HasForm', entity: asked });
  });

  it('finds forms that an earlier version stored, once the system update has run', async () => {
    const form = 'urn:li:form:earlier';
    const urn = dataset('refs.earlier');
    await catalog.ingest([urn, 'forms', { incompleteForms: [{ urn: form }], completedForms: [] }]);
    await catalog.provider(Database).transaction(async (tx) => {
      await tx.run("DELETE FROM relationship WHERE type = 'HasForm'", []);
    });
    expect(await value('deleteReferences', { urn: form, dryRun: true })).toMatchObject({ total: 0 });
    const lines: string[] = [];
    const step = catalog.provider(FormEdgesStep);
    await step.run((line) => lines.push(line));
    expect(lines).toEqual([expect.stringMatching(/^\d+ relationships between entities and their forms/)]);
    await step.run((line) => lines.push(line));
    expect(lines).toHaveLength(1);
    expect(await value('deleteReferences', { urn: form })).toMatchObject({ total: 1 });
    expect(await catalog.read(urn, 'forms')).toMatchObject({ incompleteForms: [] });
  });

  it('removes more references than one transaction takes', async () => {
    const tag = 'urn:li:tag:many';
    const urns = Array.from({ length: 450 }, (_, i) => dataset(`refs.many.${i}`));
    await catalog.ingest(
      ...urns.map((urn): [string, string, unknown] => [urn, 'globalTags', { tags: [{ tag }] }]),
    );
    const { total, relatedAspects } = await value('deleteReferences', { urn: tag, dryRun: true });
    expect([total, relatedAspects.length]).toEqual([450, 100]);
    await value('deleteReferences', { urn: tag, dryRun: false });
    expect(await value('deleteReferences', { urn: tag })).toEqual({ total: 0, relatedAspects: [] });
  });

  it('finds nothing that refers to what nobody knows', async () => {
    expect(await value('deleteReferences', { urn: 'urn:li:tag:unheard-of' })).toEqual({
      total: 0,
      relatedAspects: [],
    });
    expectRefusal(await act('deleteReferences', { urn: 'x' }), 400, 'URN_MALFORMED', '/urn');
  });
});

describe('existence and counts', () => {
  it('keep the order of what was asked, each once', async () => {
    await catalog.ingest(
      ['urn:li:tag:e1', 'tagProperties', { name: '1' }],
      ['urn:li:tag:e2', 'tagProperties', { name: '2' }],
    );
    const urns = ['urn:li:tag:e2', 'urn:li:tag:none', 'urn:li:tag:e1', 'urn:li:tag:e2'];
    expect(await value('filterExistingUrns', { request: { urns } })).toEqual([
      'urn:li:tag:e2',
      'urn:li:tag:e1',
    ]);
    expect(await value('filterExistingUrns', { request: { urns: [] } })).toEqual([]);
    // What is only referred to does not exist.
    await catalog.ingest([dataset('e'), 'globalTags', { tags: [{ tag: 'urn:li:tag:referred' }] }]);
    expect(await value('exists', { urn: 'urn:li:tag:referred' })).toBe(false);
  });

  it.each<[action: string, body: object, code: string, pointer: string]>([
    ['exists', {}, 'PARAMETER_MISSING', '/urn'],
    ['exists', { urn: 'x' }, 'URN_MALFORMED', '/urn'],
    ['filterExistingUrns', {}, 'PARAMETER_MISSING', '/request'],
    ['filterExistingUrns', { request: { urns: [1] } }, 'PARAMETER_INVALID', '/request/urns/0'],
    ['filterExistingUrns', { request: { urns: ['x'] } }, 'URN_MALFORMED', '/request/urns'],
    ['getTotalEntityCount', { entity: 'nothing' }, 'ENTITY_UNKNOWN', '/entity'],
    ['batchGetTotalEntityCount', { entities: ['dataset', 'nothing'] }, 'ENTITY_UNKNOWN', '/entities/1'],
  ])('%s refuses %p', async (action, body, code, pointer) => {
    expectRefusal(await act(action, body), 400, code, pointer);
  });

  it('are counted by type, soft-deleted ones apart', async () => {
    const entity = 'glossaryNode';
    for (const id of ['a', 'b', 'c'])
      await catalog.ingest([`urn:li:glossaryNode:${id}`, 'glossaryNodeInfo', { definition: id }]);
    await catalog.ingest(['urn:li:glossaryNode:c', 'status', { removed: true }]);
    expect(await value('batchGetTotalEntityCount', { entities: [entity, 'domain'] })).toEqual({
      [entity]: 2,
      domain: 0,
    });
    const answer = await catalog.get(
      '/openapi/v1/entities/counts?types=glossarynode,domain&includeTotal=true',
    );
    expect(answer.body).toEqual({
      counts: [
        {
          entityType: entity,
          keyAspect: 'glossaryNodeKey',
          activeCount: 2,
          softDeletedCount: 1,
          totalCount: 3,
        },
        { entityType: 'domain', keyAspect: 'domainKey', activeCount: 0, softDeletedCount: 0, totalCount: 0 },
      ],
      requestedTypes: [entity, 'domain'],
      activeTotal: 2,
      softDeletedTotal: 1,
      totalCount: 3,
      computedAtMillis: expect.any(Number),
      cacheHit: false,
    });
    expectRefusal(
      await catalog.get('/openapi/v1/entities/nothing/count'),
      400,
      'ENTITY_UNKNOWN',
      '/entityType',
    );
    expectRefusal(
      await catalog.get('/openapi/v1/entities/counts?groupBy=platform'),
      400,
      'PARAMETER_INVALID',
      '/groupBy',
    );
  });
});
