import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { distinctOperations } from './fuzz/distinct-operations.js';
import { FuzzedService, RUN_LIMIT } from './fuzz/fuzzed-service.js';

/** Documents of which every operation of a shape of its own is tried. */
const ENTITY_DOCUMENTS = ['core', 'pipelines', 'more'].flatMap((part) => [
  `entities-v3-${part}`,
  `entities-v2-${part}`,
]);

describe('schemathesis on the served documents', () => {
  let service: FuzzedService;
  const seen = new Set<string>();
  beforeAll(async () => {
    service = await FuzzedService.start();
  });
  afterAll(() => service?.stop());

  it.each(ENTITY_DOCUMENTS)(
    'every shape of %s',
    async (name) => {
      const ids = distinctOperations(await service.document(name), seen);
      expect(ids.length).toBeGreaterThan(10);
      const { generated, passed, tested } = await service.fuzz(
        name,
        `^(${ids.join('|')})$`,
        'examples,fuzzing',
        1,
      );
      expect(tested).toBe(ids.length);
      expect(passed).toBe(generated);
    },
    RUN_LIMIT,
  );
});
