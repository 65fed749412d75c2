import { describe, expect, it } from '@jest/globals';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import type { AspectValueRepository, ReadFilters, ReferenceRepository } from '../../entities/index.js';
import type { IngestService } from '../../ingest/index.js';
import { ReferencesService } from './references.service.js';

const TAG = 'urn:li:tag:gone';
const HOLDER = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const ADMIN = { actor: 'urn:li:corpuser:ada', role: 'ADMIN' } as const;

/** One reference, whose removal is refused as `submit` refuses it. */
function service(submit: () => Promise<unknown>): ReferencesService {
  const reference = { source_id: 1, urn: HOLDER, aspect: 'globalTags', type: 'TaggedWith' };
  const value = JSON.stringify({ tags: [{ tag: TAG }] });
  return new ReferencesService(
    Model.load(),
    { count: async () => 1, page: async () => [reference] } as unknown as ReferenceRepository,
    { latest: async () => ({ value, version: 3 }) } as unknown as AspectValueRepository,
    { shown: async (_urn: string, seen: object) => seen } as unknown as ReadFilters,
    { submit } as unknown as IngestService,
  );
}

describe('references that could not be taken out', () => {
  const outcome = (references: ReferencesService) => references.remove(ADMIN, parseUrn(TAG), false);

  it.each([
    ['the database is unavailable', 'SERVICE_UNAVAILABLE'],
    ['others write the aspect all the time', 'PRECONDITION_FAILED'],
  ] as const)('are left for later, not for ever: %s', async (message, code) => {
    const refused = async () => Promise.reject(refuse(code, message));
    await expect(outcome(service(refused))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('stay, with the reason, when a rule refuses it', async () => {
    const refused = async () => Promise.reject(refuse('RULE_VIOLATED', 'the tag has to stay'));
    expect(await outcome(service(refused))).toMatchObject({
      total: 1,
      left: [{ urn: HOLDER, aspect: 'globalTags', reason: 'the tag has to stay' }],
    });
  });
});
