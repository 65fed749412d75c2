import { Field, InputType } from '@nestjs/graphql';
import { AndFilterInput } from '../search/graphql.js';

@InputType('BatchAssignFormInput', { description: 'A form, and the entities it is put to.' })
export class BatchAssignFormInput {
  @Field(() => String, { description: 'URN of the form.' }) formUrn!: string;
  @Field(() => [String], { description: 'URNs of the entities, all or none of them.' }) entityUrns!: string[];
}

@InputType('CreateDynamicFormAssignmentInput', {
  description: 'A form, and the filter that finds what it is put to.',
})
export class CreateDynamicFormAssignmentInput {
  @Field(() => String, { description: 'URN of the form.' }) formUrn!: string;
  @Field(() => [AndFilterInput], { description: 'One of these groups of conditions must hold.' })
  orFilters!: AndFilterInput[];
}
