import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { enumOf, optional, StringMapEntryInput } from '../graphql/index.js';

const IngestionSourceSourceType = enumOf(['SYSTEM']);
registerEnumType(IngestionSourceSourceType, {
  name: 'IngestionSourceSourceType',
  description: 'Where an ingestion source comes from.',
});

@InputType('UpdateIngestionSourceScheduleInput', { description: 'When it is to run.' })
export class UpdateIngestionSourceScheduleInput {
  @Field(() => String, { description: 'As a cron expression.' }) interval!: string;
  @Field(() => String, { description: 'The time zone of the expression.' }) timezone!: string;
}

@InputType('UpdateIngestionSourceConfigInput', { description: 'What is to run.' })
export class UpdateIngestionSourceConfigInput {
  @Field(() => String, { description: 'The recipe as JSON text.' }) recipe!: string;
  @Field(() => String, { nullable: true, description: 'Version of the client that runs it.' })
  version?: string | null;
  @Field(() => String, { description: 'Who is to run it.' }) executorId!: string;
  @Field(() => Boolean, optional) debugMode?: boolean | null;
  @Field(() => [StringMapEntryInput], { nullable: true, description: 'Further arguments.' })
  extraArgs?: StringMapEntryInput[] | null;
}

@InputType('IngestionSourceSourceInput', { description: 'Where an ingestion source comes from.' })
export class IngestionSourceSourceInput {
  @Field(() => IngestionSourceSourceType) type!: keyof typeof IngestionSourceSourceType;
}

@InputType('UpdateIngestionSourceInput', { description: 'An ingestion source.' })
export class UpdateIngestionSourceInput {
  @Field(() => String, { description: 'What it is called.' }) name!: string;
  @Field(() => String, { description: 'What kind of source it is, such as snowflake.' }) type!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Accepted and ignored: the model has no place for it.',
  })
  description?: string | null;
  @Field(() => UpdateIngestionSourceScheduleInput, { nullable: true, description: 'When it is to run.' })
  schedule?: UpdateIngestionSourceScheduleInput | null;
  @Field(() => UpdateIngestionSourceConfigInput, { description: 'What is to run.' })
  config!: UpdateIngestionSourceConfigInput;
  @Field(() => IngestionSourceSourceInput, { nullable: true, description: 'Where it comes from.' })
  source?: IngestionSourceSourceInput | null;
}
