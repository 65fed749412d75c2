import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ROLES, type Role } from '../../catalog/auth/index.js';
import { EntityType, FacetFilterInput, Long, optional } from '../graphql/index.js';

const AccessTokenType = { PERSONAL: 'PERSONAL', SERVICE_ACCOUNT: 'SERVICE_ACCOUNT' } as const;
type AccessTokenType = keyof typeof AccessTokenType;
registerEnumType(AccessTokenType, { name: 'AccessTokenType', description: 'Whom a token is for.' });

const DAY = 86_400_000;

/** How long a token is valid, in milliseconds. */
export const DURATIONS = {
  ONE_HOUR: DAY / 24,
  ONE_DAY: DAY,
  ONE_WEEK: 7 * DAY,
  ONE_MONTH: 30 * DAY,
  THREE_MONTHS: 90 * DAY,
  SIX_MONTHS: 180 * DAY,
  ONE_YEAR: 365 * DAY,
  NO_EXPIRY: 'never',
} as const;
const AccessTokenDuration = Object.fromEntries(Object.keys(DURATIONS).map((name) => [name, name])) as {
  [K in keyof typeof DURATIONS]: K;
};
type AccessTokenDuration = keyof typeof DURATIONS;
registerEnumType(AccessTokenDuration, {
  name: 'AccessTokenDuration',
  description: 'How long a token is valid. NO_EXPIRY is for administrators.',
});

const TokenRole = Object.fromEntries(ROLES.map((role) => [role, role])) as { [K in Role]: K };
registerEnumType(TokenRole, { name: 'TokenRole', description: 'What the holder of a token may do.' });

@InputType('CreateAccessTokenInput', { description: 'A token to make.' })
export class CreateAccessTokenInput {
  @Field(() => AccessTokenType) type!: AccessTokenType;
  @Field(() => String, { description: 'URN of the user whose token it is.' }) actorUrn!: string;
  @Field(() => AccessTokenDuration) duration!: AccessTokenDuration;
  @Field(() => String) name!: string;
  @Field(() => String, optional) description?: string | null;
  @Field(() => TokenRole, {
    nullable: true,
    description:
      'What its holder may do. Default: the role of the caller for a token of their own, else EDITOR.',
  })
  role?: Role | null;
}

@InputType('ListAccessTokenInput', { description: 'Which tokens to list.' })
export class ListAccessTokenInput {
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 20.' }) count?: number | null;
  @Field(() => [FacetFilterInput], {
    nullable: true,
    description:
      'By the fields actorUrn and ownerUrn; by expiresAt, LESS_THAN a time, those that have ended and were not taken back.',
  })
  filters?: FacetFilterInput[] | null;
}

@ObjectType('AccessTokenMetadata', { description: 'What is known about a token: everything but the token.' })
export class AccessTokenMetadata {
  @Field(() => String) urn!: string;
  @Field(() => EntityType, { description: 'Always ACCESS_TOKEN.' }) type!: EntityType;
  @Field(() => String) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String, optional) description!: string | null;
  @Field(() => String, { description: 'URN of the user whose token it is.' }) actorUrn!: string;
  @Field(() => String, { description: 'URN of the user who made it.' }) ownerUrn!: string;
  @Field(() => TokenRole, optional) role!: Role;
  @Field(() => Long) createdAt!: number;
  @Field(() => Long, { nullable: true, description: 'Null when it does not end.' }) expiresAt!: number | null;
  @Field(() => Long, { nullable: true, description: 'When it was taken back.' }) revokedAt!: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the token that made it, and with which it is taken back.',
  })
  parentId!: string | null;
}

@ObjectType('AccessToken', { description: 'A new token.' })
export class AccessToken {
  @Field(() => String, { description: 'The token. It cannot be seen again.' }) accessToken!: string;
  @Field(() => AccessTokenMetadata, optional) metadata!: AccessTokenMetadata;
}

@ObjectType('ListAccessTokenResult', { description: 'A page of tokens.' })
export class ListAccessTokenResult {
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int) total!: number;
  @Field(() => [AccessTokenMetadata]) tokens!: AccessTokenMetadata[];
}

@InputType('GetAccessTokenInput', { description: 'The token that is wanted.' })
export class GetAccessTokenInput {
  @Field(() => AccessTokenType) type!: AccessTokenType;
  @Field(() => String, { description: 'URN of the user whose token it is.' }) actorUrn!: string;
  @Field(() => AccessTokenDuration) duration!: AccessTokenDuration;
}
