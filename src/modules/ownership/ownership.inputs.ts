import { Field, InputType } from '@nestjs/graphql';
import { ResourceRefInput } from '../graphql/index.js';
import { OwnerEntityType, OwnershipType } from './ownership.types.js';

@InputType('OwnerInput', { description: 'A user or group, and the role in which it owns.' })
export class OwnerInput {
  @Field(() => String, { description: 'URN of the user or group.' })
  ownerUrn!: string;

  @Field(() => OwnerEntityType, { description: 'What the owner is.' })
  ownerEntityType!: OwnerEntityType;

  @Field(() => OwnershipType, { nullable: true, description: 'The role; NONE when no role is named.' })
  type?: OwnershipType | null;

  @Field(() => String, { nullable: true, description: 'URN of the role; wins over type.' })
  ownershipTypeUrn?: string | null;
}

@InputType('AddOwnerInput', { description: 'An owner, and what it owns.' })
export class AddOwnerInput extends OwnerInput {
  @Field(() => String, { description: 'URN of what is owned.' })
  resourceUrn!: string;
}

@InputType('AddOwnersInput', { description: 'Owners, and what they own.' })
export class AddOwnersInput {
  @Field(() => [OwnerInput], { description: 'The owners; none may be missing.' })
  owners!: OwnerInput[];

  @Field(() => String, { description: 'URN of what is owned.' })
  resourceUrn!: string;
}

@InputType('RemoveOwnerInput', { description: 'An owner, and what it no longer owns.' })
export class RemoveOwnerInput {
  @Field(() => String, { description: 'URN of the user or group.' })
  ownerUrn!: string;

  @Field(() => String, { nullable: true, description: 'Only in this role; in every role when absent.' })
  ownershipTypeUrn?: string | null;

  @Field(() => String, { description: 'URN of what was owned.' })
  resourceUrn!: string;
}

@InputType('BatchAddOwnersInput', { description: 'Owners, and the resources they own.' })
export class BatchAddOwnersInput {
  @Field(() => [OwnerInput], { description: 'The owners; none may be missing.' })
  owners!: OwnerInput[];

  @Field(() => [ResourceRefInput], { description: 'What is owned, all or none of them.' })
  resources!: ResourceRefInput[];

  @Field(() => String, { nullable: true, description: 'URN of a role for owners that name none.' })
  ownershipTypeUrn?: string | null;
}

@InputType('BatchRemoveOwnersInput', { description: 'Owners, and the resources they no longer own.' })
export class BatchRemoveOwnersInput {
  @Field(() => [String], { description: 'URNs of the users and groups.' })
  ownerUrns!: string[];

  @Field(() => [ResourceRefInput], { description: 'What was owned, all or none of them.' })
  resources!: ResourceRefInput[];

  @Field(() => String, { nullable: true, description: 'Only in this role; in every role when absent.' })
  ownershipTypeUrn?: string | null;
}

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
