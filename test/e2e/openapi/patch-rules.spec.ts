import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import { path, settled } from './support.js';

type Operation = Record<string, unknown>;
type Patch = { patch: Operation[]; arrayPrimaryKeys?: Record<string, string[]> };

const tag = (name: string): string => `urn:li:tag:${name}`;
const TAGS = { tags: [{ tag: tag('a') }, { tag: tag('b') }] };

/** The ways by which a patch comes in, and where its pointers begin. */
const SURFACES = [
  [
    'OpenAPI v3',
    '',
    (catalog: TestCatalog, urn: string, aspect: string, body: Patch): Promise<Answer> =>
      catalog.request('PATCH', path(urn, aspect), { body }),
  ],
  [
    'OpenAPI v2',
    '',
    (catalog: TestCatalog, urn: string, aspect: string, body: Patch): Promise<Answer> =>
      catalog.request('PATCH', path(urn, aspect, 'v2'), { body }),
  ],
  [
    'OpenAPI v3, several entities',
    '/0/globalTags/value',
    (catalog: TestCatalog, urn: string, aspect: string, body: Patch): Promise<Answer> =>
      catalog.request('PATCH', '/openapi/v3/entity/dataset?async=false', {
        body: [{ urn, [aspect]: { value: body } }],
      }),
  ],
  [
    'aspect API',
    '/proposal/aspect/value',
    (catalog: TestCatalog, urn: string, aspect: string, body: Patch): Promise<Answer> =>
      catalog.post('/aspects?action=ingestProposal', {
        proposal: proposal(urn, aspect, body, { changeType: 'PATCH' }),
      }),
  ],
] as const;

describe('rules of patches', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  describe.each(SURFACES)('%s', (name, root, send) => {
    const urn = dataset(`patch.rules.${name.replaceAll(/[^a-z0-9]/gi, '')}`);
    beforeAll(() => catalog.ingest([urn, 'globalTags', TAGS]));

    it.each([
      ['built in', {}],
      ['sent', { arrayPrimaryKeys: { tags: ['tag'] } }],
    ])('the key in the path and the one in the value agree, keys %s', async (_keys, keys) => {
      for (const op of ['add', 'replace', 'test']) {
        const value = { tag: tag('b') };
        const body = { ...keys, patch: [{ op, path: `/tags/${tag('a')}`, value }] };
        expectRefusal(
          await send(catalog, urn, 'globalTags', body),
          400,
          'PATCH_MALFORMED',
          `${root}/patch/0/value/tag`,
        );
      }
      const inside = { ...keys, patch: [{ op: 'add', path: `/tags/${tag('a')}/tag`, value: tag('c') }] };
      expectRefusal(
        await send(catalog, urn, 'globalTags', inside),
        400,
        'PATCH_MALFORMED',
        `${root}/patch/0/path`,
      );
      for (const op of ['move', 'copy']) {
        const body = { ...keys, patch: [{ op, from: `/tags/${tag('a')}`, path: `/tags/${tag('c')}` }] };
        expectRefusal(await send(catalog, urn, 'globalTags', body), 400, 'PATCH_MALFORMED');
      }
      expect(await catalog.read(urn, 'globalTags')).toEqual(TAGS);
    });

    it('an object in place of a keyed array is refused, and nothing is dropped', async () => {
      const refused = async (value: unknown, place = '', path = '/tags', more = {}): Promise<void> => {
        for (const op of ['add', 'replace', 'test']) {
          const body = { ...more, patch: [{ op, path, value }] };
          const answer = await send(catalog, urn, 'globalTags', body);
          expectRefusal(answer, 400, 'PATCH_MALFORMED', `${root}/patch/0/value${place}`);
        }
      };
      await refused({ [tag('c')]: { tag: tag('c') } });
      await refused({ twins: 5, '=c': { tag: tag('c') } });
      await refused({});
      await refused({ tags: { [tag('c')]: { tag: tag('c') } } }, '/tags', '');
      await refused({ c: 5 }, '', '/tags', { arrayPrimaryKeys: { tags: ['tag'] } });
      expect(await catalog.read(urn, 'globalTags')).toEqual(TAGS);
    });

    it('no keys can be sent of what is no array', async () => {
      const value = { customProperties: { a: '1' } };
      await catalog.ingest([urn, 'datasetProperties', value]);
      const answer = await send(catalog, urn, 'datasetProperties', {
        patch: [{ op: 'add', path: '/customProperties/b', value: '2' }],
        arrayPrimaryKeys: { customProperties: ['name'] },
      });
      const place = name === 'OpenAPI v3, several entities' ? '/0/datasetProperties/value' : root;
      expectRefusal(answer, 400, 'PATCH_MALFORMED', `${place}/arrayPrimaryKeys/customProperties`);
      expect(await catalog.read(urn, 'datasetProperties')).toMatchObject(value);
    });

    it('no member is called __proto__ or constructor', async () => {
      const refused = async (operation: Operation, member: string): Promise<void> => {
        const answer = await send(catalog, urn, 'globalTags', { patch: [operation] });
        expectRefusal(answer, 400, 'JSON_FORBIDDEN_KEY');
        expect(answer.body.errors[0].pointer).toContain(member);
      };
      await refused({ op: 'add', path: '/tags/__proto__', value: 'x' }, '/path');
      await refused({ op: 'add', path: '/constructor', value: 'x' }, '/path');
      await refused({ op: 'copy', from: '/constructor', path: '/tags/x' }, '/from');
    });

    it('the key aspect stays what the URN says', async () => {
      const key = await catalog.read(urn, 'datasetKey');
      const patch = [{ op: 'replace', path: '/name', value: 'another' }];
      const answer = await send(catalog, urn, 'datasetKey', { patch });
      const place = name === 'OpenAPI v3, several entities' ? '/0/datasetKey/value' : root;
      expectRefusal(answer, name === 'aspect API' ? 422 : 400, 'RULE_VIOLATED', place);
      expect(await catalog.read(urn, 'datasetKey')).toEqual(key);
      const same = [{ op: 'replace', path: '/origin', value: 'PROD' }];
      expect((await send(catalog, urn, 'datasetKey', { patch: same })).status).toBe(200);
    });

    it('growth has an end', async () => {
      const value = { customProperties: { a: 'x'.repeat(100) } };
      await catalog.ingest([urn, 'datasetProperties', value]);
      const patch = Array.from({ length: 23 }, (_, i) => ({
        op: 'copy',
        from: '/customProperties',
        path: `/customProperties/c${i}`,
      }));
      const answer = await send(catalog, urn, 'datasetProperties', { patch });
      expectRefusal(answer, 413, 'PATCH_TOO_LARGE');
      expect(answer.body.message).toMatch(/4194304 characters.* these add \d+/);
      expect(await catalog.read(urn, 'datasetProperties')).toMatchObject(value);
    });
  });

  it('the patch of a request share what they may add', async () => {
    const urn = dataset('patch.rules.shared');
    await catalog.ingest([urn, 'datasetProperties', { customProperties: { a: 'x'.repeat(1024 * 1024) } }]);
    const copies = Array.from({ length: 8 }, () =>
      proposal(
        urn,
        'datasetProperties',
        { patch: [{ op: 'copy', from: '/customProperties/a', path: '/customProperties/b' }] },
        { changeType: 'PATCH' },
      ),
    );
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', { proposals: copies });
    expectRefusal(answer, 413, 'PATCH_TOO_LARGE', '/proposals/3/aspect/value/patch/0/from');
  });

  it('patches of a large value cannot be repeated without end in a request', async () => {
    const urn = dataset('patch.rules.repeated');
    const large = { customProperties: { a: 'x'.repeat(2 * 1024 * 1024) } };
    await catalog.ingest([urn, 'datasetProperties', large]);
    const changes = Array.from({ length: 40 }, (_, i) =>
      proposal(
        urn,
        'datasetProperties',
        { patch: [{ op: 'add', path: `/customProperties/b`, value: String(i) }] },
        { changeType: 'PATCH' },
      ),
    );
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', { proposals: changes });
    expectRefusal(answer, 413, 'PATCH_TOO_LARGE', '/proposals/31/aspect/value');
    expect(answer.body.message).toMatch(/67108864 characters together, these have \d+.*send fewer/);
    expect(await catalog.read(urn, 'datasetProperties')).toMatchObject(large);
    const fewer = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: changes.slice(0, 20),
    });
    expect(fewer.status).toBe(200);
    expect(await catalog.read(urn, 'datasetProperties')).toMatchObject({ customProperties: { b: '19' } });
  });

  it('what is accepted to be carried out later is rejected with the reason', async () => {
    const urn = dataset('patch.rules.later');
    await catalog.ingest([urn, 'globalTags', TAGS]);
    const patch = [{ op: 'add', path: `/tags/${tag('a')}`, value: { tag: tag('b') } }];
    const accepted = await catalog.request('PATCH', `${path(urn, 'globalTags')}?async=true`, {
      body: { patch },
    });
    expect(await settled(catalog, accepted)).toMatchObject({
      state: 'REJECTED',
      error: { code: 'PATCH_MALFORMED', errors: [{ pointer: '/patch/0/value/tag' }] },
    });
  });

  it('an aspect does not grow beyond the largest body', async () => {
    const small = await TestCatalog.start({ CATALOG_BODY_LIMIT: '64KiB' });
    try {
      const urn = dataset('patch.rules.large');
      const add = (name: string) =>
        small.propose(
          urn,
          'datasetProperties',
          [{ op: 'add', path: `/customProperties/${name}`, value: 'x'.repeat(30_000) }],
          { changeType: 'PATCH' },
        );
      expect((await add('a')).status).toBe(200);
      expect((await add('b')).status).toBe(200);
      const refused = await add('c');
      expectRefusal(refused, 413, 'ASPECT_TOO_LARGE', '/proposal');
      expect(refused.body.message).toMatch(/65536 characters, it would have 9\d{4}/);
    } finally {
      await small.stop();
    }
  });
});
