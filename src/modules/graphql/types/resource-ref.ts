import { Field, InputType } from '@nestjs/graphql';
import { SubResourceType } from './enums.js';

@InputType('ResourceRefInput', { description: 'An entity, or one column of a dataset.' })
export class ResourceRefInput {
  @Field(() => String, { description: 'URN of the entity.' })
  resourceUrn!: string;

  @Field(() => SubResourceType, { nullable: true, description: 'What the sub-resource is.' })
  subResourceType?: SubResourceType | null;

  @Field(() => String, { nullable: true, description: 'Path of a column.' })
  subResource?: string | null;
}
