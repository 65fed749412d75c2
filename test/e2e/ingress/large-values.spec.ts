import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,large.values,PROD)';
const MEMBERS = 15_000;
/** Members of a value that one piece of work may take: some milliseconds. */
const TOGETHER = 6_000;

/** That of the build, which runs in a context of its own, as its errors do. */
const json = (Error.constructor as FunctionConstructor)('return JSON')() as Record<
  'parse' | 'stringify',
  (...args: unknown[]) => unknown
>;

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

/** Notes how many members of the value one call of a function of JSON reads or writes at the most. */
function watch(name: 'parse' | 'stringify'): { most: number; end: () => void } {
  const original = json[name];
  const watched = {
    most: 0,
    end: () => {
      json[name] = original;
    },
  };
  json[name] = (...args) => {
    const result = original(...args);
    const text = name === 'parse' ? args[0] : result;
    if (typeof text === 'string' && text.length > 50_000)
      watched.most = Math.max(
        watched.most,
        text.match(/"(?:key_\d+":|https:..example.org.\d+",)/g)?.length ?? 0,
      );
    return result;
  };
  return watched;
}

const properties = (of: string) => ({
  customProperties: Object.fromEntries(
    Array.from({ length: MEMBERS }, (_, k) => [`key_${k}`, `${of} of ${k}`]),
  ),
});
const links = (description: string) => ({
  elements: Array.from({ length: MEMBERS }, (_, k) => ({
    url: `https://example.org/${k}`,
    description,
    createStamp: { time: 1, actor: 'urn:li:corpuser:large' },
  })),
});

describe.each<[string, (i: number) => unknown]>([
  ['datasetProperties', (i) => properties(`text ${i}`)],
  ['institutionalMemory', (i) => links(`text ${i}`)],
])('a large value of %s', (aspect, valueOf) => {
  it('is parsed and printed in parts, from the request to the index', async () => {
    const parsed = watch('parse');
    const printed = watch('stringify');
    try {
      for (const i of [0, 1]) await catalog.ingest([DATASET, aspect, valueOf(i)]);
      await catalog.search('dataset', '*');
    } finally {
      parsed.end();
      printed.end();
    }
    for (const { most } of [parsed, printed]) {
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(TOGETHER);
    }
  });
});
