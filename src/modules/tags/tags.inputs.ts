import { Field, InputType } from '@nestjs/graphql';
import { OwnershipUpdate } from '../ownership/graphql.js';

@InputType('CreateTagInput', { description: 'A new tag.' })
export class CreateTagInput {
  @Field(() => String, { nullable: true, description: 'The last part of its URN; a UUID when absent.' })
  id?: string | null;

  @Field(() => String, { description: 'What it is called.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it stands for.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Its colour, such as #00a3d9.' })
  colorHex?: string | null;
}

@InputType('TagUpdateInput', { description: 'Changes to a tag.' })
export class TagUpdateInput {
  @Field(() => String, { description: 'URN of the tag, the same as the argument.' })
  urn!: string;

  @Field(() => String, { description: 'What it is called.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it stands for; stays as it is when absent.' })
  description?: string | null;

  @Field(() => OwnershipUpdate, { nullable: true, description: 'Its owners; stay as they are when absent.' })
  ownership?: OwnershipUpdate | null;
}
