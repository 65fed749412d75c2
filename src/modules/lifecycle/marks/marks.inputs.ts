import { Field, InputType } from '@nestjs/graphql';
import { Long, ResourceRefInput, SubResourceType } from '../../graphql/index.js';

@InputType('BatchUpdateSoftDeletedInput', { description: 'Entities, and whether they are hidden.' })
export class BatchUpdateSoftDeletedInput {
  @Field(() => [String], { description: 'URNs of the entities, all or none of them.' })
  urns!: string[];

  @Field(() => Boolean, { description: 'True hides them from search and browsing, false brings them back.' })
  deleted!: boolean;
}

@InputType('DeprecationInput', { description: 'Whether something should no longer be used.' })
export class DeprecationInput {
  @Field(() => Boolean, { description: 'Whether it should no longer be used.' })
  deprecated!: boolean;

  @Field(() => Long, { nullable: true, description: 'When it will be gone, epoch milliseconds.' })
  decommissionTime?: number | null;

  @Field(() => String, { nullable: true, description: 'What users should know.' })
  note?: string | null;

  @Field(() => String, { nullable: true, description: 'URN of what to use instead.' })
  replacement?: string | null;
}

@InputType('UpdateDeprecationInput', {
  description: 'An entity or column, and whether it should no longer be used.',
})
export class UpdateDeprecationInput extends DeprecationInput {
  @Field(() => String, { description: 'URN of the entity.' })
  urn!: string;

  @Field(() => SubResourceType, { nullable: true, description: 'What the sub-resource is.' })
  subResourceType?: SubResourceType | null;

  @Field(() => String, { nullable: true, description: 'Path of a column.' })
  subResource?: string | null;
}

@InputType('BatchUpdateDeprecationInput', {
  description: 'Entities and columns, and whether they should no longer be used.',
})
export class BatchUpdateDeprecationInput extends DeprecationInput {
  @Field(() => [ResourceRefInput], { description: 'The entities and columns, all or none of them.' })
  resources!: ResourceRefInput[];
}
