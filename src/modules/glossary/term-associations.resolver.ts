import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { AssociationsService, ofBatch, ofMany, ofOne } from '../ingest/index.js';
import { TERMS } from './term-association.js';
import {
  AddTermsInput,
  BatchAddTermsInput,
  BatchRemoveTermsInput,
  TermAssociationInput,
} from './term-associations.inputs.js';
import './term-associations.types.js';

/** Glossary terms on entities and columns. */
@Resolver()
export class TermAssociationsResolver {
  constructor(private readonly associations: AssociationsService) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Attaches a glossary term to an entity or a column.',
  })
  async addTerm(
    @Context() { principal }: RequestContext,
    @Args('input') input: TermAssociationInput,
  ): Promise<boolean> {
    await this.associations.add(principal, TERMS, ofOne('termUrn', input.termUrn, input));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Attaches glossary terms to an entity or a column.',
  })
  async addTerms(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddTermsInput,
  ): Promise<boolean> {
    await this.associations.add(principal, TERMS, ofMany('termUrns', input.termUrns, input));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Takes a glossary term from an entity or a column.',
  })
  async removeTerm(
    @Context() { principal }: RequestContext,
    @Args('input') input: TermAssociationInput,
  ): Promise<boolean> {
    await this.associations.remove(principal, TERMS, ofOne('termUrn', input.termUrn, input));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Attaches glossary terms to several entities and columns, all or none.',
  })
  async batchAddTerms(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchAddTermsInput,
  ): Promise<boolean> {
    await this.associations.add(principal, TERMS, ofBatch('termUrns', input.termUrns, input.resources));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Takes glossary terms from several entities and columns, all or none.',
  })
  async batchRemoveTerms(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchRemoveTermsInput,
  ): Promise<boolean> {
    await this.associations.remove(principal, TERMS, ofBatch('termUrns', input.termUrns, input.resources));
    return true;
  }
}
