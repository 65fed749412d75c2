import { Field, InputType } from '@nestjs/graphql';
import { OwnershipType } from './enums.js';

@InputType('OwnerUpdate', { description: 'An owner in a list that replaces the owners there were.' })
export class OwnerUpdate {
  @Field(() => String, { description: 'URN of the user or group.' })
  owner!: string;

  @Field(() => OwnershipType, { nullable: true, description: 'The role; NONE when no role is named.' })
  type?: OwnershipType | null;

  @Field(() => String, { nullable: true, description: 'URN of the role; wins over type.' })
  ownershipTypeUrn?: string | null;
}

@InputType('OwnershipUpdate', { description: 'Owners that replace those there were.' })
export class OwnershipUpdate {
  @Field(() => [OwnerUpdate], { description: 'All owners; an empty list removes them.' })
  owners!: OwnerUpdate[];
}
