import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TERMS } from '../../glossary/term-association.js';
import { TAGS } from '../../tags/tag-association.js';
import {
  associated,
  associatedUrns,
  dissociated,
  type AssociationKind,
  type Associations,
} from './association.js';

const STAMP = { time: 7, actor: 'urn:li:corpuser:ed' };
const names = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'd', '__proto__', '0'), { maxLength: 6 });
const kinds = fc.constantFrom<AssociationKind[]>(TAGS, TERMS);
const holding = (kind: AssociationKind, urns: readonly string[]): Associations => ({
  [kind.list]: [...new Set(urns)].map((urn) => ({ [kind.key]: urn, context: `because ${urn}` })),
});

describe('associations', () => {
  it('are there once after they were added, behind those that were there, which stay as they are', () => {
    fc.assert(
      fc.property(kinds, names, names, (kind, before, added) => {
        const start = holding(kind, before);
        const next = associated(kind, start, added, STAMP);
        const expected = [...new Set([...before, ...added])];
        expect(associatedUrns(kind, next ?? start)).toEqual(expected);
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
        const next = dissociated(kind, start, new Set(gone), STAMP);
        const rest = (start[kind.list] as Array<Record<string, string>>).filter(
          (element) => !gone.includes(element[kind.key] ?? ''),
        );
        expect((next ?? start)[kind.list]).toEqual(rest);
        expect(next === undefined).toBe(rest.length === new Set(before).size);
      }),
    );
  });

  it('terms say who attached them and when; tags do not', () => {
    expect(associated(TERMS, undefined, ['t'], STAMP)).toEqual({
      terms: [{ urn: 't', actor: STAMP.actor }],
      auditStamp: STAMP,
    });
    expect(associated(TAGS, undefined, ['t'], STAMP)).toEqual({ tags: [{ tag: 't' }] });
  });
});
