import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FuzzedService, RUN_LIMIT } from './fuzz/fuzzed-service.js';

/** Operations of which every boundary of every parameter and member is tried, on entities and aspects of different sorts. */
const THOROUGH: Array<[document: string, operations: string]> = [
  ['generic', '(Entity|Entities|Aspect)$|^(entity|aspect)Exists$'],
  [
    'entities-v3-core',
    '^[a-zA-Z]+V3(Tag(TagProperties|Status)?|Dataset(GlobalTags|DatasetProfile)|StructuredPropertyPropertyDefinition)$',
  ],
  ['entities-v2-core', '^[a-zA-Z]+V2(Tag|TagTagProperties)$'],
  ['across-entities', '.'],
  ['aspect-api', '.'],
];

describe('schemathesis on the served documents', () => {
  let service: FuzzedService;
  beforeAll(async () => {
    service = await FuzzedService.start();
  });
  afterAll(() => service?.stop());

  it.each(THOROUGH)(
    'every boundary of %s: %s',
    async (document, operations) => {
      const { generated, passed } = await service.fuzz(document, operations, 'examples,coverage,fuzzing', 10);
      expect(generated).toBeGreaterThan(1000);
      expect(passed).toBe(generated);
    },
    RUN_LIMIT,
  );
});
