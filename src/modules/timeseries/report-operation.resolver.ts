import { Args, Context, Field, InputType, Mutation, registerEnumType, Resolver } from '@nestjs/graphql';
import {
  entriesToMap,
  enumOf,
  Long,
  optional,
  RequestContext,
  StringMapEntryInput,
} from '../graphql/index.js';
import { EventReports } from './event-reports.js';

const OperationType = enumOf(['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP', 'CUSTOM', 'UNKNOWN']);
type OperationType = keyof typeof OperationType;
registerEnumType(OperationType, { name: 'OperationType', description: 'What an operation does to data.' });

const OperationSourceType = enumOf(['DATA_PROCESS', 'DATA_PLATFORM']);
type OperationSourceType = keyof typeof OperationSourceType;
registerEnumType(OperationSourceType, {
  name: 'OperationSourceType',
  description: 'Who reports an operation.',
});

@InputType('ReportOperationInput', { description: 'An operation on a dataset.' })
class ReportOperationInput {
  @Field(() => String, { description: 'URN of the dataset.' }) urn!: string;
  @Field(() => OperationType, { description: 'What was done to the data.' }) operationType!: OperationType;
  @Field(() => String, { nullable: true, description: 'The name of the operation where its type is CUSTOM.' })
  customOperationType?: string | null;
  @Field(() => OperationSourceType, { description: 'Who reports it.' }) sourceType!: OperationSourceType;
  @Field(() => [StringMapEntryInput], { nullable: true, description: 'Further properties.' })
  customProperties?: StringMapEntryInput[] | null;
  @Field(() => String, { nullable: true, description: 'The part of the dataset; all of it when absent.' })
  partition?: string | null;
  @Field(() => Long, optional) numAffectedRows?: number | null;
  @Field(() => Long, { nullable: true, description: 'When it was, epoch milliseconds; now when absent.' })
  timestampMillis?: number | null;
}

/** Operations that clients report. */
@Resolver()
export class ReportOperationResolver {
  constructor(private readonly reports: EventReports) {}

  @Mutation(() => String, {
    nullable: true,
    description: 'Notes an operation on a dataset, done by the caller. Answers the URN of the dataset.',
  })
  async reportOperation(
    @Context() context: RequestContext,
    @Args('input', { type: () => ReportOperationInput }) input: ReportOperationInput,
  ): Promise<string> {
    const { principal } = context;
    const { urn, customOperationType, customProperties, partition, numAffectedRows } = input;
    const time = input.timestampMillis ?? Date.now();
    await this.reports.report(principal, { urn, at: '/urn' }, 'operation', {
      timestampMillis: time,
      lastUpdatedTimestamp: time,
      actor: principal.actor,
      operationType: input.operationType,
      sourceType: input.sourceType,
      ...(typeof customOperationType === 'string' && { customOperationType }),
      ...(customProperties && { customProperties: entriesToMap(customProperties) }),
      ...(typeof partition === 'string' && { partitionSpec: { type: 'PARTITION', partition } }),
      ...(typeof numAffectedRows === 'number' && { numAffectedRows }),
    });
    context.refresh();
    return urn;
  }
}
