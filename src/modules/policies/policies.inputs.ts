import { Field, InputType, registerEnumType } from '@nestjs/graphql';

export enum PolicyType {
  METADATA = 'METADATA',
  PLATFORM = 'PLATFORM',
}
registerEnumType(PolicyType, {
  name: 'PolicyType',
  description: 'What a policy is about.',
  valuesMap: {
    METADATA: { description: 'Entities.' },
    PLATFORM: { description: 'The service. Kept, and not applied: the role ADMIN manages the service.' },
  },
});

export enum PolicyState {
  ACTIVE = 'ACTIVE',
  INACTIVE = 'INACTIVE',
}
registerEnumType(PolicyState, {
  name: 'PolicyState',
  description: 'Whether a policy is applied.',
  valuesMap: { ACTIVE: { description: 'Applied.' }, INACTIVE: { description: 'Kept, and not applied.' } },
});

export enum PolicyEffect {
  ALLOW = 'ALLOW',
  DENY = 'DENY',
}
registerEnumType(PolicyEffect, {
  name: 'PolicyEffect',
  description: 'What a policy does with its privileges.',
  valuesMap: {
    ALLOW: { description: 'Grants them.' },
    DENY: { description: 'Takes them away, whatever other policies grant.' },
  },
});

@InputType('PolicyMatchCriterionInput', { description: 'What an entity must have.' })
export class PolicyMatchCriterionInput {
  @Field(() => String, {
    description:
      'TYPE, URN, DOMAIN, CONTAINER, TAG, GLOSSARY_TERM, OWNER, DATA_PLATFORM or DATA_PLATFORM_INSTANCE.',
  })
  field!: string;
  @Field(() => [String], { description: 'Any of them.' }) values!: string[];
  @Field(() => String, { description: 'EQUALS, STARTS_WITH or NOT_EQUALS.', defaultValue: 'EQUALS' })
  condition!: string;
}

@InputType('PolicyMatchFilterInput', { description: 'Which entities are meant.' })
export class PolicyMatchFilterInput {
  @Field(() => [PolicyMatchCriterionInput], { nullable: true, description: 'All of them must hold.' })
  criteria?: PolicyMatchCriterionInput[] | null;
}

@InputType('ResourceFilterInput', {
  description: 'Which entities a policy is about; all when nothing is said.',
})
export class ResourceFilterInput {
  @Field(() => String, { nullable: true, deprecationReason: 'Use filter.' }) type?: string | null;
  @Field(() => [String], { nullable: true, deprecationReason: 'Use filter.' }) resources?: string[] | null;
  @Field(() => Boolean, { nullable: true, deprecationReason: 'Use filter.' }) allResources?: boolean | null;
  @Field(() => PolicyMatchFilterInput, { nullable: true, description: 'By what entities have.' })
  filter?: PolicyMatchFilterInput | null;
}

@InputType('ActorFilterInput', { description: 'Whom a policy is about: any of these.' })
export class ActorFilterInput {
  @Field(() => [String], { nullable: true, description: 'URNs of users.' }) users?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'URNs of groups.' }) groups?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'URNs of roles, such as urn:li:dataHubRole:Reader.' })
  roles?: string[] | null;
  @Field(() => Boolean, { description: 'Those who own the entity, or a group of theirs does.' })
  resourceOwners!: boolean;
  @Field(() => [String], { nullable: true, description: 'Not supported.' })
  resourceOwnersTypes?: string[] | null;
  @Field(() => Boolean, { description: 'All users.' }) allUsers!: boolean;
  @Field(() => Boolean, { description: 'All users that are in a group.' }) allGroups!: boolean;
}

@InputType('PolicyUpdateInput', { description: 'The whole of a policy.' })
export class PolicyUpdateInput {
  @Field(() => PolicyType, { description: 'What it is about.' }) type!: PolicyType;
  @Field(() => PolicyState, { description: 'Whether it is applied.' }) state!: PolicyState;
  @Field(() => PolicyEffect, { nullable: true, description: 'Default ALLOW.' }) effect?: PolicyEffect | null;
  @Field(() => String, { description: 'What people call it.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What it is for.' }) description?: string | null;
  @Field(() => ResourceFilterInput, { nullable: true, description: 'All entities when absent.' })
  resources?: ResourceFilterInput | null;
  @Field(() => [String], { description: 'Such as EDIT_ENTITY_TAGS.' }) privileges!: string[];
  @Field(() => ActorFilterInput, { description: 'Whom it is about.' }) actors!: ActorFilterInput;
}
