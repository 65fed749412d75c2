import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { enumOf, Long } from '../graphql/index.js';
import { IncidentPriority, IncidentStage, IncidentState } from './incident.types.js';

const IncidentType = enumOf(['FRESHNESS', 'VOLUME', 'FIELD', 'SQL', 'DATA_SCHEMA', 'OPERATIONAL', 'CUSTOM']);
type IncidentType = keyof typeof IncidentType;
registerEnumType(IncidentType, { name: 'IncidentType', description: 'What an incident is about.' });

const IncidentSourceType = enumOf(['MANUAL', 'ASSERTION_FAILURE']);
type IncidentSourceType = keyof typeof IncidentSourceType;
registerEnumType(IncidentSourceType, {
  name: 'IncidentSourceType',
  description: 'What an incident was raised by.',
});

@InputType('IncidentSourceInput', { description: 'What an incident was raised by.' })
export class IncidentSourceInput {
  @Field(() => IncidentSourceType, { description: 'People, or an assertion that failed.' })
  type!: IncidentSourceType;
  @Field(() => String, { nullable: true, description: 'URN of the assertion.' }) sourceUrn?: string | null;
}

@InputType('IncidentStatusInput', { description: 'How far an incident is.' })
export class IncidentStatusInput {
  @Field(() => IncidentState, { description: 'Whether it is over.' }) state!: IncidentState;
  @Field(() => IncidentStage, { nullable: true, description: 'How far it is.' }) stage?: IncidentStage | null;
  @Field(() => String, { nullable: true, description: 'What is said of it.' }) message?: string | null;
}

@InputType('RaiseIncidentInput', { description: 'A new incident.' })
export class RaiseIncidentInput {
  @Field(() => IncidentType, { description: 'What it is about.' }) type!: IncidentType;
  @Field(() => String, {
    nullable: true,
    description: 'What it is about, in words of its own, where `type` is CUSTOM.',
  })
  customType?: string | null;
  @Field(() => String, { nullable: true, description: 'What happened, in a few words.' }) title?:
    string | null;
  @Field(() => String, { nullable: true, description: 'What happened.' }) description?: string | null;
  @Field(() => String, { nullable: true, description: 'URN of the asset that it is on.' })
  resourceUrn?: string | null;
  @Field(() => [String], { nullable: true, description: 'URNs of the assets that it is on.' })
  resourceUrns?: string[] | null;
  @Field(() => IncidentSourceInput, { nullable: true, description: 'What raised it.' })
  source?: IncidentSourceInput | null;
  @Field(() => IncidentStatusInput, { nullable: true, description: 'How far it is; active when absent.' })
  status?: IncidentStatusInput | null;
  @Field(() => IncidentPriority, { nullable: true, description: 'How urgent it is.' })
  priority?: IncidentPriority | null;
  @Field(() => Long, { nullable: true, description: 'When it began, epoch milliseconds.' })
  startedAt?: number | null;
  @Field(() => [String], { nullable: true, description: 'URNs of the users and groups that work on it.' })
  assigneeUrns?: string[] | null;
}
