import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { EntityType, enumOf, FacetFilterInput } from '../graphql/index.js';
import { DataHubViewType } from '../search/graphql.js';

const LogicalOperator = enumOf(['AND', 'OR']);
registerEnumType(LogicalOperator, {
  name: 'LogicalOperator',
  description: 'Whether all of several filters must hold, or one.',
});

@InputType('DataHubViewFilterInput', { description: 'What a view lets through.' })
export class DataHubViewFilterInput {
  @Field(() => LogicalOperator, { description: 'Whether all filters must hold, or one.' })
  operator!: keyof typeof LogicalOperator;
  @Field(() => [FacetFilterInput], { description: 'The filters.' }) filters!: FacetFilterInput[];
}

@InputType('DataHubViewDefinitionInput', { description: 'What a view shows.' })
export class DataHubViewDefinitionInput {
  @Field(() => [EntityType], { description: 'Only entities of these types; of all types when empty.' })
  entityTypes!: EntityType[];
  @Field(() => DataHubViewFilterInput, { description: 'What it lets through.' })
  filter!: DataHubViewFilterInput;
}

@InputType('CreateViewInput', { description: 'A new view.' })
export class CreateViewInput {
  @Field(() => DataHubViewType, { description: 'For whom it is.' }) viewType!: DataHubViewType;
  @Field(() => String, { description: 'What it is called.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What it is for.' }) description?: string | null;
  @Field(() => DataHubViewDefinitionInput, { description: 'What it shows.' })
  definition!: DataHubViewDefinitionInput;
}

@InputType('UpdateViewInput', { description: 'Changes to a view; absent parts stay as they are.' })
export class UpdateViewInput {
  @Field(() => String, { nullable: true, description: 'What it is called.' }) name?: string | null;
  @Field(() => String, { nullable: true, description: 'What it is for.' }) description?: string | null;
  @Field(() => DataHubViewDefinitionInput, { nullable: true, description: 'What it shows.' })
  definition?: DataHubViewDefinitionInput | null;
}
