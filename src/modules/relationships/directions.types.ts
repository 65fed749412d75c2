import { registerEnumType } from '@nestjs/graphql';
import { enumOf } from '../graphql/index.js';

export const RelationshipDirection = enumOf(['INCOMING', 'OUTGOING']);
export type RelationshipDirection = keyof typeof RelationshipDirection;
registerEnumType(RelationshipDirection, {
  name: 'RelationshipDirection',
  description: 'Seen from the entity: edges that lead to it, or away from it.',
});

export const LineageDirection = enumOf(['UPSTREAM', 'DOWNSTREAM']);
export type LineageDirection = keyof typeof LineageDirection;
registerEnumType(LineageDirection, {
  name: 'LineageDirection',
  description: 'Where data comes from, or where it goes.',
});
