import { Field, registerEnumType } from '@nestjs/graphql';
import { Entity, EntityObject, enumOf, NarrowEntity, OwnerType } from '../graphql/index.js';

export const IncidentPriority = enumOf(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']);
export type IncidentPriority = keyof typeof IncidentPriority;
registerEnumType(IncidentPriority, {
  name: 'IncidentPriority',
  description: 'How urgent an incident is.',
  valuesMap: {
    LOW: { description: 'Stored as 3.' },
    MEDIUM: { description: 'Stored as 2.' },
    HIGH: { description: 'Stored as 1.' },
    CRITICAL: { description: 'Stored as 0.' },
  },
});

/** By the number that is stored. */
const PRIORITIES: readonly IncidentPriority[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];

/** The number that is stored for a priority. */
export function storedPriority(priority: IncidentPriority): number {
  return PRIORITIES.indexOf(priority);
}

export const IncidentState = enumOf(['ACTIVE', 'RESOLVED']);
export type IncidentState = keyof typeof IncidentState;
registerEnumType(IncidentState, { name: 'IncidentState', description: 'Whether an incident is over.' });

export const IncidentStage = enumOf([
  'TRIAGE',
  'INVESTIGATION',
  'WORK_IN_PROGRESS',
  'FIXED',
  'NO_ACTION_REQUIRED',
]);
export type IncidentStage = keyof typeof IncidentStage;
registerEnumType(IncidentStage, { name: 'IncidentStage', description: 'How far an incident is.' });

@EntityObject('incident', 'A problem reported on one or more assets.')
export class Incident extends NarrowEntity {
  @Field(() => IncidentPriority, {
    nullable: true,
    description: 'How urgent it is; null when the stored number is none of 0 to 3.',
  })
  priority(): IncidentPriority | null {
    const stored = this.value('incidentInfo')?.priority;
    return (stored === undefined ? undefined : PRIORITIES[stored]) ?? null;
  }

  @Field(() => [OwnerType], { nullable: true, description: 'The users and groups that work on it.' })
  assignees(): Entity[] | null {
    const assignees = this.value('incidentInfo')?.assignees;
    if (!assignees) return null;
    return assignees
      .map(({ actor }) => this.context.entity(actor))
      .filter(({ entityName }) => entityName === 'corpuser' || entityName === 'corpGroup');
  }

  @Field(() => Entity, { nullable: true, description: 'The first of the assets that it is on.' })
  entity(): Entity | null {
    return this.context.entity(this.value('incidentInfo')?.entities[0]) ?? null;
  }
}
