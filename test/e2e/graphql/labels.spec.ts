import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefused, expectTooLong, mutate, tried, withDataset } from './mutating.js';

const PII = 'urn:li:tag:pii';
const REVENUE = 'urn:li:glossaryTerm:Finance.Revenue';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [PII, 'tagProperties', { name: 'pii' }],
    ['urn:li:tag:gold', 'tagProperties', { name: 'gold' }],
    [REVENUE, 'glossaryTermInfo', { name: 'Revenue', definition: 'money', termSource: 'INTERNAL' }],
    ['urn:li:domain:sales', 'domainProperties', { name: 'Sales' }],
  );
});
afterAll(() => catalog.stop());

const tagsOf = async (urn: string): Promise<unknown> => (await catalog.read(urn, 'globalTags'))?.tags;
const columns = async (urn: string): Promise<any[]> =>
  (await catalog.read(urn, 'editableSchemaMetadata'))?.editableSchemaFieldInfo ?? [];

describe('labels on entities', () => {
  it('are added once, beside those that are there, and removed', async () => {
    const urn = await withDataset(catalog, 'orders');
    await catalog.ingest([
      urn,
      'globalTags',
      { tags: [{ tag: 'urn:li:tag:gold', context: '{"by": "a rule"}' }] },
    ]);
    expect(await mutate(catalog, 'addTag', { tagUrn: PII, resourceUrn: urn })).toBe(true);
    expect(await mutate(catalog, 'addTags', { tagUrns: [PII, 'urn:li:tag:gold'], resourceUrn: urn })).toBe(
      true,
    );
    expect(await tagsOf(urn)).toEqual([
      { tag: 'urn:li:tag:gold', context: '{"by": "a rule"}' },
      { tag: PII },
    ]);
    expect(await mutate(catalog, 'removeTag', { tagUrn: PII, resourceUrn: urn })).toBe(true);
    expect(await mutate(catalog, 'removeTag', { tagUrn: PII, resourceUrn: urn })).toBe(true);
    expect(await tagsOf(urn)).toHaveLength(1);
  });

  it('leave no new version when nothing changes', async () => {
    const urn = await withDataset(catalog, 'unchanged');
    await mutate(catalog, 'addTerms', { termUrns: [REVENUE], resourceUrn: urn });
    await mutate(catalog, 'addTerm', { termUrn: REVENUE, resourceUrn: urn });
    await mutate(catalog, 'addTerm', { termUrn: REVENUE, resourceUrn: urn });
    const answer = await catalog.get(`/entitiesV2/${encodeURIComponent(urn)}?aspects=List(glossaryTerms)`);
    expect(answer.body.aspects.glossaryTerms.systemMetadata.version).toBe('1');
    const { terms, auditStamp } = await catalog.read(urn, 'glossaryTerms');
    expect(terms).toEqual([{ urn: REVENUE, actor: auditStamp.actor }]);
  });

  it('an emptied list stays as an empty list', async () => {
    const urn = await withDataset(catalog, 'emptied');
    await mutate(catalog, 'addTerms', { termUrns: [REVENUE], resourceUrn: urn });
    await mutate(catalog, 'removeTerm', { termUrn: REVENUE, resourceUrn: urn });
    expect((await catalog.read(urn, 'glossaryTerms')).terms).toEqual([]);
  });

  it('two added at the same moment both stay', async () => {
    const urn = await withDataset(catalog, 'busy');
    const names = Array.from({ length: 30 }, (_, i) => `urn:li:tag:busy${i}`);
    await catalog.ingest(
      ...names.map((tag): [string, string, unknown] => [tag, 'tagProperties', { name: tag }]),
    );
    await Promise.all(
      names.flatMap((tagUrn) => [
        mutate(catalog, 'addTag', { tagUrn, resourceUrn: urn }),
        mutate(catalog, 'addTag', {
          tagUrn,
          resourceUrn: urn,
          subResourceType: 'DATASET_FIELD',
          subResource: 'id',
        }),
      ]),
    );
    const sorted = (list: Array<{ tag: string }>): string[] => list.map(({ tag }) => tag).sort();
    expect(sorted((await tagsOf(urn)) as Array<{ tag: string }>)).toEqual([...names].sort());
    expect(sorted((await columns(urn))[0].globalTags.tags)).toEqual([...names].sort());
  });
});

describe('labels on columns', () => {
  it('go to editableSchemaMetadata and leave the schema of the platform alone', async () => {
    const urn = await withDataset(catalog, 'columns');
    const before = await catalog.read(urn, 'schemaMetadata');
    const column = { resourceUrn: urn, subResourceType: 'DATASET_FIELD', subResource: 'price' };
    expect(await mutate(catalog, 'addTerms', { termUrns: [REVENUE], ...column })).toBe(true);
    expect(await mutate(catalog, 'addTag', { tagUrn: PII, ...column })).toBe(true);
    expect(await columns(urn)).toEqual([
      {
        fieldPath: 'price',
        glossaryTerms: {
          terms: [{ urn: REVENUE, actor: 'urn:li:corpuser:admin' }],
          auditStamp: { time: expect.any(Number), actor: 'urn:li:corpuser:admin' },
        },
        globalTags: { tags: [{ tag: PII }] },
      },
    ]);
    expect(await catalog.read(urn, 'schemaMetadata')).toEqual(before);
    expect(await tagsOf(urn)).toBeUndefined();
    expect(await mutate(catalog, 'removeTerm', { termUrn: REVENUE, ...column })).toBe(true);
    const [entry] = await columns(urn);
    expect(entry.glossaryTerms.terms).toEqual([]);
    expect(entry.globalTags.tags).toEqual([{ tag: PII }]);
  });

  it('can be taken from a column that the schema no longer has', async () => {
    const urn = await withDataset(catalog, 'former', ['old']);
    const column = { resourceUrn: urn, subResourceType: 'DATASET_FIELD', subResource: 'old' };
    await mutate(catalog, 'addTag', { tagUrn: PII, ...column });
    await withDataset(catalog, 'former', ['new']);
    expectRefused(
      await tried(catalog, 'addTag', { tagUrn: 'urn:li:tag:gold', ...column }),
      400,
      'COLUMN_UNKNOWN',
      '/input/subResource',
    );
    expect(await mutate(catalog, 'removeTag', { tagUrn: PII, ...column })).toBe(true);
    expect((await columns(urn))[0].globalTags.tags).toEqual([]);
  });
});

describe('batches', () => {
  it('are all or nothing over entities and columns', async () => {
    const one = await withDataset(catalog, 'batch.one');
    const two = await withDataset(catalog, 'batch.two');
    const resources = [
      { resourceUrn: one },
      { resourceUrn: two, subResourceType: 'DATASET_FIELD', subResource: 'id' },
      { resourceUrn: two, subResourceType: 'DATASET_FIELD', subResource: 'price' },
    ];
    const missing = { resourceUrn: dataset('batch.missing') };
    const input = { tagUrns: [PII, 'urn:li:tag:gold'], resources: [...resources, missing] };
    expectRefused(
      await tried(catalog, 'batchAddTags', input),
      404,
      'ENTITY_NOT_FOUND',
      '/input/resources/3/resourceUrn',
    );
    expect(await tagsOf(one)).toBeUndefined();
    expect(await columns(two)).toEqual([]);
    expect(await catalog.read(missing.resourceUrn, 'datasetKey')).toBeUndefined();
    expect(await mutate(catalog, 'batchAddTags', { ...input, resources })).toBe(true);
    expect(await tagsOf(one)).toEqual([{ tag: PII }, { tag: 'urn:li:tag:gold' }]);
    expect((await columns(two)).map(({ globalTags }) => globalTags.tags.length)).toEqual([2, 2]);
    expect(await mutate(catalog, 'batchRemoveTags', { tagUrns: [PII], resources })).toBe(true);
    expect(await tagsOf(one)).toEqual([{ tag: 'urn:li:tag:gold' }]);
  });

  it('removes terms from several entities', async () => {
    const urns = await Promise.all(['rt1', 'rt2'].map((name) => withDataset(catalog, name)));
    const resources = urns.map((resourceUrn) => ({ resourceUrn }));
    await mutate(catalog, 'batchAddTerms', { termUrns: [REVENUE], resources });
    expect(await mutate(catalog, 'batchRemoveTerms', { termUrns: [REVENUE], resources })).toBe(true);
    for (const urn of urns) expect((await catalog.read(urn, 'glossaryTerms')).terms).toEqual([]);
  });

  it('adds 1,000 terms in one transaction', async () => {
    const urn = await withDataset(catalog, 'thousand');
    const termUrns = Array.from({ length: 1000 }, (_, i) => `urn:li:glossaryTerm:t${i}`);
    await catalog.ingest(
      ...termUrns.map((term): [string, string, unknown] => [
        term,
        'glossaryTermInfo',
        { definition: '', termSource: 'INTERNAL' },
      ]),
    );
    expect(await mutate(catalog, 'batchAddTerms', { termUrns, resources: [{ resourceUrn: urn }] })).toBe(
      true,
    );
    const answer = await catalog.get(`/entitiesV2/${encodeURIComponent(urn)}?aspects=List(glossaryTerms)`);
    const { value, systemMetadata } = answer.body.aspects.glossaryTerms;
    expect(value.terms).toHaveLength(1000);
    expect(systemMetadata.version).toBe('1');
  });
});

describe('labels are refused', () => {
  const urn = dataset('refusing');
  beforeAll(() => withDataset(catalog, 'refusing'));

  const add = (mutation: string, input: Record<string, unknown>): Promise<any> =>
    tried(catalog, mutation, { resourceUrn: urn, ...input });
  const column = { subResourceType: 'DATASET_FIELD', subResource: 'id' };

  it.each([
    ['a missing tag', 'addTag', { tagUrn: 'urn:li:tag:none' }, 404, 'ENTITY_NOT_FOUND', '/input/tagUrn'],
    [
      'a missing term in a list',
      'addTerms',
      { termUrns: [REVENUE, 'urn:li:glossaryTerm:none'] },
      404,
      'ENTITY_NOT_FOUND',
      '/input/termUrns/1',
    ],
    [
      'a missing dataset',
      'addTag',
      { tagUrn: PII, resourceUrn: dataset('none') },
      404,
      'ENTITY_NOT_FOUND',
      '/input/resourceUrn',
    ],
    ['a label of the wrong type', 'addTag', { tagUrn: REVENUE }, 400, 'PARAMETER_INVALID', '/input/tagUrn'],
    ['a tag as term', 'removeTerm', { termUrn: PII }, 400, 'PARAMETER_INVALID', '/input/termUrn'],
    ['no URN', 'addTags', { tagUrns: ['pii'] }, 400, 'URN_MALFORMED', '/input/tagUrns/0'],
    [
      'a resource that is no URN',
      'addTag',
      { tagUrn: PII, resourceUrn: 'orders' },
      400,
      'URN_MALFORMED',
      '/input/resourceUrn',
    ],
    [
      'an unknown entity type',
      'addTag',
      { tagUrn: PII, resourceUrn: 'urn:li:thing:1' },
      400,
      'ENTITY_UNKNOWN',
      '/input/resourceUrn',
    ],
    [
      'an entity that cannot have tags',
      'addTag',
      { tagUrn: PII, resourceUrn: 'urn:li:domain:sales' },
      400,
      'ASPECT_UNKNOWN',
      '/input/resourceUrn',
    ],
    [
      'a missing column',
      'addTag',
      { tagUrn: PII, ...column, subResource: 'none' },
      400,
      'COLUMN_UNKNOWN',
      '/input/subResource',
    ],
    [
      'a column without its type',
      'addTag',
      { tagUrn: PII, subResource: 'id' },
      400,
      'PARAMETER_MISSING',
      '/input/subResourceType',
    ],
    [
      'a type without a column',
      'addTag',
      { tagUrn: PII, subResourceType: 'DATASET_FIELD' },
      400,
      'PARAMETER_MISSING',
      '/input/subResource',
    ],
    ['an empty list', 'addTags', { tagUrns: [] }, 400, 'PARAMETER_INVALID', '/input/tagUrns'],
    [
      'a label that is gone and not there',
      'removeTag',
      { tagUrn: 'urn:li:tag:none' },
      404,
      'ENTITY_NOT_FOUND',
      '/input/tagUrn',
    ],
  ])('%s', async (_, mutation, input, code, errorCode, pointer) => {
    expectRefused(await add(mutation, input), code, errorCode, pointer);
    expect(await tagsOf(urn)).toBeUndefined();
    expect(await columns(urn)).toEqual([]);
    expect(await catalog.read(urn, 'glossaryTerms')).toBeUndefined();
    expect(await catalog.read('urn:li:tag:none', 'tagKey')).toBeUndefined();
  });

  it('batches that are empty or too large', async () => {
    const resources = Array.from({ length: 10_000 }, (_, i) => ({ resourceUrn: dataset(`r${i}`) }));
    const tagUrns = Array.from({ length: 10_000 }, (_, i) => `urn:li:tag:t${i}`);
    const batch = (input: unknown): Promise<any> => tried(catalog, 'batchAddTags', input);
    expectTooLong(await batch({ tagUrns: [PII], resources }), 'resources');
    expectTooLong(await batch({ tagUrns, resources: [{ resourceUrn: urn }] }), 'tagUrns');
    const many = { tagUrns: tagUrns.slice(0, 500), resources: resources.slice(0, 500) };
    expectRefused(await batch(many), 413, 'BATCH_TOO_LARGE', '/input/resources');
    const none = { tagUrns: [PII], resources: [] };
    expectRefused(await batch(none), 400, 'PARAMETER_INVALID', '/input/resources');
    expect(await tagsOf(urn)).toBeUndefined();
  });

  it('a reader may not', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    const answer = await tried(catalog, 'addTag', { tagUrn: PII, resourceUrn: urn }, token);
    expectRefused(answer, 403, 'NOT_ALLOWED');
    expect(await tagsOf(urn)).toBeUndefined();
  });
});

it('a label that is gone can still be taken from where it is', async () => {
  const urn = await withDataset(catalog, 'dangling');
  await catalog.ingest([urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:never-made' }] }]);
  expect(await mutate(catalog, 'removeTag', { tagUrn: 'urn:li:tag:never-made', resourceUrn: urn })).toBe(
    true,
  );
  expect(await tagsOf(urn)).toEqual([]);
});
