import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ROLES, type Role } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { SessionService } from '../auth/index.js';
import { Needs, readCount, readPageSize, RequestContext } from '../graphql/index.js';
import {
  AccountInput,
  AccountsInput,
  BatchAssignRoleInput,
  CreateInviteTokenInput,
  CreateNativeUserResetTokenInput,
  GetInviteTokenInput,
  InvitationToken,
  InviteToken,
  ListAccountsResult,
  ListSessionsResult,
  ResetToken,
  SessionsInput,
} from './accounts.types.js';
import { AccountsService } from './accounts.service.js';
import { RoleAssignment } from './role-assignment.js';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

const userUrn = { type: () => String, description: 'URN of the user.' };

/** Accounts with passwords, and sessions. */
@Resolver()
export class AccountsResolver {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionService,
    private readonly roles: RoleAssignment,
  ) {}

  @Needs('manage')
  @Mutation(() => InvitationToken, {
    nullable: true,
    description:
      'Makes an invitation, with which people make accounts of a role within a week. Only this response shows it.',
  })
  async createInviteToken(
    @Context() { principal }: RequestContext,
    @Args('input') { roleUrn }: CreateInviteTokenInput,
  ): Promise<InvitationToken> {
    return { inviteToken: await this.accounts.invite(principal, roleOf(roleUrn, '/roleUrn')) };
  }

  @Query(() => InviteToken, {
    nullable: true,
    description:
      'Invitations are kept as hashes and cannot be shown again: always null. `createInviteToken` makes one.',
  })
  getInviteToken(@Args('input', { type: () => GetInviteTokenInput }) _: GetInviteTokenInput): null {
    return null;
  }

  @Needs('manage')
  @Mutation(() => ResetToken, {
    nullable: true,
    description:
      'Lets a user set the password of the account anew, once within a day. Only this response shows with what.',
  })
  async createNativeUserResetToken(
    @Context() { principal }: RequestContext,
    @Args('input') { userUrn: actor }: CreateNativeUserResetTokenInput,
  ): Promise<ResetToken> {
    return { resetToken: await this.accounts.reset(principal, actor) };
  }

  @Needs('manage')
  @Mutation(() => ResetToken, {
    description:
      'Makes an account for a user, who sets its password with what is returned, once within a day.',
  })
  async createAccount(
    @Context() { principal }: RequestContext,
    @Args('input') { userUrn: actor, role }: AccountInput,
  ): Promise<ResetToken> {
    return { resetToken: await this.accounts.create(principal, actor, role) };
  }

  @Needs('manage')
  @Mutation(() => Boolean, {
    description:
      'Gives an account another role. Its sessions end, and so do the tokens that were made in them.',
  })
  async updateAccountRole(
    @Context() { principal }: RequestContext,
    @Args('input') { userUrn: actor, role }: AccountInput,
  ): Promise<boolean> {
    await this.accounts.setRole(principal, actor, role);
    return true;
  }

  @Needs('manage')
  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Gives users a role, by which policies know them, instead of those they have; all or none. An account gets it too when it is Admin, Editor or Reader: its sessions end, and so do the tokens that were made in them.',
  })
  async batchAssignRole(
    @Context() { principal }: RequestContext,
    @Args('input') { roleUrn, actors }: BatchAssignRoleInput,
  ): Promise<boolean> {
    const role = roleUrn ? serviceRole(roleUrn) : undefined;
    const urn = role === undefined ? (roleUrn ?? undefined) : urnOfRole(role);
    await this.roles.assign(principal, urn, role, actors);
    return true;
  }

  @Needs('manage')
  @Mutation(() => Boolean, {
    description:
      'Deletes an account; the user stays. Its sessions end, and so do the tokens that were made in them.',
  })
  async deleteAccount(
    @Context() { principal }: RequestContext,
    @Args('userUrn', userUrn) actor: string,
  ): Promise<boolean> {
    await this.accounts.delete(principal, actor);
    return true;
  }

  @Needs('manage')
  @Query(() => ListAccountsResult, {
    description: 'Accounts with passwords, in the order of the URNs of their users.',
  })
  async listAccounts(
    @Context() { principal }: RequestContext,
    @Args('input') input: AccountsInput,
  ): Promise<ListAccountsResult> {
    const { start, count } = pageOf(input);
    const { total, accounts } = await this.accounts.list(principal, start, count);
    return {
      ...{ start, count: accounts.length, total },
      accounts: accounts.map(({ actor, ...rest }) => ({ userUrn: actor, ...rest })),
    };
  }

  @Needs('read', "one's own; those of others need `manage`")
  @Query(() => ListSessionsResult, {
    description: 'Sessions that go on, newest first: your own, or those of another user.',
  })
  async listSessions(
    @Context() { principal }: RequestContext,
    @Args('input') input: SessionsInput,
  ): Promise<ListSessionsResult> {
    const { start, count } = pageOf(input);
    const actor = input.userUrn ?? principal.actor;
    const { total, sessions } = await this.sessions.list(principal, { actor, start, count });
    return {
      ...{ start, count: sessions.length, total },
      sessions: sessions.map(({ actor: user, ...rest }) => ({
        ...rest,
        userUrn: user,
        current: rest.id === principal.tokenId,
      })),
    };
  }

  @Needs('read', "one's own; those of others need `manage`")
  @Mutation(() => Boolean, {
    description: 'Ends a session: at once in this process, within five seconds in others.',
  })
  async endSession(
    @Context() { principal }: RequestContext,
    @Args('id', { type: () => String, description: 'As the list has it.' }) id: string,
  ): Promise<boolean> {
    await this.sessions.end(principal, id);
    return true;
  }
}

function pageOf(input: { start?: number | null; count?: number | null }): { start: number; count: number } {
  return {
    start: readCount(input.start, 0, '/start'),
    count: readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_COUNT),
  };
}

/** `urn:li:dataHubRole:Editor` is EDITOR. */
const serviceRole = (urn: string): Role | undefined =>
  ROLES.find((one) => urn.toUpperCase() === `URN:LI:DATAHUBROLE:${one}`);

const urnOfRole = (role: Role): string => `urn:li:dataHubRole:${role[0]}${role.slice(1).toLowerCase()}`;

function roleOf(urn: string | null | undefined, pointer: string): Role {
  if (!urn) return 'READER';
  const role = serviceRole(urn);
  if (role !== undefined) return role;
  throw refuse('PARAMETER_INVALID', `the role must be one of ${ROLES.map(urnOfRole).join(', ')}`, pointer);
}
