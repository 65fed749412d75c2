import { beforeAll, expect, it } from '@jest/globals';
import type { FieldClient } from './field-client.js';

/** One test for each step of a script of `sdk/`, and one that no step was forgotten. */
export function stepsOf(
  client: () => FieldClient,
  script: string,
  expected: Readonly<Record<string, unknown>>,
): void {
  let outcomes: Record<string, unknown>;
  beforeAll(async () => {
    outcomes = await client().outcomes(script);
  });

  it.each(Object.entries(expected))('%s', (name, outcome) => {
    expect(outcomes[name]).toEqual(outcome);
  });

  it('has a test for every step', () => {
    expect(Object.keys(outcomes)).toEqual(Object.keys(expected));
  });
}
