import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ROLES, type Role } from '../../catalog/auth/index.js';
import type * as model from '../../catalog/model/generated/aspects.js';
import { enumOf, Long, optional, showsPartOf, showsRecord, type Stored } from '../graphql/index.js';

const AccountRole = enumOf([...ROLES]);
registerEnumType(AccountRole, { name: 'AccountRole', description: 'What the user of an account may do.' });

const AccountState = enumOf(['ACTIVE', 'INVITED', 'SUSPENDED', 'REMOVED']);
type AccountState = keyof typeof AccountState;
registerEnumType(AccountState, {
  name: 'AccountState',
  description: 'Whether the user may sign in.',
  valuesMap: {
    ACTIVE: { description: 'The user may.' },
    INVITED: { description: 'No password is set yet.' },
    SUSPENDED: { description: 'The user is suspended: see `updateUserStatus`.' },
    REMOVED: { description: 'The user was deleted, or is hidden.' },
  },
});

@InputType('CreateInviteTokenInput', { description: 'An invitation.' })
export class CreateInviteTokenInput {
  @Field(() => String, {
    nullable: true,
    description: 'The role of the accounts: `urn:li:dataHubRole:Reader` (the default), `Editor` or `Admin`.',
  })
  roleUrn?: string | null;
}

@ObjectType('InvitationToken', { description: 'A new invitation.' })
export class InvitationToken {
  @Field(() => String, { description: 'The invitation. It cannot be seen again.' }) inviteToken!: string;
}

@ObjectType('InviteToken', { description: 'The encrypted invitation and the role it gives.' })
export class InviteToken {
  @Field(() => String, { description: 'The invitation as it is stored.' }) inviteToken!: string;
}

showsRecord(
  'identity.InviteToken',
  'InviteToken',
  (value: model.InviteToken, _context, owner): InviteToken & Stored => ({
    inviteToken: value.token,
    stored: value,
    owner,
  }),
);
showsPartOf('InviteToken', 'identity.InviteToken', true);

@InputType('GetInviteTokenInput', { description: 'Which invitation is wanted.' })
export class GetInviteTokenInput {
  @Field(() => String, { nullable: true, description: 'URN of the role that it gives.' })
  roleUrn?: string | null;
}

@InputType('CreateNativeUserResetTokenInput', { description: 'Whose password is to be set anew.' })
export class CreateNativeUserResetTokenInput {
  @Field(() => String, { description: 'URN of the user, who has an account.' }) userUrn!: string;
}

@ObjectType('ResetToken', { description: 'What a user sets a password with, once.' })
export class ResetToken {
  @Field(() => String, { description: 'It cannot be seen again.' }) resetToken!: string;
}

@InputType('AccountInput', { description: 'An account of a user.' })
export class AccountInput {
  @Field(() => String, { description: 'URN of the user.' }) userUrn!: string;
  @Field(() => AccountRole, { description: 'What the user may do.' }) role!: Role;
}

@InputType('BatchAssignRoleInput', { description: 'A role, and the users who get it.' })
export class BatchAssignRoleInput {
  @Field(() => String, { nullable: true, description: 'URN of the role; none when absent.' }) roleUrn?:
    string | null;
  @Field(() => [String], { description: 'URNs of the users, all or none of them.' }) actors!: string[];
}

@InputType({ isAbstract: true })
abstract class PageInput {
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 20.' }) count?: number | null;
}

@InputType('ListAccountsInput', { description: 'A page of the accounts.' })
export class AccountsInput extends PageInput {}

@InputType('ListSessionsInput', { description: 'A page of the sessions of a user.' })
export class SessionsInput extends PageInput {
  @Field(() => String, { nullable: true, description: 'URN of the user; default: the caller.' })
  userUrn?: string | null;
}

@ObjectType({ isAbstract: true })
abstract class Page {
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int) total!: number;
}

@ObjectType('Account', { description: 'That a user may sign in with a password.' })
class Account {
  @Field(() => String, { description: 'URN of the user.' }) userUrn!: string;
  @Field(() => AccountRole, { description: 'What the user may do.' }) role!: Role;
  @Field(() => AccountState, { description: 'Whether the user may sign in.' }) state!: AccountState;
  @Field(() => Long, { description: 'When it was made, epoch milliseconds.' }) createdAt!: number;
  @Field(() => String, { description: 'URN of who made it, or who invited the user.' }) createdBy!: string;
}

@ObjectType('ListAccountsResult', { description: 'A page of the accounts.' })
export class ListAccountsResult extends Page {
  @Field(() => [Account], { description: 'The accounts.' }) accounts!: Account[];
}

@ObjectType('UserSession', { description: 'That a user is signed in, in one browser.' })
class UserSession {
  @Field(() => String, { description: 'Names it, to end it.' }) id!: string;
  @Field(() => String, { description: 'URN of the user.' }) userUrn!: string;
  @Field(() => Boolean, { description: 'Whether it is the one that asks.' }) current!: boolean;
  @Field(() => String, { ...optional, description: 'The address that it began at.' }) address!: string;
  @Field(() => String, { ...optional, description: 'The browser.' }) userAgent!: string;
  @Field(() => Long, { description: 'When it began, epoch milliseconds.' }) createdAt!: number;
  @Field(() => Long, { description: 'When it ends, epoch milliseconds.' }) expiresAt!: number;
}

@ObjectType('ListSessionsResult', { description: 'A page of sessions.' })
export class ListSessionsResult extends Page {
  @Field(() => [UserSession], { description: 'The sessions.' }) sessions!: UserSession[];
}
