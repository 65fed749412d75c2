import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { enumOf, Long, optional, StringMapEntryInput } from '../graphql/index.js';

const AssertionResultType = enumOf(['INIT', 'SUCCESS', 'FAILURE', 'ERROR']);
registerEnumType(AssertionResultType, { name: 'AssertionResultType', description: 'How a check ended.' });

const AssertionResultSeverity = enumOf(['LOW', 'MEDIUM', 'HIGH']);
registerEnumType(AssertionResultSeverity, {
  name: 'AssertionResultSeverity',
  description: 'How bad a failure is.',
});

const AssertionResultErrorType = enumOf([
  'SOURCE_CONNECTION_ERROR',
  'SOURCE_QUERY_FAILED',
  'INSUFFICIENT_DATA',
  'INVALID_PARAMETERS',
  'INVALID_SOURCE_TYPE',
  'UNSUPPORTED_PLATFORM',
  'CUSTOM_SQL_ERROR',
  'FIELD_ASSERTION_ERROR',
  'UNKNOWN_ERROR',
]);
registerEnumType(AssertionResultErrorType, {
  name: 'AssertionResultErrorType',
  description: 'Why a check could not be made.',
});

const DatasetAssertionScope = enumOf([
  'DATASET_COLUMN',
  'DATASET_ROWS',
  'DATASET_STORAGE_SIZE',
  'DATASET_SCHEMA',
  'UNKNOWN',
]);
registerEnumType(DatasetAssertionScope, {
  name: 'DatasetAssertionScope',
  description: 'What of a dataset is checked.',
});

const AssertionStdAggregation = enumOf([
  'ROW_COUNT',
  'COLUMNS',
  'COLUMN_COUNT',
  'IDENTITY',
  'MEAN',
  'MEDIAN',
  'UNIQUE_COUNT',
  'UNIQUE_PROPORTION',
  'UNIQUE_PROPOTION',
  'NULL_COUNT',
  'NULL_PROPORTION',
  'STDDEV',
  'MIN',
  'MAX',
  'SUM',
  '_NATIVE_',
]);
registerEnumType(AssertionStdAggregation, {
  name: 'AssertionStdAggregation',
  description: 'What is computed before it is compared.',
});

const AssertionStdOperator = enumOf([
  'BETWEEN',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'EQUAL_TO',
  'NOT_EQUAL_TO',
  'NULL',
  'NOT_NULL',
  'CONTAIN',
  'END_WITH',
  'START_WITH',
  'REGEX_MATCH',
  'IN',
  'NOT_IN',
  'IS_TRUE',
  'IS_FALSE',
  '_NATIVE_',
]);
registerEnumType(AssertionStdOperator, { name: 'AssertionStdOperator', description: 'How it is compared.' });

const AssertionStdParameterType = enumOf(['STRING', 'NUMBER', 'LIST', 'SET', 'UNKNOWN']);
registerEnumType(AssertionStdParameterType, {
  name: 'AssertionStdParameterType',
  description: 'What kind of value a parameter is.',
});

@InputType('PlatformInput', { description: 'A platform, by its URN or its name.' })
export class PlatformInput {
  @Field(() => String, optional) urn?: string | null;
  @Field(() => String, optional) name?: string | null;
}

@InputType('AssertionStdParameterInput', { description: 'What is compared with.' })
export class AssertionStdParameterInput {
  @Field(() => String) value!: string;
  @Field(() => AssertionStdParameterType) type!: keyof typeof AssertionStdParameterType;
}

@InputType('AssertionStdParametersInput', { description: 'What is compared with.' })
export class AssertionStdParametersInput {
  @Field(() => AssertionStdParameterInput, optional) value?: AssertionStdParameterInput | null;
  @Field(() => AssertionStdParameterInput, optional) maxValue?: AssertionStdParameterInput | null;
  @Field(() => AssertionStdParameterInput, optional) minValue?: AssertionStdParameterInput | null;
}

@InputType('UpsertCustomAssertionInput', { description: 'A check that another tool makes.' })
export class UpsertCustomAssertionInput {
  @Field(() => String, { description: 'URN of the dataset that is checked.' }) entityUrn!: string;
  @Field(() => String, { description: 'What kind of check it is, in words of its own.' }) type!: string;
  @Field(() => String, { description: 'What is checked.' }) description!: string;
  @Field(() => String, { nullable: true, description: 'The column that is checked.' })
  fieldPath?: string | null;
  @Field(() => [String], { nullable: true, description: 'The columns that are checked.' })
  fieldPaths?: string[] | null;
  @Field(() => PlatformInput, { description: 'The tool that makes it.' }) platform!: PlatformInput;
  @Field(() => String, { nullable: true, description: 'Address of its page in its own tool.' })
  externalUrl?: string | null;
  @Field(() => String, { nullable: true, description: 'What is run.' }) logic?: string | null;
  @Field(() => DatasetAssertionScope, optional) scope?: keyof typeof DatasetAssertionScope | null;
  @Field(() => AssertionStdAggregation, optional) aggregation?: keyof typeof AssertionStdAggregation | null;
  @Field(() => AssertionStdOperator, optional) operator?: keyof typeof AssertionStdOperator | null;
  @Field(() => AssertionStdParametersInput, optional) parameters?: AssertionStdParametersInput | null;
  @Field(() => String, { nullable: true, description: 'Name of the check in its own tool.' })
  nativeType?: string | null;
  @Field(() => [StringMapEntryInput], { nullable: true, description: 'Its parameters in its own tool.' })
  nativeParameters?: StringMapEntryInput[] | null;
}

@InputType('AssertionResultErrorInput', { description: 'Why a check could not be made.' })
export class AssertionResultErrorInput {
  @Field(() => AssertionResultErrorType) type!: keyof typeof AssertionResultErrorType;
  @Field(() => String, { description: 'The error in words.' }) message!: string;
}

@InputType('AssertionResultInput', { description: 'How a check ended.' })
export class AssertionResultInput {
  @Field(() => Long, { nullable: true, description: 'When it was, epoch milliseconds; now when absent.' })
  timestampMillis?: number | null;
  @Field(() => AssertionResultType) type!: keyof typeof AssertionResultType;
  @Field(() => [StringMapEntryInput], { nullable: true, description: 'The result in words of its tool.' })
  properties?: StringMapEntryInput[] | null;
  @Field(() => String, { nullable: true, description: 'Address of the result in its own tool.' })
  externalUrl?: string | null;
  @Field(() => AssertionResultErrorInput, optional) error?: AssertionResultErrorInput | null;
  @Field(() => AssertionResultSeverity, optional) severity?: keyof typeof AssertionResultSeverity | null;
}
