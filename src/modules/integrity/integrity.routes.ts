import { action, integer, text } from '../../catalog/route/index.js';

export const DEFAULT_NAMED = 100;
const MAX_NAMED = 10_000;

export const verifyStore = action({
  resource: 'operations',
  action: 'verifyStore',
  needs: 'manage',
  summary:
    'Checks values, history, events and relationships of the store against each other, some seconds at a time; changes nothing',
  parameters: {
    from: text('`next` of the answer before; left out, it begins'),
    limit: integer(`most faults to name, default ${DEFAULT_NAMED}`, { minimum: 0, maximum: MAX_NAMED }),
  },
  answer:
    '{entities, aspects, relationships, history, events: how many of each were read, faultCount, faults: [{kind, entity, aspect, reason}], next: absent when all was read}',
  example: {},
});

export const INTEGRITY_ACTIONS = [verifyStore];
