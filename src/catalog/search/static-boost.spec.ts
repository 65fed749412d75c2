import { describe, expect, it } from '@jest/globals';
import { documentOf } from '../../../test/conformance/search-fixture.js';
import { STATIC_BOOST_FIELD } from './static-boost.js';

const staticBoost = (urn: string, aspects: Record<string, Record<string, unknown>> = {}) =>
  Number(documentOf(urn, aspects).fields[STATIC_BOOST_FIELD]![0]);
const dataset = (origin: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,db.t,${origin})`;
const DEPRECATION = { deprecation: { deprecated: true, note: '', actor: 'urn:li:corpuser:ada' } };
const DESCRIBED = { datasetProperties: { description: 'what it is' } };

describe('static boost', () => {
  it('falls outside the live environment, and by the weights of the model', () => {
    const plain = staticBoost(dataset('PROD'));
    expect(staticBoost(dataset('DEV'))).toBeCloseTo(plain / 4, 2);
    expect(staticBoost(dataset('PROD'), DEPRECATION)).toBeCloseTo(plain / 2, 2);
    expect(staticBoost('urn:li:chart:(looker,1)')).toBe(plain);
  });

  it('rises with what people say about an entity, not with what is found out about it', () => {
    const plain = staticBoost(dataset('PROD'));
    expect(staticBoost(dataset('PROD'), DESCRIBED)).toBeGreaterThan(plain);
    expect(
      staticBoost(dataset('PROD'), { upstreamLineage: { upstreams: [{ dataset: dataset('PROD') }] } }),
    ).toBe(plain);
    expect(staticBoost(dataset('PROD'), { ...DESCRIBED, ...DEPRECATION })).toBeLessThan(plain);
  });
});
