import { Injectable } from '@nestjs/common';
import { authorize, type Principal, type Role } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, refuseEmpty, type Mention } from '../ingest/index.js';
import { AccountRepository } from './account.repository.js';
import { AccountsService } from './accounts.service.js';

const ROLE = 'dataHubRole';

/** Says which role users have: for policies, and for their accounts. */
@Injectable()
export class RoleAssignment {
  constructor(
    private readonly edits: EditService,
    private readonly accounts: AccountRepository,
    private readonly service: AccountsService,
  ) {}

  /**
   * Gives users a role instead of those they have; all or none. Accounts follow after that: a role of the service becomes theirs.
   * @param urn undefined takes users out of their roles
   * @param role which of the service the URN stands for, if any
   * @throws CatalogError NOT_ALLOWED, ENTITY_NOT_FOUND, PARAMETER_INVALID; RULE_VIOLATED for users with an account, which is never without
   *   a role
   */
  async assign(
    by: Principal,
    urn: string | undefined,
    role: Role | undefined,
    actors: readonly string[],
  ): Promise<void> {
    authorize(by, 'manage');
    refuseEmpty(actors, '/actors');
    const users = [...new Set(actors)].map((actor): Mention => {
      return { urn: actor, at: `/actors/${actors.indexOf(actor)}`, types: ['corpuser'] };
    });
    this.edits.checkMentions(users);
    const named = urn === undefined ? [] : [{ urn, at: '/roleUrn', types: [ROLE] }];
    this.edits.checkMentions(named);
    const accounts = await Promise.all(users.map(({ urn: actor }) => this.accounts.find(actor)));
    const held = accounts.findIndex((account) => account !== undefined);
    if (role === undefined && held >= 0)
      throw refuse(
        'RULE_VIOLATED',
        `${users[held]!.urn} has an account, which needs a role of the service: Admin, Editor or Reader`,
        users[held]!.at,
      );
    await this.edits.submit(
      by,
      users.map(({ urn: actor, at }) => ({
        ...{ urn: actor, at, aspect: 'roleMembership', what: 'roles' },
        // The roles of the service are there without an entity.
        mentions: role === undefined ? named : [],
        apply: () => ({ roles: urn === undefined ? [] : [urn] }),
      })),
    );
    for (const account of accounts)
      if (account !== undefined && role !== undefined && account.role !== role)
        await this.service.setRole(by, account.actor, role);
  }
}
