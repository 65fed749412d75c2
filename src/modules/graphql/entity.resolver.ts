import { Args, Context, Info, Query, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { refuse } from '../../catalog/errors/index.js';
import { RequestContext } from './request-context.js';
import { Entity } from './types/index.js';

/** The most URNs of one `entities` query. */
const MAX_ENTITIES = 1_000;

/** Queries for entities of any kind. Those for one kind come from the model, see `model-types/entity-types.ts`. */
@Resolver()
export class EntityResolver {
  @Query(() => Entity, {
    nullable: true,
    description: 'The entity of that URN; null when it does not exist.',
  })
  entity(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, description: 'Its URN.' }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, undefined, '/urn', true, info);
  }

  @Query(() => [Entity], {
    nullable: 'itemsAndList',
    description: 'The entities of those URNs, in their order; null in the place of one that does not exist.',
  })
  entities(
    @Context() context: RequestContext,
    @Args('urns', { type: () => [String], description: 'Their URNs.' }) urns: string[],
    @Args('checkForExistence', {
      type: () => Boolean,
      nullable: true,
      description: 'Whether to look if they exist; default true.',
    })
    check: boolean | null,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (urns.length > MAX_ENTITIES) {
      throw refuse('BATCH_TOO_LARGE', `at most ${MAX_ENTITIES} entities can be asked for together`, '/urns');
    }
    return Promise.all(urns.map((urn, i) => context.find(urn, undefined, `/urns/${i}`, check ?? true, info)));
  }

  @Query(() => Boolean, {
    nullable: true,
    description: 'Whether an entity exists, soft-deleted ones included.',
  })
  async entityExists(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, description: 'Its URN.' }) urn: string,
  ) {
    return (await context.find(urn)) !== null;
  }
}
