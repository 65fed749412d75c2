import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import {
  EditService,
  refuseEmpty,
  refuseMissing,
  type AspectEdit,
  type Mention,
  type Resource,
} from '../ingest/index.js';
import { OWNER_TYPES, OwnerRules, type OwnerRequest } from './owner-rules.js';
import { withOwners, withoutOwners, type Owner } from './owners.js';

/** Who owns what, and in which role. Adding or removing twice changes nothing. */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly edits: EditService,
    private readonly rules: OwnerRules,
  ) {}

  /**
   * All in one transaction, or none.
   * @throws CatalogError ENTITY_NOT_FOUND for an owner, role or resource; PARAMETER_INVALID for an owner that is
   *   neither user nor group, and for empty lists.
   */
  async add(
    principal: Principal,
    owners: readonly OwnerRequest[],
    resources: readonly Resource[],
    at: { owners: string; resources?: string },
  ): Promise<void> {
    refuseEmpty(owners, at.owners);
    if (at.resources !== undefined) refuseEmpty(resources, at.resources);
    const { owners: added, mentions } = this.rules.read(owners);
    await this.edits.submit(
      principal,
      distinct(resources).map((resource) => ({
        ...target(resource),
        mentions,
        apply: (current, { stamp }) => {
          const next = withOwners((current?.['owners'] ?? []) as Owner[], added);
          return next && { ...current, owners: next, lastModified: stamp };
        },
      })),
    );
  }

  /**
   * All in one transaction, or none. An owner that does not exist any more can still be taken from what it owns.
   * @param typeUrn only in this role; in every role when absent.
   */
  async remove(
    principal: Principal,
    owners: ReadonlyArray<{ urn: string; at: string }>,
    typeUrn: string | undefined,
    resources: readonly Resource[],
    at: { owners: string; resources?: string },
  ): Promise<void> {
    refuseEmpty(owners, at.owners);
    if (at.resources !== undefined) refuseEmpty(resources, at.resources);
    const mentions: Mention[] = owners.map((owner) => ({ ...owner, types: OWNER_TYPES }));
    this.edits.checkMentions(mentions);
    const gone = new Set(owners.map((owner) => owner.urn));
    const seen = new Set<string>();
    const distinctResources = distinct(resources);
    await this.edits.submit(
      principal,
      distinctResources.map((resource, i) => ({
        ...target(resource),
        looksAtEntities: [...gone],
        apply: async (current, context) => {
          const present = (current?.['owners'] ?? []) as Owner[];
          for (const { owner } of present) seen.add(owner);
          if (i === distinctResources.length - 1) {
            const unseen = mentions.filter((mention) => !seen.has(mention.urn));
            await refuseMissing(unseen, context);
          }
          const next = withoutOwners(present, gone, typeUrn);
          return next && { ...current, owners: next, lastModified: context.stamp };
        },
      })),
    );
  }
}

function target({ urn, at, column, columnAt }: Resource): Pick<AspectEdit, 'urn' | 'at' | 'aspect' | 'what'> {
  if (column !== undefined) throw refuse('PARAMETER_INVALID', 'a column has no owners', columnAt);
  return { urn, at, aspect: 'ownership', what: 'owners' };
}

/** The resources, each once. */
function distinct(resources: readonly Resource[]): Resource[] {
  const byUrn = new Map<string, Resource>();
  for (const resource of resources) {
    target(resource);
    if (!byUrn.has(resource.urn)) byUrn.set(resource.urn, resource);
  }
  return [...byUrn.values()];
}
