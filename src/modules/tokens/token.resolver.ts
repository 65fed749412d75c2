import { Args, Context, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ROLES, type Principal, type Role } from '../../catalog/auth/index.js';
import { placing, refuse } from '../../catalog/errors/index.js';
import { TokenService, type TokenInfo, type Whose } from '../auth/index.js';
import {
  CurrentPrincipal,
  Entity,
  Needs,
  ofType,
  readCount,
  readPageSize,
  RequestContext,
  typeNamed,
} from '../graphql/index.js';
import {
  AccessToken,
  AccessTokenMetadata,
  CreateAccessTokenInput,
  DURATIONS,
  GetAccessTokenInput,
  ListAccessTokenInput,
  ListAccessTokenResult,
} from './token.types.js';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

/** Access tokens. */
@Resolver()
export class TokenResolver {
  constructor(private readonly tokens: TokenService) {}

  @Needs('read', 'for oneself, with an end and no more than one may; else `manage`')
  @Mutation(() => AccessToken, {
    nullable: true,
    description: 'Creates an access token. Only this response shows it.',
  })
  async createAccessToken(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => CreateAccessTokenInput }) input: CreateAccessTokenInput,
  ): Promise<AccessToken> {
    const { actorUrn, name, description, duration } = input;
    const issued = this.tokens.issue(principal, {
      actor: actorUrn,
      name,
      ...(description ? { description } : {}),
      role: input.role ?? defaultRole(principal, actorUrn),
      durationMs: DURATIONS[duration],
    });
    const { token, info } = await placing(issued, (pointer) =>
      pointer === '/actor' ? '/actorUrn' : pointer,
    );
    return { accessToken: token, metadata: metadata(info) };
  }

  @Needs('read', 'for oneself, with an end and no more than one may; else `manage`')
  @Query(() => AccessToken, {
    nullable: true,
    deprecationReason: 'It creates: use createAccessToken.',
    description: 'Creates an access token, named after what made it. Only this response shows it.',
  })
  getAccessToken(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => GetAccessTokenInput }) input: GetAccessTokenInput,
  ): Promise<AccessToken> {
    return this.createAccessToken(principal, { ...input, name: 'getAccessToken' });
  }

  @Needs('read', "one's own; those of others need `manage`")
  @Mutation(() => Boolean, {
    description: 'Takes a token back, with all that it made. True: none of them works any more.',
  })
  async revokeAccessToken(
    @CurrentPrincipal() principal: Principal,
    @Args('tokenId', { type: () => String }) tokenId: string,
  ): Promise<boolean> {
    await this.tokens.revoke(principal, tokenId.replace(/^urn:li:dataHubAccessToken:/, ''));
    return true;
  }

  @Needs('read', "one's own; those of others need `manage`")
  @Query(() => ListAccessTokenResult, {
    description: 'Tokens, the newest first: your own, those you made, or all for administrators.',
  })
  async listAccessTokens(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => ListAccessTokenInput }) input: ListAccessTokenInput,
  ): Promise<ListAccessTokenResult> {
    const start = readCount(input.start, 0, '/start');
    const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_COUNT);
    const { total, tokens } = await this.tokens.list(principal, { ...whose(input), start, count });
    return { start, count: tokens.length, total, tokens: tokens.map(metadata) };
  }

  @Needs('read', "one's own; those of others need `manage`")
  @Query(() => AccessTokenMetadata, {
    nullable: true,
    description: 'What is known about a token that you hold.',
  })
  async getAccessTokenMetadata(
    @CurrentPrincipal() principal: Principal,
    @Args('token', { type: () => String }) token: string,
  ): Promise<AccessTokenMetadata> {
    return metadata(await this.tokens.describe(principal, token));
  }
}

/** Who made a token. */
@Resolver(() => AccessTokenMetadata)
export class TokenOwnerResolver {
  @ResolveField(() => typeNamed('CorpUser'), { nullable: true, description: 'The user who made it.' })
  owner(@Parent() { ownerUrn }: AccessTokenMetadata, @Context() context: RequestContext): Entity | null {
    return ofType(context.entity(ownerUrn), 'corpuser');
  }
}

function defaultRole(principal: Principal, actor: string): Role {
  if (actor === principal.actor) return principal.role;
  return ROLES[Math.min(ROLES.indexOf('EDITOR'), ROLES.indexOf(principal.role))]!;
}

function whose({ filters }: ListAccessTokenInput): Pick<Whose, 'actor' | 'createdBy' | 'endedBefore'> {
  const found: ReturnType<typeof whose> = {};
  (filters ?? []).forEach(({ field, values, value, condition, negated }, i) => {
    const pointer = `/filters/${i}`;
    const wanted = values ?? (value ? [value] : []);
    const expected = field === 'expiresAt' ? 'LESS_THAN' : 'EQUAL';
    if ((condition ?? 'EQUAL') !== expected || negated || wanted.length !== 1) {
      throw refuse(
        'FILTER_INVALID',
        'tokens are found by one value that is equal, those that have ended by expiresAt LESS_THAN a time',
        pointer,
      );
    }
    if (field === 'actorUrn') found.actor = wanted[0]!;
    else if (field === 'ownerUrn') found.createdBy = wanted[0]!;
    else if (field === 'expiresAt') found.endedBefore = readTime(wanted[0]!, `${pointer}/values`);
    else
      throw refuse(
        'FILTER_INVALID',
        'tokens are found by actorUrn, ownerUrn and expiresAt',
        `${pointer}/field`,
      );
  });
  return found;
}

function readTime(text: string, pointer: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw refuse('FILTER_INVALID', 'a time is a number of milliseconds', pointer);
}

function metadata(info: TokenInfo): AccessTokenMetadata {
  const { id, name, description, actor, role, createdAt, createdBy, expiresAt, revokedAt, parent } = info;
  return {
    urn: `urn:li:dataHubAccessToken:${id}`,
    type: 'ACCESS_TOKEN',
    id,
    name,
    description: description || null,
    actorUrn: actor,
    ownerUrn: createdBy,
    role,
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    parentId: parent ?? null,
  };
}
