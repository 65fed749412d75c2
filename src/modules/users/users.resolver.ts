import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { Needs, RequestContext, Searches, typeNamed } from '../graphql/index.js';
import { listEntities } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { GroupsService } from './groups.service.js';
import {
  AddGroupMembersInput,
  CorpGroupUpdateInput,
  CorpUserStatus,
  CorpUserUpdateInput,
  CreateGroupInput,
  ListGroupsInput,
  ListGroupsResult,
  ListUsersInput,
  ListUsersResult,
  RemoveGroupMembersInput,
  UpdateUserSettingInput,
} from './users.inputs.js';
import { UsersService } from './users.service.js';

const SETTINGS = {
  SHOW_SIMPLIFIED_HOMEPAGE: 'showSimplifiedHomepage',
  SHOW_THEME_V2: 'showThemeV2',
} as const;

const userUrn = { type: () => String, description: 'URN of the user.' };
const groupUrn = { type: () => String, description: 'URN of the group.' };

/** Users and groups. */
@Resolver()
export class UsersResolver {
  constructor(
    private readonly users: UsersService,
    private readonly groups: GroupsService,
    private readonly search: SearchService,
  ) {}

  @Searches('list')
  @Query(() => ListUsersResult, { nullable: true, description: 'Users, found by their names.' })
  async listUsers(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListUsersInput }) input: ListUsersInput,
  ): Promise<ListUsersResult> {
    const { urns, ...page } = await listEntities(this.search, context, 'corpuser', input);
    return { ...page, users: urns.map((urn) => context.entity(urn)) };
  }

  @Searches('list')
  @Query(() => ListGroupsResult, { nullable: true, description: 'Groups of users, found by their names.' })
  async listGroups(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListGroupsInput }) input: ListGroupsInput,
  ): Promise<ListGroupsResult> {
    const { urns, ...page } = await listEntities(this.search, context, 'corpGroup', input);
    return { ...page, groups: urns.map((urn) => context.entity(urn)) };
  }

  @Mutation(() => typeNamed('CorpUser'), {
    nullable: true,
    description: 'Changes what people say about a user.',
  })
  async updateCorpUserProperties(
    @Context() context: RequestContext,
    @Args('urn', userUrn) urn: string,
    @Args('input') { platformUrns, personaUrn, ...texts }: CorpUserUpdateInput,
  ) {
    const also = { platforms: platformUrns, persona: personaUrn };
    await this.users.describe(context.principal, urn, given({ ...texts, ...also }));
    context.refresh();
    return context.entity(urn);
  }

  @Needs('manage')
  @Mutation(() => String, {
    nullable: true,
    description:
      'Says of an account that it is active or suspended, and answers which. Sessions of a suspended user end; tokens that were not made in one are not touched: revoke them.',
  })
  async updateUserStatus(
    @Context() { principal }: RequestContext,
    @Args('urn', userUrn) urn: string,
    @Args('status', { type: () => CorpUserStatus, description: 'The state.' }) status: CorpUserStatus,
  ): Promise<string> {
    await this.users.setStatus(principal, urn, status);
    return status;
  }

  @Needs('manage')
  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Permanently deletes a user, who is taken off what refers to the user in the background. Sessions of the user end; tokens that were not made in one are not touched: revoke them.',
  })
  async removeUser(
    @Context() { principal }: RequestContext,
    @Args('urn', userUrn) urn: string,
  ): Promise<boolean> {
    await this.users.delete(principal, urn);
    return true;
  }

  @Needs('read')
  @Mutation(() => Boolean, { nullable: true, description: 'Keeps a setting of the caller.' })
  async updateUserSetting(
    @Context() { principal }: RequestContext,
    @Args('input') { name, value }: UpdateUserSettingInput,
  ): Promise<boolean> {
    await this.users.choose(principal, SETTINGS[name], value);
    return true;
  }

  @Needs('manage')
  @Mutation(() => String, {
    nullable: true,
    description: 'Makes a group of users, which the caller owns; returns its URN.',
  })
  createGroup(
    @Context() { principal }: RequestContext,
    @Args('input') { id, name, description }: CreateGroupInput,
  ): Promise<string> {
    return this.groups.create(principal, {
      id: id ?? undefined,
      name,
      description: description ?? undefined,
    });
  }

  @Mutation(() => typeNamed('CorpGroup'), {
    nullable: true,
    description: 'Changes what people say about a group.',
  })
  async updateCorpGroupProperties(
    @Context() context: RequestContext,
    @Args('urn', groupUrn) urn: string,
    @Args('input') input: CorpGroupUpdateInput,
  ) {
    await this.groups.describe(context.principal, urn, given(input));
    context.refresh();
    return context.entity(urn);
  }

  @Needs('manage')
  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Permanently deletes a group, which is taken off what refers to it in the background.',
  })
  async removeGroup(
    @Context() { principal }: RequestContext,
    @Args('urn', groupUrn) urn: string,
  ): Promise<boolean> {
    await this.groups.delete(principal, urn);
    return true;
  }

  @Needs('manage')
  @Mutation(() => Boolean, { nullable: true, description: 'Puts users into a group; all or none.' })
  async addGroupMembers(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddGroupMembersInput,
  ): Promise<boolean> {
    await this.groups.addMembers(principal, input.groupUrn, input.userUrns);
    return true;
  }

  @Needs('manage')
  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Takes users out of a group that they were put into here; all or none. Who is in it by a directory stays in it.',
  })
  async removeGroupMembers(
    @Context() { principal }: RequestContext,
    @Args('input') input: RemoveGroupMembersInput,
  ): Promise<boolean> {
    await this.groups.removeMembers(principal, input.groupUrn, input.userUrns);
    return true;
  }
}
