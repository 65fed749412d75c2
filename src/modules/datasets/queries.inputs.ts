import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { enumOf } from '../graphql/index.js';

const QueryLanguage = enumOf(['SQL', 'UNKNOWN']);
type QueryLanguage = keyof typeof QueryLanguage;
registerEnumType(QueryLanguage, {
  name: 'QueryLanguage',
  description: 'Languages of statements.',
  valuesMap: { SQL: { description: 'SQL.' }, UNKNOWN: { description: 'Another one.' } },
});

@InputType('QueryStatementInput', { description: 'A statement in some language.' })
export class QueryStatementInput {
  @Field(() => String, { description: 'The text of the statement.' }) value!: string;
  @Field(() => QueryLanguage, { description: 'The language it is written in.' }) language!: QueryLanguage;
}

@InputType({ isAbstract: true })
abstract class QueryTextsInput {
  @Field(() => String, { nullable: true, description: 'What it is called.' }) name?: string | null;
  @Field(() => String, { nullable: true, description: 'What it is for.' }) description?: string | null;
}

@InputType('CreateQueryPropertiesInput', { description: 'A query.' })
export class CreateQueryPropertiesInput extends QueryTextsInput {
  @Field(() => QueryStatementInput, { description: 'Its statement.' }) statement!: QueryStatementInput;
}

@InputType('UpdateQueryPropertiesInput', {
  description: 'Changes to a query; absent parts stay as they are.',
})
export class UpdateQueryPropertiesInput extends QueryTextsInput {
  @Field(() => QueryStatementInput, { nullable: true, description: 'Its statement.' })
  statement?: QueryStatementInput | null;
}

@InputType({ isAbstract: true })
abstract class QuerySubjectInput {
  @Field(() => String, { description: 'URN of a dataset that it reads.' }) datasetUrn!: string;
}

@InputType('CreateQuerySubjectInput', { description: 'What a query reads.' })
export class CreateQuerySubjectInput extends QuerySubjectInput {}

@InputType('UpdateQuerySubjectInput', { description: 'What a query reads.' })
export class UpdateQuerySubjectInput extends QuerySubjectInput {}

@InputType('CreateQueryInput', { description: 'A new query, and what it reads.' })
export class CreateQueryInput {
  @Field(() => CreateQueryPropertiesInput, { description: 'The query.' })
  properties!: CreateQueryPropertiesInput;
  @Field(() => [CreateQuerySubjectInput], { description: 'What it reads.' })
  subjects!: CreateQuerySubjectInput[];
}

@InputType('UpdateQueryInput', { description: 'Changes to a query; absent parts stay as they are.' })
export class UpdateQueryInput {
  @Field(() => UpdateQueryPropertiesInput, { nullable: true, description: 'The query.' })
  properties?: UpdateQueryPropertiesInput | null;
  @Field(() => [UpdateQuerySubjectInput], {
    nullable: true,
    description: 'What it reads, instead of what it read.',
  })
  subjects?: UpdateQuerySubjectInput[] | null;
}
