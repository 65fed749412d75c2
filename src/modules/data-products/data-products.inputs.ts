import { Field, InputType } from '@nestjs/graphql';

@InputType('CreateDataProductPropertiesInput', { description: 'What a data product is.' })
export class CreateDataProductPropertiesInput {
  @Field(() => String, { description: 'What it is called.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What it offers, and to whom.' })
  description?: string | null;
}

@InputType('CreateDataProductInput', { description: 'A new data product.' })
export class CreateDataProductInput {
  @Field(() => CreateDataProductPropertiesInput, { description: 'What it is.' })
  properties!: CreateDataProductPropertiesInput;
  @Field(() => String, { description: 'URN of the domain it belongs to.' }) domainUrn!: string;
  @Field(() => String, { nullable: true, description: 'The last part of its URN; a UUID when absent.' })
  id?: string | null;
}

@InputType('UpdateDataProductInput', { description: 'Changes to a data product.' })
export class UpdateDataProductInput {
  @Field(() => String, { nullable: true, description: 'What it is called; stays as it is when absent.' })
  name?: string | null;
  @Field(() => String, { nullable: true, description: 'What it offers; stays as it is when absent.' })
  description?: string | null;
}

@InputType('BatchSetDataProductInput', { description: 'Entities, and the data product to put them into.' })
export class BatchSetDataProductInput {
  @Field(() => String, { nullable: true, description: 'URN of the data product; out of any when absent.' })
  dataProductUrn?: string | null;
  @Field(() => [String], { description: 'URNs of the entities, all or none of them.' })
  resourceUrns!: string[];
}
