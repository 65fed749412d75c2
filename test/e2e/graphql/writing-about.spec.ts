import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import {
  ANN,
  BOB,
  dataset,
  eventually,
  expectRefused,
  expectTooLong,
  graphql,
  mutate,
  OWNERS,
  resultOf,
  tried,
  withDataset,
} from './mutating.js';

const MARKDOWN =
  '# Orders  \n\n* one\r\n* `two` <b>three</b>\t\n\n[link](javascript:alert(1)) – ünïcode 🙂  ';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [ANN, 'corpUserInfo', { active: true, displayName: 'Ann' }],
    [BOB, 'corpUserInfo', { active: true, displayName: 'Bob' }],
    [OWNERS, 'corpGroupInfo', { admins: [], members: [], groups: [] }],
    ['urn:li:tag:pii', 'tagProperties', { name: 'pii' }],
    [
      'urn:li:ownershipType:steward',
      'ownershipTypeInfo',
      { name: 'Steward', created: stamp(), lastModified: stamp() },
    ],
  );
});
afterAll(() => catalog.stop());

function stamp(): object {
  return { time: 1, actor: ANN };
}

describe('updateDescription', () => {
  it('describes a column byte for byte, beside what was ingested', async () => {
    const urn = await withDataset(catalog, 'described');
    const input = {
      description: MARKDOWN,
      resourceUrn: urn,
      subResource: 'price',
      subResourceType: 'DATASET_FIELD',
    };
    expect(await mutate(catalog, 'updateDescription', input)).toBe(true);
    expect((await catalog.read(urn, 'editableSchemaMetadata')).editableSchemaFieldInfo).toEqual([
      { fieldPath: 'price', description: MARKDOWN },
    ]);
    const answer = await graphql(
      catalog,
      'query($urn: String!) { dataset(urn: $urn) { schemaMetadata { fields { fieldPath description } } } }',
      { urn },
    );
    expect(resultOf(answer, 'dataset').schemaMetadata.fields).toContainEqual({
      fieldPath: 'price',
      description: MARKDOWN,
    });
  });

  it.each([
    ['a dataset', dataset('plain'), 'editableDatasetProperties', 'description'],
    ['a container', 'urn:li:container:c1', 'editableContainerProperties', 'description'],
    ['a chart', 'urn:li:chart:(looker,1)', 'editableChartProperties', 'description'],
    ['a term', 'urn:li:glossaryTerm:plain', 'glossaryTermInfo', 'definition'],
    ['a folder', 'urn:li:glossaryNode:plain', 'glossaryNodeInfo', 'definition'],
    ['a tag', 'urn:li:tag:plain', 'tagProperties', 'description'],
    ['a domain', 'urn:li:domain:plain', 'domainProperties', 'description'],
    ['a group', 'urn:li:corpGroup:plain', 'corpGroupEditableInfo', 'description'],
    ['a data product', 'urn:li:dataProduct:plain', 'dataProductProperties', 'description'],
  ])('describes %s that nobody wrote about', async (_, urn, aspect, field) => {
    const input = { description: MARKDOWN, resourceUrn: urn };
    expectRefused(
      await tried(catalog, 'updateDescription', input),
      404,
      'ENTITY_NOT_FOUND',
      '/input/resourceUrn',
    );
    const first = urn.includes('domain') ? 'institutionalMemory' : 'status';
    await catalog.ingest([urn, first, first === 'status' ? { removed: false } : { elements: [] }]);
    expect(await mutate(catalog, 'updateDescription', input)).toBe(true);
    expect((await catalog.read(urn, aspect))[field]).toBe(MARKDOWN);
  });

  it('wins over what was ingested, which stays', async () => {
    const urn = await withDataset(catalog, 'effective');
    await mutate(catalog, 'updateDescription', { description: 'by hand', resourceUrn: urn });
    const answer = await graphql(
      catalog,
      'query($urn: String!) { dataset(urn: $urn) { properties { description } } }',
      { urn },
    );
    expect(resultOf(answer, 'dataset').properties.description).toBe('by hand');
    expect((await catalog.read(urn, 'datasetProperties')).description).toBe('as ingested');
  });

  it.each([
    ['what comes from its source', { resourceUrn: ANN }, 400, 'ASPECT_UNKNOWN', '/input/resourceUrn'],
    ['no URN', { resourceUrn: '' }, 400, 'URN_MALFORMED', '/input/resourceUrn'],
    [
      'a column of what has none',
      { resourceUrn: OWNERS, subResource: 'a', subResourceType: 'DATASET_FIELD' },
      400,
      'ASPECT_UNKNOWN',
      '/input/resourceUrn',
    ],
    [
      'a missing column',
      { resourceUrn: dataset('plain'), subResource: 'a', subResourceType: 'DATASET_FIELD' },
      400,
      'COLUMN_UNKNOWN',
      '/input/subResource',
    ],
  ])('refuses %s', async (_, resource, code, errorCode, pointer) => {
    expectRefused(
      await tried(catalog, 'updateDescription', { description: 'x', ...resource }),
      code,
      errorCode,
      pointer,
    );
    expect(await catalog.read(dataset('plain'), 'editableSchemaMetadata')).toBeUndefined();
  });
});

describe('updateDataset', () => {
  const update = (urn: string, input: unknown): Promise<any> =>
    graphql(
      catalog,
      `
        mutation ($urn: String!, $input: DatasetUpdateInput!) {
          updateDataset(urn: $urn, input: $input) {
            urn
            properties {
              description
            }
          }
        }
      `,
      { urn, input },
    );

  it('takes the caller as author of a link, also without an entity of that name', async () => {
    const urn = await withDataset(catalog, 'linked-by-caller');
    const element = { author: 'urn:li:corpuser:admin', url: 'https://example.com/own', description: '' };
    const answer = await update(urn, { institutionalMemory: { elements: element } });
    expect(resultOf(answer, 'updateDataset')).toMatchObject({ urn });
    expect((await catalog.read(urn, 'institutionalMemory')).elements).toHaveLength(1);
  });

  it('writes description and links, and answers the dataset as it is now', async () => {
    const urn = await withDataset(catalog, 'updated');
    await catalog.ingest(['urn:li:corpuser:somebody', 'corpUserInfo', { active: true }]);
    const element = {
      author: 'urn:li:corpuser:somebody',
      url: 'https://example.com/a?b=c#d',
      description: 'docs',
    };
    const answer = await update(urn, {
      editableProperties: { description: MARKDOWN },
      institutionalMemory: { elements: element },
    });
    expect(resultOf(answer, 'updateDataset')).toEqual({ urn, properties: { description: MARKDOWN } });
    expect((await catalog.read(urn, 'institutionalMemory')).elements).toEqual([
      {
        url: element.url,
        description: 'docs',
        createStamp: { time: expect.any(Number), actor: element.author },
      },
    ]);
    await update(urn, {
      editableProperties: { description: MARKDOWN },
      institutionalMemory: { elements: [element] },
    });
    for (const aspect of ['editableDatasetProperties', 'institutionalMemory']) {
      const { body } = await catalog.get(`/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${aspect})`);
      expect(body.aspects[aspect].systemMetadata.version).toBe('1');
    }
  });

  it('writes every part, and leaves what is not named', async () => {
    const urn = await withDataset(catalog, 'parts', ['a', 'b']);
    await mutate(catalog, 'addTag', {
      tagUrn: 'urn:li:tag:pii',
      resourceUrn: urn,
      subResourceType: 'DATASET_FIELD',
      subResource: 'a',
    });
    const answer = await update(urn, {
      editableProperties: { description: '', name: 'Parts' },
      ownership: { owners: [{ owner: BOB, type: 'DATAOWNER' }] },
      deprecation: { deprecated: true, note: 'old', decommissionTime: 1_900_000_000_000 },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:pii' } }] },
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'a', description: 'A' }] },
    });
    resultOf(answer, 'updateDataset');
    expect(await catalog.read(urn, 'editableDatasetProperties')).toMatchObject({
      description: '',
      name: 'Parts',
    });
    expect((await catalog.read(urn, 'ownership')).owners).toMatchObject([{ owner: BOB, type: 'DATAOWNER' }]);
    expect(await catalog.read(urn, 'deprecation')).toEqual({
      deprecated: true,
      note: 'old',
      decommissionTime: 1_900_000_000_000,
      actor: 'urn:li:corpuser:admin',
    });
    expect((await catalog.read(urn, 'globalTags')).tags).toEqual([{ tag: 'urn:li:tag:pii' }]);
    expect((await catalog.read(urn, 'editableSchemaMetadata')).editableSchemaFieldInfo).toEqual([
      { fieldPath: 'a', description: 'A', globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } },
    ]);
    await update(urn, { editableProperties: { description: 'new' } });
    expect(await catalog.read(urn, 'editableDatasetProperties')).toMatchObject({
      description: 'new',
      name: 'Parts',
    });
    expect((await catalog.read(urn, 'ownership')).owners).toHaveLength(1);
  });

  it.each([
    ['a missing dataset', dataset('missing'), {}, 404, 'ENTITY_NOT_FOUND', '/urn'],
    ['something else', 'urn:li:tag:pii', {}, 400, 'PARAMETER_INVALID', '/urn'],
    [
      'a link that runs code',
      dataset('refused'),
      { institutionalMemory: { elements: [{ url: 'javascript:alert(1)', author: ANN }] } },
      400,
      'PARAMETER_INVALID',
      '/input/institutionalMemory/elements/0/url',
    ],
    [
      'an author that is none',
      dataset('refused'),
      { institutionalMemory: { elements: [{ url: 'https://a.b', author: 'ann' }] } },
      400,
      'URN_MALFORMED',
      '/input/institutionalMemory/elements/0/author',
    ],
    [
      'an author that is a tag',
      dataset('refused'),
      { institutionalMemory: { elements: [{ url: 'https://a.b', author: 'urn:li:tag:pii' }] } },
      400,
      'PARAMETER_INVALID',
      '/input/institutionalMemory/elements/0/author',
    ],
    [
      'a missing tag',
      dataset('refused'),
      { tags: { tags: [{ tag: { urn: 'urn:li:tag:none' } }] } },
      404,
      'ENTITY_NOT_FOUND',
      '/input/tags/tags/0/tag/urn',
    ],
    [
      'a missing owner',
      dataset('refused'),
      { ownership: { owners: [{ owner: 'urn:li:corpuser:none' }] } },
      404,
      'ENTITY_NOT_FOUND',
      '/input/ownership/owners/0/owner',
    ],
    [
      'a missing column',
      dataset('refused'),
      { editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'none' }] } },
      400,
      'COLUMN_UNKNOWN',
      '/input/editableSchemaMetadata/editableSchemaFieldInfo/0/fieldPath',
    ],
  ])('refuses %s and writes nothing', async (_, urn, input, code, errorCode, pointer) => {
    await withDataset(catalog, 'refused');
    expectRefused(
      await update(urn, { editableProperties: { description: 'not this' }, ...input }),
      code,
      errorCode,
      pointer,
    );
    expect(await catalog.read(urn, 'editableDatasetProperties')).toBeUndefined();
    expect(await catalog.read(dataset('missing'), 'datasetKey')).toBeUndefined();
  });

  it('updates several datasets, all or none', async () => {
    const urns = await Promise.all(['many1', 'many2'].map((name) => withDataset(catalog, name)));
    const run = (list: string[]): Promise<any> =>
      graphql(
        catalog,
        'mutation($input: [BatchDatasetUpdateInput!]!) { updateDatasets(input: $input) { urn } }',
        { input: list.map((urn) => ({ urn, update: { editableProperties: { description: 'many' } } })) },
      );
    expectRefused(await run([...urns, dataset('missing')]), 404, 'ENTITY_NOT_FOUND', '/input/2/urn');
    expect(await catalog.read(urns[0]!, 'editableDatasetProperties')).toBeUndefined();
    expect(resultOf(await run(urns), 'updateDatasets')).toEqual(urns.map((urn) => ({ urn })));
    expectRefused(await run([]), 400, 'PARAMETER_INVALID', '/input');
  });
});

describe('links', () => {
  const links = async (urn: string): Promise<any[]> =>
    (await catalog.read(urn, 'institutionalMemory'))?.elements ?? [];

  it('are added, changed and removed', async () => {
    const resourceUrn = await withDataset(catalog, 'linked');
    const link = { resourceUrn, linkUrl: 'https://wiki.example.com/Orders', label: 'Wiki' };
    expect(await mutate(catalog, 'addLink', link)).toBe(true);
    const twin = await tried(catalog, 'addLink', link);
    expectRefused(twin, 400, 'RULE_VIOLATED', '/input/linkUrl');
    expect(twin.errors?.[0]?.message).toBe(`The link '${link.linkUrl}' with label 'Wiki' already exists`);
    expect(await mutate(catalog, 'addLink', { ...link, label: 'Also wiki' })).toBe(true);
    expect(await mutate(catalog, 'upsertLink', { ...link, settings: { showInAssetPreview: true } })).toBe(
      true,
    );
    expect(await mutate(catalog, 'upsertLink', { ...link, linkUrl: 'mailto:team@example.com' })).toBe(true);
    const change = {
      ...link,
      currentUrl: link.linkUrl,
      currentLabel: 'Wiki',
      linkUrl: 'ftp://example.com/x',
      label: 'FTP',
    };
    expect(await mutate(catalog, 'updateLink', change)).toBe(true);
    const admin = { time: expect.any(Number), actor: 'urn:li:corpuser:admin' };
    expect(await links(resourceUrn)).toEqual([
      {
        url: 'ftp://example.com/x',
        description: 'FTP',
        createStamp: admin,
        updateStamp: admin,
        settings: { showInAssetPreview: true },
      },
      { url: link.linkUrl, description: 'Also wiki', createStamp: admin },
      { url: 'mailto:team@example.com', description: 'Wiki', createStamp: admin },
    ]);
    expectRefused(await tried(catalog, 'updateLink', change), 404, 'LINK_NOT_FOUND', '/input/currentUrl');
    expect(await mutate(catalog, 'removeLink', { resourceUrn, linkUrl: link.linkUrl, label: 'Wiki' })).toBe(
      true,
    );
    expect(await links(resourceUrn)).toHaveLength(3);
    expect(await mutate(catalog, 'removeLink', { resourceUrn, linkUrl: link.linkUrl })).toBe(true);
    expect(await mutate(catalog, 'removeLink', { resourceUrn, linkUrl: link.linkUrl })).toBe(true);
    expect(await links(resourceUrn)).toHaveLength(2);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'wiki.example.com',
    '//example.com',
    'https:',
    'http://',
    '',
    'https://example.com/a b',
  ])('refuse %j', async (linkUrl) => {
    const resourceUrn = await withDataset(catalog, 'unlinked');
    expectRefused(
      await tried(catalog, 'addLink', { resourceUrn, linkUrl, label: 'x' }),
      400,
      'PARAMETER_INVALID',
      '/input/linkUrl',
    );
    expect(await links(resourceUrn)).toEqual([]);
  });

  it('refuse what is missing, and what has no links', async () => {
    const link = { linkUrl: 'https://example.com', label: 'x' };
    const refused = (resourceUrn: string, more = {}): Promise<any> =>
      tried(catalog, 'addLink', { ...link, resourceUrn, ...more });
    expectRefused(await refused(dataset('missing')), 404, 'ENTITY_NOT_FOUND', '/input/resourceUrn');
    expectRefused(await refused('urn:li:tag:pii'), 400, 'ASPECT_UNKNOWN', '/input/resourceUrn');
    expectRefused(await refused(dataset('missing'), { label: '' }), 400, 'PARAMETER_INVALID', '/input/label');
    const gone = { resourceUrn: dataset('missing'), linkUrl: link.linkUrl };
    expectRefused(await tried(catalog, 'removeLink', gone), 404, 'ENTITY_NOT_FOUND', '/input/resourceUrn');
  });
});

describe('owners', () => {
  const owners = async (urn: string): Promise<any[]> =>
    ((await catalog.read(urn, 'ownership'))?.owners ?? []).map(({ owner, typeUrn }: any) => [owner, typeUrn]);
  const SYSTEM = 'urn:li:ownershipType:__system__';

  it('are added once in each role, and removed from one or all', async () => {
    const resourceUrn = await withDataset(catalog, 'owned');
    await catalog.ingest([resourceUrn, 'ownership', { owners: [{ owner: BOB, type: 'DATAOWNER' }] }]);
    const ann = { ownerUrn: ANN, ownerEntityType: 'CORP_USER', resourceUrn };
    expect(await mutate(catalog, 'addOwner', { ...ann, type: 'TECHNICAL_OWNER' })).toBe(true);
    expect(await mutate(catalog, 'addOwner', { ...ann, type: 'TECHNICAL_OWNER' })).toBe(true);
    expect(await mutate(catalog, 'addOwner', { ...ann, ownershipTypeUrn: `${SYSTEM}technical_owner` })).toBe(
      true,
    );
    expect(
      await mutate(catalog, 'addOwner', { ...ann, ownershipTypeUrn: 'urn:li:ownershipType:steward' }),
    ).toBe(true);
    await mutate(catalog, 'addOwners', {
      resourceUrn,
      owners: [
        { ownerUrn: BOB, ownerEntityType: 'CORP_USER', type: 'DATAOWNER' },
        { ownerUrn: OWNERS, ownerEntityType: 'CORP_GROUP' },
      ],
    });
    expect(await owners(resourceUrn)).toEqual([
      [BOB, undefined],
      [ANN, `${SYSTEM}technical_owner`],
      [ANN, 'urn:li:ownershipType:steward'],
      [OWNERS, `${SYSTEM}none`],
    ]);
    const { ownerTypes } = await catalog.read(resourceUrn, 'ownership');
    expect(ownerTypes[`${SYSTEM}technical_owner`]).toEqual([ANN]);
    await mutate(catalog, 'removeOwner', {
      ownerUrn: ANN,
      resourceUrn,
      ownershipTypeUrn: 'urn:li:ownershipType:steward',
    });
    expect((await owners(resourceUrn)).filter(([owner]) => owner === ANN)).toHaveLength(1);
    for (let i = 0; i < 2; i++)
      expect(await mutate(catalog, 'removeOwner', { ownerUrn: ANN, resourceUrn })).toBe(true);
    expect((await owners(resourceUrn)).map(([owner]) => owner)).toEqual([BOB, OWNERS]);
  });

  it('are added and removed in batches, all or none', async () => {
    const urns = await Promise.all(['owned1', 'owned2'].map((name) => withDataset(catalog, name)));
    const resources = urns.map((resourceUrn) => ({ resourceUrn }));
    const input = { owners: [{ ownerUrn: BOB, ownerEntityType: 'CORP_USER', type: 'BUSINESS_OWNER' }] };
    const missing = { resourceUrn: dataset('missing') };
    expectRefused(
      await tried(catalog, 'batchAddOwners', { ...input, resources: [...resources, missing] }),
      404,
      'ENTITY_NOT_FOUND',
      '/input/resources/2/resourceUrn',
    );
    expect(await owners(urns[0]!)).toEqual([]);
    expect(await mutate(catalog, 'batchAddOwners', { ...input, resources })).toBe(true);
    expect(await owners(urns[1]!)).toEqual([[BOB, `${SYSTEM}business_owner`]]);
    expect(await mutate(catalog, 'batchRemoveOwners', { ownerUrns: [BOB], resources })).toBe(true);
    expect(await owners(urns[1]!)).toEqual([]);
  });

  it.each([
    ['a missing user', { ownerUrn: 'urn:li:corpuser:none' }, 404, 'ENTITY_NOT_FOUND', '/input/ownerUrn'],
    ['a dataset as owner', { ownerUrn: dataset('x') }, 400, 'PARAMETER_INVALID', '/input/ownerUrn'],
    ['a group that is said to be a user', { ownerUrn: OWNERS }, 400, 'PARAMETER_INVALID', '/input/ownerUrn'],
    [
      'a missing role',
      { ownershipTypeUrn: 'urn:li:ownershipType:none' },
      404,
      'ENTITY_NOT_FOUND',
      '/input/ownershipTypeUrn',
    ],
    ['a role that is none', { ownershipTypeUrn: ANN }, 400, 'PARAMETER_INVALID', '/input/ownershipTypeUrn'],
    [
      'a missing resource',
      { resourceUrn: dataset('missing') },
      404,
      'ENTITY_NOT_FOUND',
      '/input/resourceUrn',
    ],
  ])('refuse %s', async (_, more, code, errorCode, pointer) => {
    const resourceUrn = await withDataset(catalog, 'disowned');
    const input = { ownerUrn: ANN, ownerEntityType: 'CORP_USER', resourceUrn, ...more };
    expectRefused(await tried(catalog, 'addOwner', input), code, errorCode, pointer);
    expect(await owners(resourceUrn)).toEqual([]);
  });
});

describe('tags', () => {
  const urn = 'urn:li:tag:life';
  const setColor = (of: string, color: string): Promise<any> =>
    graphql(catalog, 'mutation($u: String!, $c: String!) { setTagColor(urn: $u, colorHex: $c) }', {
      u: of,
      c: color,
    });
  const update = (of: string, input: object): Promise<any> =>
    graphql(
      catalog,
      `
        mutation ($u: String!, $i: TagUpdateInput!) {
          updateTag(urn: $u, input: $i) {
            urn
            properties {
              name
              description
            }
          }
        }
      `,
      { u: of, i: { urn: of, ...input } },
    );
  const remove = (of: string): Promise<any> =>
    graphql(catalog, 'mutation($u: String!) { deleteTag(urn: $u) }', { u: of });

  it('live, and what carried them loses them', async () => {
    const input = { id: 'life', name: 'Life', description: 'of a tag' };
    expect(await mutate(catalog, 'createTag', input)).toBe(urn);
    expectRefused(await tried(catalog, 'createTag', input), 409, 'ENTITY_EXISTS', '/input/id');
    expect((await catalog.read(urn, 'ownership')).owners).toHaveLength(1);
    expect(resultOf(await setColor(urn, '#00A3d9'), 'setTagColor')).toBe(true);
    const owned = { name: 'Lives', ownership: { owners: [{ owner: BOB, type: 'DATA_STEWARD' }] } };
    expect(resultOf(await update(urn, owned), 'updateTag')).toEqual({
      urn,
      properties: { name: 'Lives', description: 'of a tag' },
    });
    expect(await catalog.read(urn, 'tagProperties')).toEqual({
      name: 'Lives',
      description: 'of a tag',
      colorHex: '#00A3d9',
    });
    expect((await catalog.read(urn, 'ownership')).owners).toMatchObject([{ owner: BOB }]);
    const carriers = await Promise.all(['c1', 'c2', 'c3'].map((name) => withDataset(catalog, name)));
    await mutate(catalog, 'batchAddTags', {
      tagUrns: [urn, 'urn:li:tag:pii'],
      resources: carriers.map((resourceUrn) => ({ resourceUrn })),
    });
    expect(resultOf(await remove(urn), 'deleteTag')).toBe(true);
    expect(await catalog.read(urn, 'tagKey')).toBeUndefined();
    await eventually(async () => {
      for (const carrier of carriers)
        expect((await catalog.read(carrier, 'globalTags')).tags).toEqual([{ tag: 'urn:li:tag:pii' }]);
    });
  });

  it('keep what carries them when they are made again at once', async () => {
    await mutate(catalog, 'createTag', { id: 'again', name: 'again' });
    const resourceUrn = await withDataset(catalog, 'again');
    await mutate(catalog, 'addTag', { tagUrn: 'urn:li:tag:again', resourceUrn });
    await remove('urn:li:tag:again');
    await mutate(catalog, 'createTag', { id: 'again', name: 'again' });
    await mutate(catalog, 'addTag', { tagUrn: 'urn:li:tag:again', resourceUrn });
    await mutate(catalog, 'createTag', { id: 'later', name: 'later' });
    await remove('urn:li:tag:later');
    await eventually(async () => {
      const { body } = await catalog.post('/entities?action=deleteReferences', {
        urn: 'urn:li:tag:later',
        dryRun: true,
      });
      expect(body.value.total).toBe(0);
    });
    expect((await catalog.read(resourceUrn, 'globalTags')).tags).toEqual([{ tag: 'urn:li:tag:again' }]);
  });

  it('are refused', async () => {
    expectRefused(await tried(catalog, 'createTag', { name: '' }), 400, 'PARAMETER_INVALID', '/input/name');
    expectRefused(
      await tried(catalog, 'createTag', { name: 'x', id: ' ' }),
      400,
      'PARAMETER_INVALID',
      '/input/id',
    );
    expectRefused(
      await tried(catalog, 'createTag', { name: 'x', id: 'x'.repeat(600) }),
      400,
      'URN_MALFORMED',
      '/input/id',
    );
    expectRefused(await setColor('urn:li:tag:pii', 'red'), 400, 'PARAMETER_INVALID', '/colorHex');
    expectRefused(await setColor('urn:li:tag:none', '#000000'), 404, 'ENTITY_NOT_FOUND', '/urn');
    expectRefused(await setColor(ANN, '#000000'), 400, 'PARAMETER_INVALID', '/urn');
    expectRefused(await update('urn:li:tag:none', { name: 'x' }), 404, 'ENTITY_NOT_FOUND', '/urn');
    const other = await update('urn:li:tag:pii', { name: 'x', urn: 'urn:li:tag:other' });
    expectRefused(other, 400, 'PARAMETER_INVALID', '/input/urn');
    expectRefused(await remove('urn:li:tag:none'), 404, 'ENTITY_NOT_FOUND', '/urn');
    expectRefused(await remove(dataset('x')), 400, 'PARAMETER_INVALID', '/urn');
    expect(await catalog.read('urn:li:tag:none', 'tagKey')).toBeUndefined();
  });
});

describe('marks', () => {
  it('hide entities from search and bring them back, all or none', async () => {
    const urns = await Promise.all(['hide.one', 'hide.two'].map((name) => withDataset(catalog, name)));
    const set = (list: string[], deleted: boolean): Promise<any> =>
      tried(catalog, 'batchUpdateSoftDeleted', { urns: list, deleted });
    expectRefused(await set([...urns, dataset('missing')], true), 404, 'ENTITY_NOT_FOUND', '/input/urns/2');
    expect(await catalog.read(urns[0]!, 'status')).toBeUndefined();
    for (let i = 0; i < 2; i++) expect(resultOf(await set(urns, true), 'batchUpdateSoftDeleted')).toBe(true);
    expect((await catalog.read(urns[0]!, 'status')).removed).toBe(true);
    expect((await catalog.search('dataset', 'hide')).numEntities).toBe(0);
    await set(urns, false);
    expect((await catalog.search('dataset', 'hide')).numEntities).toBe(2);
    expectRefused(await set([], true), 400, 'PARAMETER_INVALID', '/input/urns');
    expectRefused(await set(['urn:li:domain:plain'], true), 400, 'ASPECT_UNKNOWN', '/input/urns/0');
    expectTooLong(await set(Array(10_000).fill(urns[0]), true), 'urns');
  });

  it('deprecate entities and columns', async () => {
    const urn = await withDataset(catalog, 'deprecated');
    const next = await withDataset(catalog, 'successor');
    const input = {
      urn,
      deprecated: true,
      decommissionTime: 1_900_000_000_000,
      note: 'use it no more',
      replacement: next,
    };
    for (let i = 0; i < 2; i++) expect(await mutate(catalog, 'updateDeprecation', input)).toBe(true);
    expect(await catalog.read(urn, 'deprecation')).toEqual({
      deprecated: true,
      decommissionTime: 1_900_000_000_000,
      note: 'use it no more',
      replacement: next,
      actor: 'urn:li:corpuser:admin',
    });
    const column = { subResourceType: 'DATASET_FIELD', subResource: 'price' };
    expect(await mutate(catalog, 'updateDeprecation', { urn, ...column, deprecated: true })).toBe(true);
    expect((await catalog.read(`urn:li:schemaField:(${urn},price)`, 'deprecation')).deprecated).toBe(true);
    // By its own URN too, of which nothing is stored yet.
    const named = (path: string, of = urn) => `urn:li:schemaField:(${of},${path})`;
    const own = named('price', next);
    expect(await mutate(catalog, 'updateDeprecation', { urn: own, deprecated: true, note: 'old' })).toBe(
      true,
    );
    expect(await catalog.read(own, 'deprecation')).toMatchObject({ deprecated: true, note: 'old' });
    const resources = [{ resourceUrn: urn }, { resourceUrn: next, ...column }];
    expect(await mutate(catalog, 'batchUpdateDeprecation', { deprecated: false, resources })).toBe(true);
    expect(await catalog.read(urn, 'deprecation')).toMatchObject({ deprecated: false, note: '' });
    const refused = (more: object): Promise<any> =>
      tried(catalog, 'updateDeprecation', { urn, deprecated: true, ...more });
    expectRefused(await refused({ urn: dataset('missing') }), 404, 'ENTITY_NOT_FOUND', '/input/urn');
    expectRefused(
      await refused({ urn: named('price', dataset('missing')) }),
      404,
      'ENTITY_NOT_FOUND',
      '/input/urn',
    );
    expectRefused(await refused({ urn: named('x') }), 400, 'COLUMN_UNKNOWN', '/input/urn');
    expectRefused(
      await refused({ urn: dataset('missing'), ...column }),
      404,
      'ENTITY_NOT_FOUND',
      '/input/urn',
    );
    expectRefused(
      await refused({ ...column, subResource: 'x' }),
      400,
      'COLUMN_UNKNOWN',
      '/input/subResource',
    );
    expectRefused(
      await refused({ replacement: dataset('missing') }),
      404,
      'ENTITY_NOT_FOUND',
      '/input/replacement',
    );
    expectRefused(
      await refused({ subResource: 'price' }),
      400,
      'PARAMETER_MISSING',
      '/input/subResourceType',
    );
    expect((await catalog.read(urn, 'deprecation')).deprecated).toBe(false);
    expect(await catalog.read(`urn:li:schemaField:(${urn},x)`, 'deprecation')).toBeUndefined();
  });

  it('name columns with commas and parentheses as clients do', async () => {
    const paths = ['price (EUR)', 'last, first'];
    const urn = await withDataset(catalog, 'signs', paths);
    const columns = ['price %28EUR%29', 'last%2C first'].map((part) => `urn:li:schemaField:(${urn},${part})`);
    const property = 'urn:li:structuredProperty:signs';
    await catalog.ingest([
      property,
      'propertyDefinition',
      {
        qualifiedName: 'signs',
        valueType: 'urn:li:dataType:platform.string',
        entityTypes: ['urn:li:entityType:platform.schemaField'],
      },
    ]);
    for (const [i, own] of columns.entries()) {
      const place = { subResourceType: 'DATASET_FIELD', subResource: paths[i] };
      expect(
        await mutate(catalog, 'updateDescription', { resourceUrn: urn, ...place, description: 'told' }),
      ).toBe(true);
      expect(await mutate(catalog, 'updateDeprecation', { urn, ...place, deprecated: true, note: 'a' })).toBe(
        true,
      );
      expect(await catalog.read(own, 'deprecation')).toMatchObject({ deprecated: true, note: 'a' });
      expect(await mutate(catalog, 'updateDeprecation', { urn: own, deprecated: true, note: 'b' })).toBe(
        true,
      );
      const values = { structuredPropertyUrn: property, values: [{ stringValue: 'x' }] };
      const { errors } = await graphql(
        catalog,
        'mutation ($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) { properties { structuredProperty { urn } } } }',
        { input: { assetUrn: own, structuredPropertyInputParams: [values] } },
      );
      expect(errors).toBeUndefined();
    }
    const lineage = { upstreamType: 'FIELD_SET', downstreamType: 'FIELD', confidenceScore: 1 };
    await catalog.ingest([
      urn,
      'upstreamLineage',
      { upstreams: [], fineGrainedLineages: [{ ...lineage, upstreams: [], downstreams: columns }] },
    ]);
    const { data } = await graphql(
      catalog,
      `{ dataset(urn: "${urn}") { fineGrainedLineages { downstreams { urn path } } schemaMetadata { fields { fieldPath schemaFieldEntity { urn fieldPath
         deprecation { note } structuredProperties { properties { structuredProperty { urn } } } } } } } }`,
    );
    expect(data.dataset.fineGrainedLineages).toEqual([
      { downstreams: columns.map((own, i) => ({ urn: own, path: paths[i] })) },
    ]);
    expect(data.dataset.schemaMetadata.fields).toEqual(
      columns.map((own, i) => ({
        fieldPath: paths[i],
        schemaFieldEntity: {
          urn: own,
          fieldPath: paths[i],
          deprecation: { note: 'b' },
          structuredProperties: { properties: [{ structuredProperty: { urn: property } }] },
        },
      })),
    );
    let told: any[] = [];
    // Between servers the feed learns of a commit a moment after its answer.
    await until(async () => {
      const { body } = await catalog.get(
        `/openapi/v1/events/poll?topic=PlatformEvent_v1&lookbackWindowDays=1&category=DOCUMENTATION&urn=${encodeURIComponent(urn)}&pollTimeoutSeconds=0`,
      );
      told = body.events
        .map(({ value }: any) => JSON.parse(JSON.parse(value).payload.value))
        .filter(({ entityType }: any) => entityType === 'schemaField');
      return told.length >= columns.length;
    });
    expect(told).toMatchObject(
      columns.map((entityUrn, i) => ({ entityUrn, parameters: { fieldPath: paths[i] } })),
    );
  });

  it('takes what clients wrote about a column under its path without types', async () => {
    const path = '[version=2.0].[type=struct].[type=struct].buyer.[type=string].city';
    const urn = await withDataset(catalog, 'typed', [path, 'id']);
    const [mine, theirs] = ['urn:li:tag:mine', 'urn:li:tag:theirs'];
    await catalog.ingest(
      [mine, 'tagProperties', { name: 'mine' }],
      [
        urn,
        'editableSchemaMetadata',
        {
          editableSchemaFieldInfo: [
            { fieldPath: 'buyer.city', description: 'told', globalTags: { tags: [{ tag: theirs }] } },
          ],
        },
      ],
    );
    const shown = async (): Promise<unknown> => {
      const { data } = await graphql(
        catalog,
        `{ dataset(urn: "${urn}") { schemaMetadata { fields { description tags { tags { tag { urn } } } } } } }`,
      );
      const [{ description, tags }, other] = data.dataset.schemaMetadata.fields;
      expect(other).toEqual({ description: null, tags: null });
      return [description, tags.tags.map(({ tag }: any) => tag.urn)];
    };
    expect(await shown()).toEqual(['told', [theirs]]);
    const column = { resourceUrn: urn, subResourceType: 'DATASET_FIELD', subResource: path };
    expect(await mutate(catalog, 'addTag', { tagUrn: mine, ...column })).toBe(true);
    expect(await shown()).toEqual(['told', [theirs, mine]]);
    expect(await mutate(catalog, 'removeTag', { tagUrn: theirs, ...column })).toBe(true);
    expect(await mutate(catalog, 'updateDescription', { description: 'anew', ...column })).toBe(true);
    expect(await shown()).toEqual(['anew', [mine]]);
    expect(await catalog.read(urn, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [{ fieldPath: 'buyer.city', description: 'anew' }],
    });
  });

  it('leaves to a column of the simple name what was written about it', async () => {
    const path = '[version=2.0].[type=struct].[type=string].city';
    const urn = await withDataset(catalog, 'typedbeside', [path, 'city']);
    const editableSchemaFieldInfo = [{ fieldPath: 'city', description: 'the plain one' }];
    await catalog.ingest([urn, 'editableSchemaMetadata', { editableSchemaFieldInfo }]);
    const { data } = await graphql(
      catalog,
      `{ dataset(urn: "${urn}") { schemaMetadata { fields { fieldPath description } } } }`,
    );
    expect(data.dataset.schemaMetadata.fields).toEqual([
      { fieldPath: path, description: null },
      { fieldPath: 'city', description: 'the plain one' },
    ]);
    const column = { resourceUrn: urn, subResourceType: 'DATASET_FIELD', subResource: path };
    expect(await mutate(catalog, 'updateDescription', { description: 'typed', ...column })).toBe(true);
    expect(await catalog.read(urn, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [...editableSchemaFieldInfo, { fieldPath: path, description: 'typed' }],
    });
  });
});
