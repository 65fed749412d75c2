import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { RequestContext, Searches } from '../graphql/index.js';
import { readResource } from '../ingest/index.js';
import { listEntities } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { DOMAIN, LevelListsService, refTo, TreeService, type EntryRef } from '../trees/index.js';
import { DomainAssignmentService } from './domain-assignment.service.js';
import {
  BatchSetDomainInput,
  CreateDomainInput,
  ListDomainsInput,
  ListDomainsResult,
  MoveDomainInput,
} from './domains.inputs.js';
import './domains.types.js';

const DEFAULT_COUNT = 20;

/** Domains, and what belongs to them. */
@Resolver()
export class DomainsResolver {
  constructor(
    private readonly tree: TreeService,
    private readonly assignments: DomainAssignmentService,
    private readonly levels: LevelListsService,
    private readonly search: SearchService,
  ) {}

  @Mutation(() => String, { nullable: true, description: 'Creates a domain; returns its URN.' })
  createDomain(
    @Context() { principal }: RequestContext,
    @Args('input') { id, name, description, parentDomain, owners }: CreateDomainInput,
  ): Promise<string> {
    return this.tree.create(principal, DOMAIN, {
      id: id ?? undefined,
      name,
      description: description ?? undefined,
      parent: parentDomain ?? undefined,
      owners: owners?.map((owner, i) => {
        const at = `/owners/${i}`;
        return { ...owner, at, urnAt: `${at}/ownerUrn` };
      }),
    });
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Permanently deletes a domain that contains no other. References to it are removed in the background.',
  })
  async deleteDomain(
    @Context() { principal }: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the domain.' }) urn: string,
  ): Promise<boolean> {
    const entry = { urn, at: '/urn' };
    await this.tree.delete(principal, this.tree.kindOf(entry, [DOMAIN]), entry);
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Moves a domain into another, or to the top.' })
  async moveDomain(
    @Context() { principal }: RequestContext,
    @Args('input') { resourceUrn, parentDomain }: MoveDomainInput,
  ): Promise<boolean> {
    const entry = { urn: resourceUrn, at: '/resourceUrn' };
    const parent = refTo(parentDomain, '/parentDomain');
    await this.tree.move(principal, this.tree.kindOf(entry, [DOMAIN]), entry, parent);
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Puts an entity into a domain, instead of the one it was in.',
  })
  async setDomain(
    @Context() { principal }: RequestContext,
    @Args('entityUrn', { type: () => String, description: 'URN of the entity.' }) entityUrn: string,
    @Args('domainUrn', { type: () => String, description: 'URN of the domain.' }) domainUrn: string,
  ): Promise<boolean> {
    const domain = { urn: domainUrn, at: '/domainUrn' };
    await this.assignments.set(principal, [{ urn: entityUrn, at: '/entityUrn' }], domain);
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Takes an entity out of its domain.' })
  async unsetDomain(
    @Context() { principal }: RequestContext,
    @Args('entityUrn', { type: () => String, description: 'URN of the entity.' }) entityUrn: string,
  ): Promise<boolean> {
    await this.assignments.set(principal, [{ urn: entityUrn, at: '/entityUrn' }], undefined);
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Puts several entities into a domain, or takes them out of theirs; all or none.',
  })
  async batchSetDomain(
    @Context() { principal }: RequestContext,
    @Args('input') { domainUrn, resources }: BatchSetDomainInput,
  ): Promise<boolean> {
    const at = '/resources';
    const domain = refTo(domainUrn, '/domainUrn');
    const entities = resources.map((resource, i) => readResource(resource, `${at}/${i}`));
    await this.assignments.set(principal, entities, domain, at);
    return true;
  }

  @Searches('list')
  @Query(() => ListDomainsResult, { nullable: true, description: 'Domains on one level, by name.' })
  async listDomains(
    @Context() context: RequestContext,
    @Args('input') { start, count, parentDomain, query }: ListDomainsInput,
  ): Promise<ListDomainsResult> {
    const parent = refTo(parentDomain, '/parentDomain');
    const page = { start: start ?? 0, count: count ?? DEFAULT_COUNT };
    const text = query?.trim() ?? '';
    if (text !== '' && text !== '*') return this.found(context, { ...page, query: text }, parent);
    const { urns, ...level } = await this.levels.list(context.principal, DOMAIN, page, parent);
    return { ...level, domains: urns.map((urn) => context.entity(urn)) };
  }

  private async found(
    context: RequestContext,
    asked: { start: number; count: number; query: string },
    parent: EntryRef | undefined,
  ): Promise<ListDomainsResult> {
    if (parent) this.tree.kindOf(parent, [DOMAIN]);
    const field = DOMAIN.parent;
    const on = parent ? { field, values: [parent.urn] } : { field, condition: 'IS_NULL' as const };
    const { urns, ...page } = await listEntities(this.search, context, DOMAIN.entity, {
      ...asked,
      filters: [on],
    });
    return { ...page, domains: urns.map((urn) => context.entity(urn)) };
  }
}
