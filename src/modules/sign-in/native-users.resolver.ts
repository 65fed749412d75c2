import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CorpUser, RequestContext } from '../graphql/index.js';
import { AccountRepository } from './account.repository.js';

/** Which users sign in with a password of the service. */
@Resolver(() => CorpUser)
export class NativeUsersResolver {
  constructor(private readonly accounts: AccountRepository) {}

  @ResolveField(() => Boolean, {
    nullable: true,
    description: 'Whether the user has an account with a password, or is about to set one.',
  })
  isNativeUser(@Parent() user: CorpUser, @Context() context: RequestContext): Promise<boolean> {
    const loader = context.batched('native users', async (urns) => {
      const holders = await this.accounts.holdersAmong(urns);
      return urns.map((urn) => holders.has(urn));
    });
    return loader.load(user.urn);
  }
}
