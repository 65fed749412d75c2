import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { EditService, refuseBlank } from '../ingest/index.js';
import { POLICY } from './policies.service.js';

/** Makes, replaces and deletes policies. The write path says who may, and what a policy may say. */
@Injectable()
export class PolicyEdits {
  constructor(private readonly edits: EditService) {}

  /** @returns the URN. @throws CatalogError NOT_ALLOWED, ASPECT_INVALID, RULE_VIOLATED */
  async create(principal: Principal, info: Record<string, unknown>): Promise<string> {
    const urn = `urn:li:${POLICY}:${randomUUID()}`;
    await this.write(principal, urn, info, 'new');
    return urn;
  }

  /** Also puts a policy in the place of a built-in one. @throws CatalogError as {@link create} */
  async replace(principal: Principal, urn: string, info: Record<string, unknown>): Promise<string> {
    this.edits.checkMentions([{ urn, at: '/urn', types: [POLICY] }]);
    await this.write(principal, urn, info, 'any');
    return urn;
  }

  /** @throws CatalogError NOT_ALLOWED, ENTITY_NOT_FOUND */
  async delete(principal: Principal, urn: string): Promise<string> {
    this.edits.checkMentions([{ urn, at: '/urn', types: [POLICY] }]);
    await this.edits.delete(principal, { urn, at: '/urn' }, []);
    return urn;
  }

  private async write(
    principal: Principal,
    urn: string,
    info: Record<string, unknown>,
    entity: 'new' | 'any',
  ): Promise<void> {
    refuseBlank(info['displayName'] as string, 'a name', '/name');
    await this.edits.submit(principal, [
      {
        urn,
        // Pointers lead into what the policy says.
        at: '',
        aspect: 'dataHubPolicyInfo',
        what: 'policies',
        entity,
        apply: (_, { stamp }) => ({ ...info, lastUpdatedTimestamp: stamp.time }),
      },
    ]);
  }
}
