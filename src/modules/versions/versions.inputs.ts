import { Field, InputType } from '@nestjs/graphql';
import { Long } from '../graphql/index.js';

@InputType('LinkVersionInput', { description: 'A new version of what a version set is about.' })
export class LinkVersionInput {
  @Field(() => String, { description: 'URN of the version set, also of one that does not exist yet.' })
  versionSet!: string;
  @Field(() => String, { description: 'URN of the entity that becomes the latest version.' })
  linkedEntity!: string;
  @Field(() => String, { description: 'Label of the version.' }) version!: string;
  @Field(() => Long, {
    nullable: true,
    description: 'When the version came to be in its own system, epoch milliseconds; now when absent.',
  })
  sourceTimestamp?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'URN of who made the version in its own system; the caller when absent.',
  })
  sourceCreator?: string | null;
  @Field(() => String, { nullable: true, description: 'What is new in this version.' })
  comment?: string | null;
}

@InputType('UnlinkVersionInput', { description: 'A version that is to be none any more.' })
export class UnlinkVersionInput {
  @Field(() => String, {
    nullable: true,
    description: 'URN of its version set; refused when it is in another.',
  })
  versionSet?: string | null;
  @Field(() => String, { nullable: true, description: 'URN of the entity; the latest version when absent.' })
  unlinkedEntity?: string | null;
}
