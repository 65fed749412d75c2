import { Field, InputType } from '@nestjs/graphql';
import { ResourceRefInput } from '../graphql/index.js';

const one = { description: 'The tag.' };
const many = { description: 'The tags; none may be missing.' };
const resources = { description: 'Where, all or none of them.' };

@InputType('TagAssociationInput', { description: 'A tag, and what it is put on or taken from.' })
export class TagAssociationInput extends ResourceRefInput {
  @Field(() => String, one) tagUrn!: string;
}

@InputType('AddTagsInput', { description: 'Tags, and what they are put on.' })
export class AddTagsInput extends ResourceRefInput {
  @Field(() => [String], many) tagUrns!: string[];
}

@InputType('BatchAddTagsInput', { description: 'Tags, and the resources they are put on.' })
export class BatchAddTagsInput {
  @Field(() => [String], many) tagUrns!: string[];
  @Field(() => [ResourceRefInput], resources) resources!: ResourceRefInput[];
}

@InputType('BatchRemoveTagsInput', { description: 'Tags, and the resources they are taken from.' })
export class BatchRemoveTagsInput {
  @Field(() => [String], many) tagUrns!: string[];
  @Field(() => [ResourceRefInput], resources) resources!: ResourceRefInput[];
}
