import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { enumOf } from '../graphql/index.js';

export const DataContractState = enumOf(['ACTIVE', 'PENDING']);
registerEnumType(DataContractState, {
  name: 'DataContractState',
  description: 'Data contract state.',
  valuesMap: { ACTIVE: { description: 'Active.' }, PENDING: { description: 'Pending.' } },
});

@InputType({ isAbstract: true })
abstract class PromiseInput {
  @Field(() => String, { description: 'URN of the assertion that checks it.' }) assertionUrn!: string;
}

@InputType('FreshnessContractInput', { description: 'A promise of how fresh a dataset is.' })
export class FreshnessContractInput extends PromiseInput {}

@InputType('SchemaContractInput', { description: 'A promise of which columns a dataset has.' })
export class SchemaContractInput extends PromiseInput {}

@InputType('DataQualityContractInput', { description: 'A promise of what the data of a dataset are like.' })
export class DataQualityContractInput extends PromiseInput {}

@InputType('UpsertDataContractInput', {
  description: 'A contract about a dataset; what is left out is none.',
})
export class UpsertDataContractInput {
  @Field(() => String, { description: 'URN of the dataset.' }) entityUrn!: string;
  @Field(() => [FreshnessContractInput], { nullable: true, description: 'How fresh it is.' })
  freshness?: FreshnessContractInput[] | null;
  @Field(() => [SchemaContractInput], { nullable: true, description: 'Which columns it has.' })
  schema?: SchemaContractInput[] | null;
  @Field(() => [DataQualityContractInput], { nullable: true, description: 'What its data are like.' })
  dataQuality?: DataQualityContractInput[] | null;
  @Field(() => DataContractState, { nullable: true, description: 'Default ACTIVE.' })
  state?: keyof typeof DataContractState | null;
  @Field(() => String, { nullable: true, description: 'The id of a new contract; a UUID when absent.' })
  id?: string | null;
}
