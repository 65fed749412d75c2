import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal, version } from '../aspect-api/support.js';
import { define, holds, setting } from './support.js';

const SCANNER = 'urn:li:dataHubAction:scanner';
const SOURCE_KEY = 'attribution\u241fsource';

let catalog: TestCatalog;
let first: string;
let second: string;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  first = await define(catalog, 'sources.first', 'number');
  second = await define(catalog, 'sources.second', 'number');
});
afterAll(() => catalog?.stop());

/** As the client sends what comes from a source: the source stands in the path only. */
const patched = (urn: string, aspect: string, keys: Record<string, string[]>, ...patch: object[]) =>
  catalog.post('/aspects?action=ingestProposal', {
    proposal: {
      ...proposal(urn, aspect, { arrayPrimaryKeys: keys, patch }, { changeType: 'PATCH' }),
    },
  });
const set = (urn: string, of: string, source: string, value: object = holds(of, 1.5)) =>
  patched(
    urn,
    'structuredProperties',
    { properties: ['propertyUrn', SOURCE_KEY] },
    { op: 'add', path: `/properties/${of}/${source}`, value },
  );
const attribution = (source: string) => ({ source, time: expect.any(Number), actor: expect.any(String) });

describe('values that come from a source', () => {
  it('name it where only the path says it', async () => {
    const urn = dataset('sources.one');
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect((await set(urn, first, SCANNER)).status).toBe(200);
    expect((await set(urn, second, '')).status).toBe(200);
    const stored = await catalog.read(urn, 'structuredProperties');
    expect(stored).toEqual(
      setting(
        { ...holds(first, 1.5), attribution: expect.objectContaining(attribution(SCANNER)) } as never,
        holds(second, 1.5),
      ),
    );
    // The same again is no change, and other values are.
    expect((await set(urn, first, SCANNER)).status).toBe(200);
    expect(await catalog.read(urn, 'structuredProperties')).toEqual(stored);
    expect(await version(catalog, urn, 'structuredProperties', 3)).toBeUndefined();
    expect((await set(urn, first, SCANNER, holds(first, 2))).status).toBe(200);
    expect((await catalog.read(urn, 'structuredProperties')).properties[0]).toMatchObject(holds(first, 2));
    const remove = { op: 'remove', path: `/properties/${first}/${SCANNER}`, value: {} };
    const keys = { properties: ['propertyUrn', SOURCE_KEY] };
    expect((await patched(urn, 'structuredProperties', keys, remove)).status).toBe(200);
    expect(await catalog.read(urn, 'structuredProperties')).toEqual(setting(holds(second, 1.5)));
  });

  it('must not name another one', async () => {
    const urn = dataset('sources.other');
    await catalog.ingest([urn, 'status', { removed: false }]);
    const from = { ...attribution('urn:li:dataHubAction:other'), time: 1, actor: 'urn:li:corpuser:ann' };
    for (const given of [from, { time: 1, actor: 'urn:li:corpuser:ann' }]) {
      const answer = await set(urn, first, SCANNER, { ...holds(first, 1), attribution: given });
      const pointer = '/proposal/aspect/value/patch/0/value/attribution/source';
      expectRefusal(answer, 400, 'PATCH_MALFORMED', pointer);
    }
    expectRefusal(
      await set(urn, first, '', { ...holds(first, 1), attribution: from }),
      400,
      'PATCH_MALFORMED',
    );
  });

  it('may be tags as well', async () => {
    const urn = dataset('sources.tags');
    const tag = 'urn:li:tag:x';
    const keys = { tags: [SOURCE_KEY, 'tag'] };
    const add = { op: 'add', path: `/tags/${SCANNER}/${tag}`, value: { tag } };
    expect((await patched(urn, 'globalTags', keys, add)).status).toBe(200);
    const [only] = (await catalog.read(urn, 'globalTags')).tags;
    expect(only).toMatchObject({ tag, attribution: attribution(SCANNER) });
  });
});
