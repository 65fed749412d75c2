import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { refuseEmpty, EditService, type Mention, type Resource } from '../ingest/index.js';

/** Which domain things belong to: one at most, as people set it. */
@Injectable()
export class DomainAssignmentService {
  constructor(private readonly edits: EditService) {}

  /**
   * Puts entities into a domain instead of the one they were in; all in one transaction, or none.
   * @param domain undefined takes them out of any.
   * @param resourcesAt JSON pointer of the list of resources; absent when the request is about one.
   * @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID, ASPECT_UNKNOWN for what cannot be in a domain.
   */
  async set(
    principal: Principal,
    resources: ReadonlyArray<Pick<Resource, 'urn' | 'at'> & Partial<Resource>>,
    domain: { urn: string; at: string } | undefined,
    resourcesAt?: string,
  ): Promise<void> {
    if (resourcesAt !== undefined) refuseEmpty(resources, resourcesAt);
    const mentions: Mention[] = domain === undefined ? [] : [{ ...domain, types: ['domain'] }];
    const domains = domain === undefined ? [] : [domain.urn];
    const distinct = new Map(resources.map((resource) => [resource.urn, resource] as const).toReversed());
    await this.edits.submit(
      principal,
      [...distinct.values()].map(({ urn, at, column, columnAt }) => {
        if (column !== undefined) throw refuse('PARAMETER_INVALID', 'a column is in no domain', columnAt);
        return {
          urn,
          at,
          aspect: 'domains',
          what: 'domain',
          mentions,
          apply: (current: Record<string, unknown> | undefined) => {
            const before = (current?.['domains'] ?? []) as string[];
            const same = before.length === domains.length && before[0] === domains[0];
            return same ? undefined : { domains };
          },
        };
      }),
    );
  }
}
