import { Inject, Injectable } from '@nestjs/common';
import { authorize, type Principal, type Role } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import {
  accountParent,
  AccessTokenRepository,
  hashToken,
  JwtService,
  newToken,
  TokenService,
} from '../auth/index.js';
import { AccountRepository, accountRecord, type UserState } from './account.repository.js';
import type { AccountRow } from './entities/account.row.js';

const HOUR_MS = 3_600_000;
/** How long an invitation holds, and the right to set a password. */
const INVITATION_MS = 7 * 24 * HOUR_MS;
const RESET_MS = 24 * HOUR_MS;

/** `INVITED`: no password is set yet. `REMOVED`: the user was deleted since. */
export type AccountState = 'ACTIVE' | 'INVITED' | 'SUSPENDED' | 'REMOVED';

/** An account as administrators see it. */
export interface AccountInfo {
  readonly actor: string;
  readonly role: Role;
  readonly state: AccountState;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** Makes and changes accounts with passwords: what administrators do. */
@Injectable()
export class AccountsService {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(AccessTokenRepository) private readonly tokens: AccessTokenRepository,
    @Inject(TokenService) private readonly known: Pick<TokenService, 'forget'>,
    @Inject(JwtService) private readonly provider: Pick<JwtService, 'configured'>,
  ) {}

  /**
   * What people make accounts of that role with, until it ends. It is seen once.
   * @throws CatalogError RULE_VIOLATED where an identity provider names users as well
   */
  async invite(by: Principal, role: Role): Promise<string> {
    authorize(by, 'manage');
    checkNamesAreOurs(this.provider);
    const token = newToken();
    await this.accounts.change(async (tx, record) => {
      await this.accounts.invite(tx, this.sent(by, token, '', role, INVITATION_MS));
      record(accountRecord(by.actor, by.actor, { invited: role }));
    });
    return token;
  }

  /**
   * Makes an account for a user, who sets its password with what is returned; it is seen once.
   * @throws CatalogError NAME_TAKEN when the user has one
   */
  async create(by: Principal, actor: string, role: Role): Promise<string> {
    authorize(by, 'manage');
    checkUser(actor, '/userUrn');
    const token = newToken();
    await this.accounts.change(async (tx, record) => {
      const account = { actor, role, password: '', life: 0, createdAt: Date.now(), createdBy: by.actor };
      if (!(await this.accounts.insert(tx, account)))
        throw refuse('NAME_TAKEN', `${actor} has an account already`, '/userUrn');
      await this.accounts.invite(tx, this.sent(by, token, actor, role, RESET_MS));
      record(accountRecord(by.actor, actor, { created: true, role }));
    });
    return token;
  }

  /** Lets a user set the password anew, with what is returned. @throws CatalogError ENTITY_NOT_FOUND */
  async reset(by: Principal, actor: string): Promise<string> {
    authorize(by, 'manage');
    const account = await this.accounts.find(actor);
    if (account === undefined) throw noAccount(actor);
    const token = newToken();
    await this.accounts.change(async (tx, record) => {
      await this.accounts.invite(tx, this.sent(by, token, actor, account.role, RESET_MS));
      record(accountRecord(by.actor, actor, { passwordResetAllowed: true }));
    });
    return token;
  }

  /** Gives an account another role. Its sessions end, and so do the tokens that were made in them. @throws CatalogError ENTITY_NOT_FOUND */
  async setRole(by: Principal, actor: string, role: Role): Promise<void> {
    authorize(by, 'manage');
    await this.ending(by, actor, async (tx, record) => {
      if (!(await this.accounts.setRole(tx, actor, role))) throw noAccount(actor);
      record(accountRecord(by.actor, actor, { role }));
    });
  }

  /** Deletes an account; the user stays. Its sessions end, and so do the tokens that were made in them. @throws CatalogError ENTITY_NOT_FOUND */
  async delete(by: Principal, actor: string): Promise<void> {
    authorize(by, 'manage');
    await this.ending(by, actor, async (tx, record) => {
      if (!(await this.accounts.delete(tx, actor))) throw noAccount(actor);
      record(accountRecord(by.actor, actor, { deleted: true }));
    });
  }

  async list(
    by: Principal,
    start: number,
    count: number,
  ): Promise<{ total: number; accounts: AccountInfo[] }> {
    authorize(by, 'manage');
    const { total, accounts } = await this.accounts.list(start, count);
    const states = await Promise.all(accounts.map(({ actor }) => this.accounts.userState(actor)));
    return {
      total,
      accounts: accounts.map((account, i) => {
        const { actor, role, createdAt, createdBy } = account;
        return { actor, role, state: stateOf(account, states[i]!), createdAt, createdBy };
      }),
    };
  }

  private async ending(
    by: Principal,
    actor: string,
    work: Parameters<AccountRepository['change']>[0],
  ): Promise<void> {
    const hashes = await this.accounts.change(async (tx, record) => {
      await work(tx, record);
      return this.tokens.revokeMadeBy(tx, record, accountParent(actor), { by: by.actor, now: Date.now() });
    });
    this.known.forget(hashes);
  }

  private sent(by: Principal, token: string, actor: string, role: Role, lasts: number) {
    const createdAt = Date.now();
    return {
      hash: hashToken(token),
      actor,
      role,
      createdAt,
      createdBy: by.actor,
      expiresAt: createdAt + lasts,
    };
  }
}

/** What may become of an account. */
export function stateOf({ password, life }: AccountRow, user: UserState): AccountState {
  if (password === '') return 'INVITED';
  if (user.life !== life || user.removed) return 'REMOVED';
  return user.suspended ? 'SUSPENDED' : 'ACTIVE';
}

/**
 * Who is invited chooses a name, and has what belongs to it. The names of an identity provider are not known here before their users
 * come: beside one, an administrator names the user of each account.
 * @throws CatalogError RULE_VIOLATED
 */
export function checkNamesAreOurs({ configured }: Pick<JwtService, 'configured'>): void {
  if (!configured) return;
  const message =
    'invited people choose a name, which may be that of a user of the identity provider: make their accounts with createAccount';
  throw refuse('RULE_VIOLATED', message);
}

/** @throws CatalogError PARAMETER_INVALID unless a text is the URN of a user that may have an account */
export function checkUser(actor: string, pointer: string): void {
  const urn = tryParseUrn(actor);
  if (urn?.type === 'corpuser' && /^[\w.@+-]{1,200}$/.test(urn.id) && !urn.id.startsWith('__')) return;
  const message =
    'an account is for a user urn:li:corpuser:<name>; the name has up to 200 letters, digits and . _ - + @';
  throw refuse('PARAMETER_INVALID', message, pointer);
}

const noAccount = (actor: string) =>
  refuse('ENTITY_NOT_FOUND', `${JSON.stringify(actor.slice(0, 220))} has no account`, '/userUrn');
