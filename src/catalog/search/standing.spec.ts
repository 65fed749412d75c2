import { describe, expect, it } from '@jest/globals';
import { documentOf } from '../../../test/conformance/search-fixture.js';
import { STANDING_FIELD } from './standing.js';

const standing = (urn: string, aspects: Record<string, Record<string, unknown>> = {}) =>
  Number(documentOf(urn, aspects).fields[STANDING_FIELD]![0]);
const dataset = (origin: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,db.t,${origin})`;
const DEPRECATION = { deprecation: { deprecated: true, note: '', actor: 'urn:li:corpuser:ada' } };
const DESCRIBED = { datasetProperties: { description: 'what it is' } };

describe('standing', () => {
  it('falls outside the live environment, and by the weights of the model', () => {
    const plain = standing(dataset('PROD'));
    expect(standing(dataset('DEV'))).toBeCloseTo(plain / 4, 2);
    expect(standing(dataset('PROD'), DEPRECATION)).toBeCloseTo(plain / 2, 2);
    expect(standing('urn:li:chart:(looker,1)')).toBe(plain);
  });

  it('rises with what people say about an entity, not with what is found out about it', () => {
    const plain = standing(dataset('PROD'));
    expect(standing(dataset('PROD'), DESCRIBED)).toBeGreaterThan(plain);
    expect(
      standing(dataset('PROD'), { upstreamLineage: { upstreams: [{ dataset: dataset('PROD') }] } }),
    ).toBe(plain);
    expect(standing(dataset('PROD'), { ...DESCRIBED, ...DEPRECATION })).toBeLessThan(plain);
  });
});
