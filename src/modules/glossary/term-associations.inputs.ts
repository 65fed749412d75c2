import { Field, InputType } from '@nestjs/graphql';
import { ResourceRefInput } from '../graphql/index.js';

const one = { description: 'The glossary term.' };
const many = { description: 'The glossary terms; none may be missing.' };
const resources = { description: 'Where, all or none of them.' };

@InputType('TermAssociationInput', {
  description: 'A glossary term, and what it is attached to or taken from.',
})
export class TermAssociationInput extends ResourceRefInput {
  @Field(() => String, one) termUrn!: string;
}

@InputType('AddTermsInput', { description: 'Glossary terms, and what they are attached to.' })
export class AddTermsInput extends ResourceRefInput {
  @Field(() => [String], many) termUrns!: string[];
}

@InputType('BatchAddTermsInput', { description: 'Glossary terms, and the resources they are attached to.' })
export class BatchAddTermsInput {
  @Field(() => [String], many) termUrns!: string[];
  @Field(() => [ResourceRefInput], resources) resources!: ResourceRefInput[];
}

@InputType('BatchRemoveTermsInput', { description: 'Glossary terms, and the resources they are taken from.' })
export class BatchRemoveTermsInput {
  @Field(() => [String], many) termUrns!: string[];
  @Field(() => [ResourceRefInput], resources) resources!: ResourceRefInput[];
}
