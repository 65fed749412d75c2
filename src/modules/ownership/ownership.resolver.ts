import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext, type ResourceRefInput } from '../graphql/index.js';
import { readResource, type Resource } from '../ingest/index.js';
import type { OwnerRequest } from './owner-rules.js';
import {
  AddOwnerInput,
  AddOwnersInput,
  BatchAddOwnersInput,
  BatchRemoveOwnersInput,
  RemoveOwnerInput,
  type OwnerInput,
} from './ownership.inputs.js';
import { OwnershipService } from './ownership.service.js';

const OWNERS = '/owners';
const RESOURCES = '/resources';

/** Owners of entities. */
@Resolver()
export class OwnershipResolver {
  constructor(private readonly ownership: OwnershipService) {}

  @Mutation(() => Boolean, { nullable: true, description: 'Adds a user or group as an owner.' })
  async addOwner(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddOwnerInput,
  ): Promise<boolean> {
    const owner = { ...input, at: '', urnAt: '/ownerUrn' };
    await this.ownership.add(principal, [owner], one(input), { owners: '' });
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Adds users and groups as owners.' })
  async addOwners(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddOwnersInput,
  ): Promise<boolean> {
    await this.ownership.add(principal, listed(input.owners), one(input), { owners: OWNERS });
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Ends an ownership.' })
  async removeOwner(
    @Context() { principal }: RequestContext,
    @Args('input') input: RemoveOwnerInput,
  ): Promise<boolean> {
    const owner = { urn: input.ownerUrn, at: '/ownerUrn' };
    const role = input.ownershipTypeUrn ?? undefined;
    await this.ownership.remove(principal, [owner], role, one(input), { owners: '/ownerUrn' });
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Adds users and groups as owners of several entities, all or none.',
  })
  async batchAddOwners(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchAddOwnersInput,
  ): Promise<boolean> {
    const owners = listed(input.owners, input.ownershipTypeUrn);
    const at = { owners: OWNERS, resources: RESOURCES };
    await this.ownership.add(principal, owners, many(input.resources), at);
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Ends ownerships of several entities, all or none.',
  })
  async batchRemoveOwners(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchRemoveOwnersInput,
  ): Promise<boolean> {
    const owners = input.ownerUrns.map((urn, i) => ({ urn, at: `/ownerUrns/${i}` }));
    const at = { owners: '/ownerUrns', resources: RESOURCES };
    const role = input.ownershipTypeUrn ?? undefined;
    await this.ownership.remove(principal, owners, role, many(input.resources), at);
    return true;
  }
}

const one = ({ resourceUrn }: { resourceUrn: string }): Resource[] => [readResource({ resourceUrn }, '')];

const many = (resources: readonly ResourceRefInput[]): Resource[] =>
  resources.map((resource, i) => readResource(resource, `${RESOURCES}/${i}`));

function listed(owners: readonly OwnerInput[], role?: string | null): OwnerRequest[] {
  return owners.map((owner, i) => ({
    ...owner,
    ownershipTypeUrn: owner.ownershipTypeUrn ?? (owner.type ? undefined : role),
    at: `${OWNERS}/${i}`,
    urnAt: `${OWNERS}/${i}/ownerUrn`,
  }));
}
