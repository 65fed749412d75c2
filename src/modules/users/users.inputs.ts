import { Field, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Entity, enumOf, StringMapEntryInput, typeNamed } from '../graphql/index.js';
import { ListedPage, ListInput } from '../search/graphql.js';

export const CorpUserStatus = enumOf(['ACTIVE', 'SUSPENDED']);
export type CorpUserStatus = keyof typeof CorpUserStatus;
registerEnumType(CorpUserStatus, {
  name: 'CorpUserStatus',
  description: 'The state of an account.',
  valuesMap: {
    ACTIVE: { description: 'It is in use.' },
    SUSPENDED: { description: 'It is not to be used for now.' },
  },
});

export const UserSetting = enumOf(['SHOW_SIMPLIFIED_HOMEPAGE', 'SHOW_THEME_V2']);
export type UserSetting = keyof typeof UserSetting;
registerEnumType(UserSetting, {
  name: 'UserSetting',
  description: 'What users choose for themselves.',
  valuesMap: {
    SHOW_SIMPLIFIED_HOMEPAGE: { description: 'The home page shows little more than a search.' },
    SHOW_THEME_V2: { description: 'The newer look is shown.' },
  },
});

const kept = (what: string) => ({
  nullable: true as const,
  description: `${what}; stays as it is when absent.`,
});

@InputType('CorpUserUpdateInput', { description: 'What people say about a user.' })
export class CorpUserUpdateInput {
  @Field(() => String, kept('What the user wants to be called')) displayName?: string | null;
  @Field(() => String, kept('The position')) title?: string | null;
  @Field(() => String, kept('What users write about themselves')) aboutMe?: string | null;
  @Field(() => [String], kept('Names of teams')) teams?: string[] | null;
  @Field(() => [String], kept('What the user knows about')) skills?: string[] | null;
  @Field(() => String, kept('Address of a picture')) pictureLink?: string | null;
  @Field(() => String, kept('The name on Slack')) slack?: string | null;
  @Field(() => String, kept('The phone number')) phone?: string | null;
  @Field(() => String, kept('The mail address')) email?: string | null;
  @Field(() => [String], kept('URNs of the platforms that the user works with')) platformUrns?:
    string[] | null;
  @Field(() => String, kept('URN of the persona that fits the user')) personaUrn?: string | null;
}

@InputType('UpdateUserSettingInput', { description: 'A setting of the caller.' })
export class UpdateUserSettingInput {
  @Field(() => UserSetting, { description: 'Which one.' }) name!: UserSetting;
  @Field(() => Boolean, { description: 'On or off.' }) value!: boolean;
}

@InputType('CreateGroupInput', { description: 'A new group of users.' })
export class CreateGroupInput {
  @Field(() => String, { nullable: true, description: 'The last part of its URN; a UUID when absent.' })
  id?: string | null;
  @Field(() => String, { description: 'What it is called.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What it is for.' }) description?: string | null;
}

@InputType('CorpGroupUpdateInput', { description: 'What people say about a group.' })
export class CorpGroupUpdateInput {
  @Field(() => String, kept('What it is for')) description?: string | null;
  @Field(() => String, kept('Its channel on Slack')) slack?: string | null;
  @Field(() => String, kept('Its mail address')) email?: string | null;
  @Field(() => String, kept('Address of a picture')) pictureLink?: string | null;
}

@InputType({ isAbstract: true })
abstract class GroupMembersInput {
  @Field(() => String, { description: 'URN of the group.' }) groupUrn!: string;
  @Field(() => [String], { description: 'URNs of the users, all or none of them.' }) userUrns!: string[];
}

@InputType('AddGroupMembersInput', { description: 'Users, and the group to put them into.' })
export class AddGroupMembersInput extends GroupMembersInput {}

@InputType('RemoveGroupMembersInput', { description: 'Users, and the group to take them out of.' })
export class RemoveGroupMembersInput extends GroupMembersInput {}

@InputType('ListUsersInput', { description: 'A page of the users.' })
export class ListUsersInput extends ListInput {}

@InputType('ListGroupsInput', { description: 'A page of the groups.' })
export class ListGroupsInput extends ListInput {}

@ObjectType('ListUsersResult', { description: 'A page of the users.' })
export class ListUsersResult extends ListedPage {
  @Field(() => [typeNamed('CorpUser')], { description: 'The users.' }) users!: Entity[];
}

@ObjectType('ListGroupsResult', { description: 'A page of the groups.' })
export class ListGroupsResult extends ListedPage {
  @Field(() => [typeNamed('CorpGroup')], { description: 'The groups.' }) groups!: Entity[];
}

@InputType('StepStateInput', { description: 'How far a user got in a guided tour.' })
export class StepStateInput {
  @Field(() => String, { description: 'Names the user and the tour, as the client likes.' }) id!: string;
  @Field(() => [StringMapEntryInput], { nullable: 'items', description: 'What is to be remembered.' })
  properties!: Array<StringMapEntryInput | null>;
}

@InputType('BatchUpdateStepStatesInput', { description: 'How far users got in guided tours.' })
export class BatchUpdateStepStatesInput {
  @Field(() => [StepStateInput], { description: 'The states; none may be missing.' })
  states!: StepStateInput[];
}

@ObjectType('UpdateStepStateResult', { description: 'Whether one state was kept.' })
export class UpdateStepStateResult {
  @Field(() => String, { description: 'Names the user and the tour.' }) id!: string;
  @Field(() => Boolean, { description: 'True: all are kept, or the request is refused.' })
  succeeded!: boolean;
}

@ObjectType('BatchUpdateStepStatesResult', { description: 'What became of states.' })
export class BatchUpdateStepStatesResult {
  @Field(() => [UpdateStepStateResult], { description: 'In the order of the request.' })
  results!: UpdateStepStateResult[];
}

@InputType('BatchGetStepStatesInput', { description: 'Names of states of guided tours.' })
export class BatchGetStepStatesInput {
  @Field(() => [String], { description: 'As they were given when the states were kept.' }) ids!: string[];
}
