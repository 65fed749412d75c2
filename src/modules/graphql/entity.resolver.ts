import { Args, Context, Info, Query, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { refuse } from '../../catalog/errors/index.js';
import { RequestContext } from './request-context.js';
import { Entity, typeNamed } from './types/index.js';

/** The most URNs of one `entities` query. */
const MAX_ENTITIES = 1_000;

/** A query for one entity of each kind, and for any. */
@Resolver()
export class EntityResolver {
  @Query(() => Entity, {
    nullable: true,
    description: 'The entity of that URN; null when it does not exist.',
  })
  entity(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
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
    @Args('urns', { type: () => [String] }) urns: string[],
    @Args('checkForExistence', { type: () => Boolean, nullable: true, description: 'Default true.' })
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
  async entityExists(@Context() context: RequestContext, @Args('urn', { type: () => String }) urn: string) {
    return (await context.find(urn)) !== null;
  }

  @Query(() => typeNamed('Dataset'), { nullable: true, description: 'Null when it does not exist.' })
  dataset(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'dataset', '/urn', true, info);
  }

  @Query(() => typeNamed('Chart'), { nullable: true, description: 'Null when it does not exist.' })
  chart(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'chart', '/urn', true, info);
  }

  @Query(() => typeNamed('Dashboard'), { nullable: true, description: 'Null when it does not exist.' })
  dashboard(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'dashboard', '/urn', true, info);
  }

  @Query(() => typeNamed('Tag'), { nullable: true, description: 'Null when it does not exist.' })
  tag(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'tag', '/urn', true, info);
  }

  @Query(() => typeNamed('GlossaryTerm'), { nullable: true, description: 'Null when it does not exist.' })
  glossaryTerm(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'glossaryTerm', '/urn', true, info);
  }

  @Query(() => typeNamed('GlossaryNode'), { nullable: true, description: 'Null when it does not exist.' })
  glossaryNode(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'glossaryNode', '/urn', true, info);
  }

  @Query(() => typeNamed('CorpUser'), { nullable: true, description: 'Null when it does not exist.' })
  corpUser(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'corpuser', '/urn', true, info);
  }

  @Query(() => typeNamed('CorpGroup'), { nullable: true, description: 'Null when it does not exist.' })
  corpGroup(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'corpGroup', '/urn', true, info);
  }

  @Query(() => typeNamed('Domain'), { nullable: true, description: 'Null when it does not exist.' })
  domain(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'domain', '/urn', true, info);
  }

  @Query(() => typeNamed('Container'), { nullable: true, description: 'Null when it does not exist.' })
  container(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'container', '/urn', true, info);
  }

  @Query(() => typeNamed('DataPlatform'), { nullable: true, description: 'Null when it does not exist.' })
  dataPlatform(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'dataPlatform', '/urn', true, info);
  }

  @Query(() => typeNamed('DataFlow'), { nullable: true, description: 'Null when it does not exist.' })
  dataFlow(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'dataFlow', '/urn', true, info);
  }

  @Query(() => typeNamed('DataJob'), { nullable: true, description: 'Null when it does not exist.' })
  dataJob(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'dataJob', '/urn', true, info);
  }

  @Query(() => typeNamed('DataProduct'), { nullable: true, description: 'Null when it does not exist.' })
  dataProduct(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'dataProduct', '/urn', true, info);
  }

  @Query(() => typeNamed('MLModel'), { nullable: true, description: 'Null when it does not exist.' })
  mlModel(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'mlModel', '/urn', true, info);
  }

  @Query(() => typeNamed('MLModelGroup'), { nullable: true, description: 'Null when it does not exist.' })
  mlModelGroup(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'mlModelGroup', '/urn', true, info);
  }

  @Query(() => typeNamed('MLFeature'), { nullable: true, description: 'Null when it does not exist.' })
  mlFeature(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'mlFeature', '/urn', true, info);
  }

  @Query(() => typeNamed('MLFeatureTable'), { nullable: true, description: 'Null when it does not exist.' })
  mlFeatureTable(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'mlFeatureTable', '/urn', true, info);
  }

  @Query(() => typeNamed('MLPrimaryKey'), { nullable: true, description: 'Null when it does not exist.' })
  mlPrimaryKey(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String }) urn: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.find(urn, 'mlPrimaryKey', '/urn', true, info);
  }
}
