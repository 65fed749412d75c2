import type { Differ, Value } from '../change-event.js';

/** An entity that is deprecated, or no longer. */
export const DEPRECATION: Differ = {
  category: 'DEPRECATION',
  diff: (entityUrn, before, after) => {
    const [then, now] = [isSet(before, 'deprecated'), isSet(after, 'deprecated')];
    if (then === now) return [];
    const status = now ? 'DEPRECATED' : 'ACTIVE';
    return [
      {
        category: 'DEPRECATION',
        operation: 'MODIFY',
        entityUrn,
        modifier: status,
        parameters: { status },
        semVerChange: 'MINOR',
        description: `${entityUrn} is ${now ? 'now' : 'no longer'} deprecated.`,
      },
    ];
  },
};

/** An entity that is soft-deleted or restored, by the field that says so. */
export function removalDiffer(field: string): Differ {
  return {
    category: 'LIFECYCLE',
    diff: (entityUrn, before, after) => {
      const [then, now] = [isSet(before, field), isSet(after, field)];
      if (then === now) return [];
      return [
        {
          category: 'LIFECYCLE',
          operation: now ? 'SOFT_DELETE' : 'REINSTATE',
          entityUrn,
          semVerChange: 'MAJOR',
          description: `${entityUrn} was ${now ? 'soft-deleted' : 'restored'}.`,
        },
      ];
    },
  };
}

const isSet = (value: Value, field: string): boolean => value?.[field] === true;
