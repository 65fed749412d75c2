import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import { enumOf, Long, showsPartOf, showsRecord, type Stored } from '../graphql/index.js';

const RESULTS = ['SUCCESS', 'FAILURE', 'SKIPPED', 'UP_FOR_RETRY'] as const;
const DataProcessInstanceRunResultType = enumOf(RESULTS);
registerEnumType(DataProcessInstanceRunResultType, {
  name: 'DataProcessInstanceRunResultType',
  description: 'How a run ended.',
});

const DataProcessRunStatus = enumOf(['STARTED', 'COMPLETE']);
registerEnumType(DataProcessRunStatus, {
  name: 'DataProcessRunStatus',
  description: 'Whether a run began or ended.',
});

@ObjectType('DataProcessInstanceRunResult', { description: 'How a run ended.' })
export class DataProcessInstanceRunResult {
  @Field(() => DataProcessInstanceRunResultType, { nullable: true, description: 'The same as type.' })
  resultType!: string;
}

@ObjectType('DataProcessRunEvent', { description: 'The start or the end of a run.' })
export class DataProcessRunEvent {
  @Field(() => DataProcessRunStatus, { nullable: true, description: 'Whether it began or ended.' })
  status!: string;
  @Field(() => Int, { nullable: true, description: 'Which attempt it is.' }) attempt!: number | null;
  @Field(() => DataProcessInstanceRunResult, { nullable: true, description: 'How it ended.' })
  result!: DataProcessInstanceRunResult | null;
  @Field(() => Long, { description: 'When, epoch milliseconds.' }) timestampMillis!: number;
  @Field(() => Long, { nullable: true, description: 'How long it took.' }) durationMillis!: number | null;
}

function runResult(value: model.DataProcessInstanceRunResult): DataProcessInstanceRunResult & Stored {
  return { resultType: value.type, stored: value };
}

export function runEvent(event: model.DataProcessInstanceRunEvent): DataProcessRunEvent {
  return {
    status: event.status,
    attempt: event.attempt ?? null,
    result: event.result ? runResult(event.result) : null,
    timestampMillis: event.timestampMillis,
    durationMillis: event.durationMillis ?? null,
  };
}

showsRecord('dataprocess.DataProcessInstanceRunResult', 'DataProcessInstanceRunResult', runResult);
showsPartOf('DataProcessInstanceRunResult', 'dataprocess.DataProcessInstanceRunResult', true);
