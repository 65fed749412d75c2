import { describe, expect, it } from '@jest/globals';
import { RetentionRules, ruleOf, type RetentionPolicyValue } from './retention-rules.js';

const policy = (entityName: string, aspectName: string, maxVersions?: number): RetentionPolicyValue => ({
  entityName,
  aspectName,
  retention: maxVersions === undefined ? {} : { version: { maxVersions } },
});

describe('RetentionRules', () => {
  it('take the policy that names an aspect most closely', () => {
    const policies = [
      policy('*', '*', 4),
      policy('*', 'ownership', 3),
      policy('dataset', '*', 2),
      policy('dataset', 'ownership', 1),
    ];
    const rules = new RetentionRules(policies, ruleOf(9, 0));
    const versions = (type: string, aspect: string) => rules.of(type, aspect)?.versions;
    expect(versions('dataset', 'ownership')).toBe(1);
    expect(versions('dataset', 'status')).toBe(2);
    expect(versions('chart', 'ownership')).toBe(3);
    expect(versions('chart', 'status')).toBe(4);
    expect(new RetentionRules(policies.slice(1), ruleOf(9, 0)).of('chart', 'status')?.versions).toBe(9);
  });

  it('keep everything where nothing sets a limit, also against the configuration', () => {
    expect(new RetentionRules([], ruleOf(0, 0)).any).toBe(false);
    expect(new RetentionRules([], ruleOf(0, 0)).of('chart', 'status')).toBeUndefined();
    const rules = new RetentionRules([policy('chart', '*')], ruleOf(0, 1));
    expect(rules.any).toBe(true);
    expect(rules.of('chart', 'status')).toBeUndefined();
    expect(rules.of('dataset', 'status')).toEqual({ versions: undefined, ageMs: 86_400_000 });
  });

  it('take limits that leave nothing for none', () => {
    const rules = new RetentionRules([policy('*', '*', 0)], ruleOf(3, 0));
    expect(rules.of('chart', 'status')).toBeUndefined();
  });
});
