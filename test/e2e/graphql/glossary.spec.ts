import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { eventually, expectRefused, graphql, mutate, resultOf, tried, withDataset } from './mutating.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const term = (id: string): string => `urn:li:glossaryTerm:${id}`;
const node = (id: string): string => `urn:li:glossaryNode:${id}`;
const domain = (id: string): string => `urn:li:domain:${id}`;

const remove = (mutation: string, urn: string): ReturnType<typeof graphql> =>
  graphql(catalog, `mutation($urn: String!) { ${mutation}(urn: $urn) }`, { urn });

describe('createGlossaryTerm', () => {
  it('makes a term with an owner and answers its URN', async () => {
    const input = { name: 'Rate of Return', id: 'rateofreturn', description: 'A *rate* of return\n' };
    expect(await mutate(catalog, 'createGlossaryTerm', input)).toBe(term('rateofreturn'));
    expect(await catalog.read(term('rateofreturn'), 'glossaryTermInfo')).toEqual({
      name: 'Rate of Return',
      definition: 'A *rate* of return\n',
      termSource: 'INTERNAL',
      customProperties: {},
    });
    const { owners } = await catalog.read(term('rateofreturn'), 'ownership');
    expect(owners).toEqual([
      expect.objectContaining({ owner: 'urn:li:corpuser:admin', type: 'TECHNICAL_OWNER' }),
    ]);
    expect((await catalog.search('glossaryTerm', 'rate')).entities).toEqual([term('rateofreturn')]);
  });

  it('makes up an id', async () => {
    const urn = await mutate(catalog, 'createGlossaryTerm', { name: 'No id' });
    expect(urn).toMatch(/^urn:li:glossaryTerm:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/);
  });

  it('lies in a folder that exists', async () => {
    const parentNode = await mutate(catalog, 'createGlossaryNode', { name: 'Finance', id: 'finance' });
    expect(parentNode).toBe(node('finance'));
    await mutate(catalog, 'createGlossaryTerm', { name: 'Cost', id: 'finance.cost', parentNode });
    expect((await catalog.read(term('finance.cost'), 'glossaryTermInfo')).parentNode).toBe(parentNode);
    const missing = { name: 'Lost', id: 'lost', parentNode: node('none') };
    expectRefused(
      await tried(catalog, 'createGlossaryTerm', missing),
      404,
      'ENTITY_NOT_FOUND',
      '/input/parentNode',
    );
    expectRefused(
      await tried(catalog, 'createGlossaryTerm', { ...missing, parentNode: term('finance.cost') }),
      400,
      'PARAMETER_INVALID',
      '/input/parentNode',
    );
    expect(await catalog.read(term('lost'), 'glossaryTermKey')).toBeUndefined();
  });

  it('refuses an id that is taken, a name that is taken on its level, and blank ones', async () => {
    const parentNode = await mutate(catalog, 'createGlossaryNode', { name: 'Level' });
    await mutate(catalog, 'createGlossaryTerm', { name: '50%_"\\Ünique', id: 'unique', parentNode });
    const again = await tried(catalog, 'createGlossaryTerm', { name: 'Other', id: 'unique' });
    expectRefused(again, 409, 'ENTITY_EXISTS', '/input/id');
    expect(again.errors?.[0]?.message).toContain('This Glossary Term already exists!');
    const twin = await tried(catalog, 'createGlossaryTerm', {
      name: '50%_"\\Ünique',
      id: 'twin',
      parentNode,
    });
    expectRefused(twin, 400, 'NAME_TAKEN', '/input/name');
    expect(twin.errors?.[0]?.message).toContain(
      'Glossary Term with this name already exists at this level of the Business Glossary',
    );
    expect(await catalog.read(term('twin'), 'glossaryTermKey')).toBeUndefined();
    // Elsewhere, and as a folder, the name is free.
    await mutate(catalog, 'createGlossaryTerm', { name: '50%_"\\Ünique', id: 'elsewhere' });
    await mutate(catalog, 'createGlossaryNode', { name: '50%_"\\Ünique', parentNode });
    for (const input of [{ name: ' ' }, { name: 'x', id: '' }])
      expectRefused(await tried(catalog, 'createGlossaryTerm', input), 400, 'PARAMETER_INVALID');
    expectRefused(
      await tried(catalog, 'createGlossaryTerm', { name: 'x', id: 'a\u0000b' }),
      400,
      'URN_MALFORMED',
      '/input/id',
    );
  });

  it.each([true, false])(
    'lets one of many with the same name at the same moment win, at the top: %s',
    async (top) => {
      const parentNode = top ? undefined : await mutate(catalog, 'createGlossaryNode', { name: 'Race' });
      const name = `Race ${top}`;
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => tried(catalog, 'createGlossaryTerm', { name, parentNode })),
      );
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      for (const answer of answers.filter(({ errors }) => errors)) expectRefused(answer, 400, 'NAME_TAKEN');
    },
  );
});

describe('the glossary tree', () => {
  it('renames', async () => {
    await mutate(catalog, 'createGlossaryTerm', { name: 'Old', id: 'renamed', description: 'kept' });
    await mutate(catalog, 'createGlossaryTerm', { name: 'Taken', id: 'taken' });
    expect(await mutate(catalog, 'updateName', { urn: term('renamed'), name: 'New' })).toBe(true);
    expect(await mutate(catalog, 'updateName', { urn: term('renamed'), name: 'New' })).toBe(true);
    expect(await catalog.read(term('renamed'), 'glossaryTermInfo')).toMatchObject({
      name: 'New',
      definition: 'kept',
    });
    const refused = (input: unknown): Promise<any> => tried(catalog, 'updateName', input);
    expectRefused(await refused({ urn: term('renamed'), name: 'Taken' }), 400, 'NAME_TAKEN', '/input/name');
    expectRefused(await refused({ urn: term('none'), name: 'x' }), 404, 'ENTITY_NOT_FOUND', '/input/urn');
    expectRefused(
      await refused({ urn: 'urn:li:corpuser:ann', name: 'x' }),
      400,
      'ASPECT_UNKNOWN',
      '/input/urn',
    );
    expect((await catalog.read(term('renamed'), 'glossaryTermInfo')).name).toBe('New');
  });

  it('renames tags, groups and data products', async () => {
    const group = 'urn:li:corpGroup:named';
    await catalog.ingest(
      ['urn:li:tag:named', 'status', { removed: false }],
      [group, 'status', { removed: false }],
      ['urn:li:dataProduct:named', 'dataProductProperties', { name: 'a', description: 'kept' }],
    );
    for (const urn of ['urn:li:tag:named', group, 'urn:li:dataProduct:named'])
      expect(await mutate(catalog, 'updateName', { urn, name: 'Named' })).toBe(true);
    expect((await catalog.read('urn:li:tag:named', 'tagProperties')).name).toBe('Named');
    expect((await catalog.read(group, 'corpGroupInfo')).displayName).toBe('Named');
    expect(await catalog.read('urn:li:dataProduct:named', 'dataProductProperties')).toMatchObject({
      name: 'Named',
      description: 'kept',
    });
  });

  it('moves, but not below itself, nor to where the name is taken', async () => {
    const [a, b] = [
      await mutate(catalog, 'createGlossaryNode', { name: 'A', id: 'move.a' }),
      await mutate(catalog, 'createGlossaryNode', { name: 'B', id: 'move.b' }),
    ];
    const move = (resourceUrn: string, parentNode?: string): Promise<any> =>
      tried(catalog, 'updateParentNode', { resourceUrn, parentNode });
    expect(resultOf(await move(b, a), 'updateParentNode')).toBe(true);
    expect((await catalog.read(b, 'glossaryNodeInfo')).parentNode).toBe(a);
    expectRefused(await move(a, b), 400, 'RULE_VIOLATED', '/input/parentNode');
    expectRefused(await move(a, a), 400, 'RULE_VIOLATED', '/input/parentNode');
    expectRefused(await move(a, node('none')), 404, 'ENTITY_NOT_FOUND', '/input/parentNode');
    expectRefused(await move(node('none'), a), 404, 'ENTITY_NOT_FOUND', '/input/resourceUrn');
    await mutate(catalog, 'createGlossaryNode', { name: 'B', id: 'move.b2' });
    expectRefused(await move(b), 400, 'NAME_TAKEN', '/input/resourceUrn');
    await mutate(catalog, 'updateName', { urn: b, name: 'B below' });
    expect(resultOf(await move(b), 'updateParentNode')).toBe(true);
    expect(await catalog.read(b, 'glossaryNodeInfo')).not.toHaveProperty('parentNode');
  });

  it('lists the top by name, without what is soft-deleted', async () => {
    const other = await TestCatalog.start();
    try {
      const folder = await mutate(other, 'createGlossaryNode', { name: 'Folder' });
      await mutate(other, 'createGlossaryNode', { name: 'Inner', parentNode: folder });
      for (const name of ['c', 'a', 'b', 'gone'])
        await mutate(other, 'createGlossaryTerm', { name, id: name });
      await mutate(other, 'createGlossaryTerm', { name: 'inside', parentNode: folder });
      await mutate(other, 'batchUpdateSoftDeleted', { urns: [term('gone')], deleted: true });
      const answer = await graphql(
        other,
        `
          {
            getRootGlossaryTerms(input: { start: 1, count: 5 }) {
              start
              count
              total
              terms {
                urn
                properties {
                  name
                }
              }
            }
            getRootGlossaryNodes(input: { start: 0, count: 5 }) {
              total
              nodes {
                urn
              }
            }
          }
        `,
      );
      expect(resultOf(answer, 'getRootGlossaryTerms')).toEqual({
        start: 1,
        count: 2,
        total: 3,
        terms: ['b', 'c'].map((name) => ({ urn: term(name), properties: { name } })),
      });
      expect(answer.data.getRootGlossaryNodes).toEqual({ total: 1, nodes: [{ urn: folder }] });
      expectRefused(
        await graphql(other, '{ getRootGlossaryTerms(input: {start: 0, count: -1}) { total } }'),
        400,
        'PARAMETER_INVALID',
        '/input/count',
      );
    } finally {
      await other.stop();
    }
  });

  it('deletes, and what carried the term loses it', async () => {
    const urn = await withDataset(catalog, 'carrier');
    await mutate(catalog, 'createGlossaryTerm', { name: 'Short-lived', id: 'short' });
    await mutate(catalog, 'createGlossaryTerm', { name: 'Stays', id: 'stays' });
    await mutate(catalog, 'addTerms', { termUrns: [term('short'), term('stays')], resourceUrn: urn });
    await mutate(catalog, 'addTerm', {
      termUrn: term('short'),
      resourceUrn: urn,
      subResourceType: 'DATASET_FIELD',
      subResource: 'id',
    });
    await mutate(catalog, 'addRelatedTerms', {
      urn: term('stays'),
      termUrns: [term('short')],
      relationshipType: 'hasA',
    });
    expect(resultOf(await remove('deleteGlossaryEntity', term('short')), 'deleteGlossaryEntity')).toBe(true);
    expect(await catalog.read(term('short'), 'glossaryTermKey')).toBeUndefined();
    await eventually(async () => {
      expect((await catalog.read(urn, 'glossaryTerms')).terms).toMatchObject([{ urn: term('stays') }]);
      const { editableSchemaFieldInfo } = await catalog.read(urn, 'editableSchemaMetadata');
      expect(editableSchemaFieldInfo[0].glossaryTerms.terms).toEqual([]);
      expect((await catalog.read(term('stays'), 'glossaryRelatedTerms')).hasRelatedTerms).toEqual([]);
    });
    expectRefused(await remove('deleteGlossaryEntity', term('short')), 404, 'ENTITY_NOT_FOUND', '/urn');
    expectRefused(await remove('deleteGlossaryEntity', 'urn:li:tag:x'), 400, 'PARAMETER_INVALID', '/urn');
  });

  it('keeps a folder that something lies in', async () => {
    const folder = await mutate(catalog, 'createGlossaryNode', { name: 'Full' });
    const inside = await mutate(catalog, 'createGlossaryTerm', { name: 'Inside', parentNode: folder });
    expectRefused(await remove('deleteGlossaryEntity', folder), 400, 'RULE_VIOLATED', '/urn');
    await remove('deleteGlossaryEntity', inside);
    expect(resultOf(await remove('deleteGlossaryEntity', folder), 'deleteGlossaryEntity')).toBe(true);
  });
});

describe('related terms', () => {
  it('are added and removed once', async () => {
    for (const name of ['Animal', 'Dog']) await mutate(catalog, 'createGlossaryTerm', { name, id: name });
    const input = { urn: term('Dog'), termUrns: [term('Animal')], relationshipType: 'isA' };
    for (let i = 0; i < 2; i++) expect(await mutate(catalog, 'addRelatedTerms', input)).toBe(true);
    expect(await catalog.read(term('Dog'), 'glossaryRelatedTerms')).toEqual({
      isRelatedTerms: [term('Animal')],
    });
    for (let i = 0; i < 2; i++) expect(await mutate(catalog, 'removeRelatedTerms', input)).toBe(true);
    expect(await catalog.read(term('Dog'), 'glossaryRelatedTerms')).toEqual({ isRelatedTerms: [] });
    const refused = (more: object): Promise<any> => tried(catalog, 'addRelatedTerms', { ...input, ...more });
    expectRefused(await refused({ termUrns: [term('Dog')] }), 400, 'RULE_VIOLATED', '/input/termUrns/0');
    expectRefused(await refused({ termUrns: [term('None')] }), 404, 'ENTITY_NOT_FOUND', '/input/termUrns/0');
    expectRefused(await refused({ termUrns: [node('x')] }), 400, 'PARAMETER_INVALID', '/input/termUrns/0');
    expectRefused(await refused({ urn: term('None') }), 404, 'ENTITY_NOT_FOUND', '/input/urn');
    expectRefused(await refused({ termUrns: [] }), 400, 'PARAMETER_INVALID', '/input/termUrns');
  });
});

describe('domains', () => {
  it('are made, listed, moved and deleted', async () => {
    const sales = await mutate(catalog, 'createDomain', {
      id: 'sales',
      name: 'Sales',
      description: '**all** sales',
    });
    expect(sales).toBe(domain('sales'));
    const inner = await mutate(catalog, 'createDomain', { name: 'Online', parentDomain: sales });
    expectRefused(
      await tried(catalog, 'createDomain', { name: 'Online', parentDomain: sales }),
      400,
      'NAME_TAKEN',
      '/input/name',
    );
    expectRefused(
      await tried(catalog, 'createDomain', { id: 'sales', name: 'x' }),
      409,
      'ENTITY_EXISTS',
      '/input/id',
    );
    const list = (input: string): Promise<any> =>
      graphql(catalog, `{ listDomains(input: ${input}) { start count total domains { urn } } }`);
    expect(resultOf(await list('{}'), 'listDomains')).toEqual({
      start: 0,
      count: 1,
      total: 1,
      domains: [{ urn: sales }],
    });
    expect(resultOf(await list(`{parentDomain: "${sales}"}`), 'listDomains').domains).toEqual([
      { urn: inner },
    ]);
    expectRefused(
      await tried(catalog, 'moveDomain', { resourceUrn: sales, parentDomain: inner }),
      400,
      'RULE_VIOLATED',
      '/input/parentDomain',
    );
    expectRefused(await remove('deleteDomain', sales), 400, 'RULE_VIOLATED', '/urn');
    expect(await mutate(catalog, 'moveDomain', { resourceUrn: inner })).toBe(true);
    expect(resultOf(await list('{}'), 'listDomains').total).toBe(2);
    expect(resultOf(await remove('deleteDomain', sales), 'deleteDomain')).toBe(true);
  });

  it('hold entities: one domain each', async () => {
    const [one, two] = [
      await mutate(catalog, 'createDomain', { name: 'One', id: 'one' }),
      await mutate(catalog, 'createDomain', { name: 'Two', id: 'two' }),
    ];
    const urns = await Promise.all(['d1', 'd2'].map((name) => withDataset(catalog, name)));
    const set = (entityUrn: string, domainUrn: string): Promise<any> =>
      graphql(catalog, 'mutation($e: String!, $d: String!) { setDomain(entityUrn: $e, domainUrn: $d) }', {
        e: entityUrn,
        d: domainUrn,
      });
    expect(resultOf(await set(urns[0]!, one), 'setDomain')).toBe(true);
    expect(resultOf(await set(urns[0]!, two), 'setDomain')).toBe(true);
    expect(await catalog.read(urns[0]!, 'domains')).toEqual({ domains: [two] });
    const unset = (e: string): Promise<any> =>
      graphql(catalog, 'mutation($e: String!) { unsetDomain(entityUrn: $e) }', { e });
    expect(resultOf(await unset(urns[0]!), 'unsetDomain')).toBe(true);
    expect(resultOf(await unset(urns[0]!), 'unsetDomain')).toBe(true);
    expect(await catalog.read(urns[0]!, 'domains')).toEqual({ domains: [] });
    const resources = urns.map((resourceUrn) => ({ resourceUrn }));
    expect(await mutate(catalog, 'batchSetDomain', { domainUrn: one, resources })).toBe(true);
    for (const urn of urns) expect(await catalog.read(urn, 'domains')).toEqual({ domains: [one] });
    expectRefused(await set(urns[0]!, domain('none')), 404, 'ENTITY_NOT_FOUND', '/domainUrn');
    expectRefused(await set(urns[0]!, term('x')), 400, 'PARAMETER_INVALID', '/domainUrn');
    expectRefused(await set('urn:li:tag:x', one), 400, 'ASPECT_UNKNOWN', '/entityUrn');
    expectRefused(await unset(`${urns[0]!.slice(0, -6)}x,PROD)`), 404, 'ENTITY_NOT_FOUND', '/entityUrn');
    const column = { resourceUrn: urns[0], subResourceType: 'DATASET_FIELD', subResource: 'id' };
    expectRefused(
      await tried(catalog, 'batchSetDomain', { domainUrn: one, resources: [column] }),
      400,
      'PARAMETER_INVALID',
      '/input/resources/0/subResource',
    );
    await remove('deleteDomain', one);
    await eventually(async () => {
      for (const urn of urns) expect((await catalog.read(urn, 'domains'))?.domains ?? []).toEqual([]);
    });
  });
});
