import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { Entity, EntityObject, FacetFilterInput, keyParts, NarrowEntity } from '../graphql/index.js';
import { ListInput, SortCriterion } from '../search/graphql.js';

@EntityObject(
  'dataHubIngestionSource',
  'A configured source from which metadata is collected on a schedule.',
  'IngestionSource',
)
export class IngestionSource extends NarrowEntity {
  @Field(() => String, { description: 'What it is called; its id when it has no name.' })
  name(): string {
    return this.value('dataHubIngestionSourceInfo')?.name ?? keyParts(this.urnText)[0] ?? '';
  }
}

@EntityObject(
  'dataHubExecutionRequest',
  'A request to run a task, such as an ingestion, and its outcome.',
  'ExecutionRequest',
)
export class ExecutionRequest extends NarrowEntity {
  @Field(() => String, { description: 'Its id, the last part of the URN.' })
  get id(): string {
    return keyParts(this.urnText)[0] ?? '';
  }
}

@ObjectType('IngestionSourceExecutionRequests', { description: 'A page of the runs of an ingestion source.' })
export class IngestionSourceExecutionRequests {
  @Field(() => Int, { nullable: true, description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { nullable: true, description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { nullable: true, description: 'How many there are.' }) total!: number;
  @Field(() => [ExecutionRequest], { description: 'The runs, the latest first.' })
  executionRequests!: Entity[];
}

@InputType('ListIngestionSourcesInput', { description: 'A page of the ingestion sources.' })
export class ListIngestionSourcesInput extends ListInput {
  @Field(() => [FacetFilterInput], { nullable: true, description: 'Conditions that must all hold.' })
  filters?: FacetFilterInput[] | null;
  @Field(() => SortCriterion, { nullable: true, description: 'The best match first when absent.' })
  sort?: SortCriterion | null;
}

@InputType('GetSecretValuesInput', { description: 'Which secrets an ingestion needs.' })
export class GetSecretValuesInput {
  @Field(() => [String], { description: 'Their names.' }) secrets!: string[];
}

@ObjectType('SecretValue', { description: 'A secret. The service hands out none.' })
export class SecretValue {
  @Field(() => String) name!: string;
  @Field(() => String) value!: string;
}

@ObjectType('ListIngestionSourcesResult', { description: 'A page of the ingestion sources.' })
export class ListIngestionSourcesResult {
  @Field(() => Int, { description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many there are.' }) total!: number;
  @Field(() => [IngestionSource], { description: 'The ingestion sources.' }) ingestionSources!: Entity[];
}
