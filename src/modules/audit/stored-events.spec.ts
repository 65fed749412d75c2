import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AuditEvent } from '../../catalog/audit/index.js';
import { eventsOf, textOf } from './stored-events.js';

const event = fc.record<AuditEvent>(
  {
    type: fc.constantFrom('EntityEvent', 'UpdateAspectEvent', 'DeleteEntityEvent'),
    urn: fc.constantFrom('urn:li:tag:a', 'urn:li:tag:"b"'),
    aspect: fc.constantFrom('', 'status', 'tagProperties'),
    details: fc.oneof(
      fc.record({ changeType: fc.constantFrom('UPSERT', 'DELETE'), version: fc.nat(2) }),
      fc.record({ deletedAspects: fc.array(fc.constantFrom('status', 'tagKey'), { maxLength: 2 }) }),
      fc.constant({}),
    ),
  },
  { requiredKeys: ['type'] },
);

describe('the events of an audit record', () => {
  it('are read as they were written, in their order', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const expected = events.map(({ type, urn = '', aspect = '', details }) =>
          details === undefined ? [type, urn, aspect] : [type, urn, aspect, details],
        );
        expect(eventsOf(textOf(events))).toEqual(expected);
      }),
    );
  });

  it('of one entity have their details once', () => {
    const details = { changeType: 'UPSERT', version: 1 };
    const update = (aspect: string): AuditEvent => ({
      ...{ type: 'UpdateAspectEvent', urn: 'urn:li:tag:a', aspect },
      details: { ...details },
    });
    expect(textOf([update('status'), update('tagProperties')])).toBe(
      JSON.stringify([['UpdateAspectEvent', 'urn:li:tag:a', details, 'status', 'tagProperties']]),
    );
  });

  it('are read as earlier versions wrote them', () => {
    const former = [
      ['EntityEvent', 'urn:li:tag:a', 'tagKey', { changeType: 'CREATE', version: 1 }],
      ['UpdateAspectEvent', 'urn:li:tag:a', 'status'],
    ];
    expect(eventsOf(JSON.stringify(former))).toEqual(former);
  });
});
