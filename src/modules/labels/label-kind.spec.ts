import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  labelsOf,
  TAGS,
  TERMS,
  withLabels,
  withoutLabels,
  type LabelKind,
  type Labels,
} from './label-kind.js';

const STAMP = { time: 7, actor: 'urn:li:corpuser:ed' };
const names = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'd', '__proto__', '0'), { maxLength: 6 });
const kinds = fc.constantFrom<LabelKind[]>(TAGS, TERMS);
const holding = (kind: LabelKind, labels: readonly string[]): Labels => ({
  [kind.list]: [...new Set(labels)].map((urn) => ({ [kind.key]: urn, context: `because ${urn}` })),
});

describe('labels', () => {
  it('are there once after they were added, behind those that were there, which stay as they are', () => {
    fc.assert(
      fc.property(kinds, names, names, (kind, before, added) => {
        const start = holding(kind, before);
        const next = withLabels(kind, start, added, STAMP);
        const expected = [...new Set([...before, ...added])];
        expect(labelsOf(kind, next ?? start)).toEqual(expected);
        expect(next === undefined).toBe(expected.length === new Set(before).size);
        const kept = ((next ?? start)[kind.list] as object[]).slice(0, new Set(before).size);
        expect(kept).toEqual(start[kind.list]);
      }),
    );
  });

  it('are gone after they were removed, and the others stay as they are', () => {
    fc.assert(
      fc.property(kinds, names, names, (kind, before, gone) => {
        const start = holding(kind, before);
        const next = withoutLabels(kind, start, new Set(gone), STAMP);
        const rest = (start[kind.list] as Array<Record<string, string>>).filter(
          (element) => !gone.includes(element[kind.key] ?? ''),
        );
        expect((next ?? start)[kind.list]).toEqual(rest);
        expect(next === undefined).toBe(rest.length === new Set(before).size);
      }),
    );
  });

  it('terms say who attached them and when; tags do not', () => {
    expect(withLabels(TERMS, undefined, ['t'], STAMP)).toEqual({
      terms: [{ urn: 't', actor: STAMP.actor }],
      auditStamp: STAMP,
    });
    expect(withLabels(TAGS, undefined, ['t'], STAMP)).toEqual({ tags: [{ tag: 't' }] });
  });
});
