import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, currentOrigin, type AuditRecord } from '../../catalog/audit/index.js';
import type { Role } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { Database, type SqlReader, type Transaction } from '../../catalog/store/index.js';
import { HeadRepository } from '../entities/index.js';
import type { AccountRow } from './entities/account.row.js';
import type { InvitationRow } from './entities/invitation.row.js';

const ACCOUNT = 'actor, role, password, life, created_at AS createdAt, created_by AS createdBy';
const INVITATION =
  'hash, actor, role, created_at AS createdAt, created_by AS createdBy, expires_at AS expiresAt';

/** What the catalog says of a user. `life` is since when it exists; 0 when it does not. */
export interface UserState {
  readonly life: number;
  /** Was there once, and has been permanently deleted. */
  readonly deleted: boolean;
  /** Soft-deleted. */
  readonly removed: boolean;
  readonly suspended: boolean;
}

/** The tables of accounts and invitations, and what entities say of their users. */
@Injectable()
export class AccountRepository {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Inject(HeadRepository) private readonly heads: HeadRepository,
  ) {}

  /** @param lock appended to the statement, for a transaction that needs the account to stay as it is */
  async find(actor: string, reader: SqlReader = this.database, lock = ''): Promise<AccountRow | undefined> {
    const sql = `SELECT ${ACCOUNT} FROM account WHERE actor = ?${lock}`;
    const [row] = await reader.all<AccountRow>(sql, [actor]);
    return row && { ...row, life: Number(row.life), createdAt: Number(row.createdAt) };
  }

  /** Those of the users who have an account. */
  async holdersAmong(actors: readonly string[]): Promise<Set<string>> {
    const asked = this.database.dialect.in('actor', actors);
    const rows = await this.database.all<Pick<AccountRow, 'actor'>>(
      `SELECT actor FROM account WHERE ${asked.sql}`,
      asked.params,
    );
    return new Set(rows.map(({ actor }) => actor));
  }

  /** In the order of their URNs. */
  async list(start: number, count: number): Promise<{ total: number; accounts: AccountRow[] }> {
    const [[counted], accounts] = await Promise.all([
      this.database.all<{ n: number }>('SELECT COUNT(*) AS n FROM account'),
      this.database.all<AccountRow>(`SELECT ${ACCOUNT} FROM account ORDER BY actor LIMIT ? OFFSET ?`, [
        count,
        start,
      ]),
    ]);
    return {
      total: Number(counted?.n ?? 0),
      accounts: accounts.map((row) => ({ ...row, life: Number(row.life), createdAt: Number(row.createdAt) })),
    };
  }

  async userState(actor: string): Promise<UserState> {
    const row = await this.heads.withAspect(actor, 'corpUserStatus');
    if (row === undefined) return { life: 0, deleted: false, removed: false, suspended: false };
    const status = row.value === null ? undefined : (readJson(row.value) as { status?: unknown }).status;
    return {
      life: Number(row.live) === 1 ? Number(row.created_at) : 0,
      deleted: Number(row.live) !== 1,
      removed: Number(row.removed) === 1,
      suspended: status === 'SUSPENDED',
    };
  }

  /** Runs changes of accounts and what is recorded of them in one transaction. */
  change<T>(work: (tx: Transaction, record: (record: AuditRecord) => void) => Promise<T>): Promise<T> {
    return this.audit.transaction(work);
  }

  /** Stores a new account. @returns false when the user has one, which stays as it is. */
  async insert(tx: Transaction, account: AccountRow): Promise<boolean> {
    const { actor, role, password, life, createdAt, createdBy } = account;
    if ((await this.find(actor, tx)) !== undefined) return false;
    await tx.insert(
      'account',
      ['actor', 'role', 'password', 'life', 'created_at', 'created_by'],
      [[actor, role, password, life, createdAt, createdBy]],
    );
    return true;
  }

  /** Sets the password of an account. @returns whether there is such an account */
  async setPassword(tx: Transaction, actor: string, password: string, life: number): Promise<boolean> {
    const sql = 'UPDATE account SET password = ?, life = ? WHERE actor = ?';
    return (await tx.run(sql, [password, life, actor])) > 0;
  }

  async setRole(tx: Transaction, actor: string, role: Role): Promise<boolean> {
    return (await tx.run('UPDATE account SET role = ? WHERE actor = ?', [role, actor])) > 0;
  }

  /** Deletes an account, and what could set its password. @returns whether there was one */
  async delete(tx: Transaction, actor: string): Promise<boolean> {
    await tx.run('DELETE FROM invitation WHERE actor = ?', [actor]);
    return (await tx.run('DELETE FROM account WHERE actor = ?', [actor])) > 0;
  }

  /** Stores what a person is going to be sent; of one account, and of invitations of one role, the newest alone counts. */
  async invite(tx: Transaction, row: InvitationRow): Promise<void> {
    await tx.run('DELETE FROM invitation WHERE expires_at <= ?', [row.createdAt]);
    if (row.actor !== '') await tx.run('DELETE FROM invitation WHERE actor = ?', [row.actor]);
    else await tx.run("DELETE FROM invitation WHERE actor = '' AND role = ?", [row.role]);
    const { hash, actor, role, createdAt, createdBy, expiresAt } = row;
    await tx.insert(
      'invitation',
      ['hash', 'actor', 'role', 'created_at', 'created_by', 'expires_at'],
      [[hash, actor, role, createdAt, createdBy, expiresAt]],
    );
  }

  /** An invitation that has not ended. */
  async invitation(hash: string, now: number): Promise<InvitationRow | undefined> {
    const [row] = await this.database.all<InvitationRow>(
      `SELECT ${INVITATION} FROM invitation WHERE hash = ? AND expires_at > ?`,
      [hash, now],
    );
    return row;
  }

  /** Takes what can be used once. @returns whether it was there: of two who use it together, one */
  async use(tx: Transaction, hash: string): Promise<boolean> {
    return (await tx.run('DELETE FROM invitation WHERE hash = ?', [hash])) > 0;
  }
}

/** What the audit log says of a change of an account. */
export function accountRecord(by: string, actor: string, details: object): AuditRecord {
  return {
    actor: by,
    origin: currentOrigin(),
    events: [{ type: 'UpdateUserEvent', urn: actor, details: { account: true, ...details } }],
  };
}
