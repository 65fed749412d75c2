import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Model } from '../../../catalog/model/index.js';
import { tryParseUrn } from '../../../catalog/urn/index.js';
import type { Schema } from './openapi-types.js';
import { entityUrnSchema, knownUrnSchema, urnSchema } from './urn-schemas.js';

const model = Model.load();
const regExp = (schema: Schema): RegExp => new RegExp(schema['pattern'] as string, 'u');
const ANY = regExp(urnSchema());
const KNOWN = regExp(knownUrnSchema(model));

function isTaken(text: string): boolean {
  const urn = tryParseUrn(text);
  if (urn === undefined) return false;
  try {
    model.keyFromUrn(urn);
    return true;
  } catch {
    return false;
  }
}

/** Pairs of parentheses inside each other. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const sign of text) {
    if (sign === '(') most = Math.max(most, ++depth);
    if (sign === ')') depth--;
  }
  return most;
}

const texts = fc
  .array(fc.constantFrom('a', 'b', ' ', '(', ')', ','), { maxLength: 8 })
  .map((l) => l.join(''));

describe('the patterns of URNs', () => {
  it.each([
    ['tag', (text: string) => `urn:li:tag:${text}`],
    ['dataset', (text: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${text},PROD)`],
    ['dataset', (text: string) => `urn:li:dataset:(urn:li:dataPlatform:${text},a,PROD)`],
    ['chart', (text: string) => `urn:li:chart:(looker,${text})`],
    ['schemaField', (text: string) => `urn:li:schemaField:(urn:li:tag:a,${text})`],
    ['schemaField', (text: string) => `urn:li:schemaField:(urn:li:tag:${text},a)`],
  ])('match what the catalog takes and nothing else: %s', (name, urnOf) => {
    const own = regExp(entityUrnSchema(model.entities.get(name)!, model));
    fc.assert(
      fc.property(texts, (text) => {
        const urn = urnOf(text);
        fc.pre(depthOf(urn) <= 3);
        const taken = isTaken(urn);
        expect({ urn, own: own.test(urn), known: KNOWN.test(urn) }).toEqual({
          urn,
          own: taken,
          known: taken,
        });
        if (taken) expect(urn).toMatch(ANY);
      }),
      { numRuns: 2000 },
    );
  });
});
