import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, type AuditRecord } from '../../catalog/audit/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';
import { Database, type SqlValue, type Transaction } from '../../catalog/store/index.js';
import type { AccessTokenRow } from './entities/access-token.row.js';
import { COLUMNS, insertToken, numbered, TokenState } from './token-rows.js';
import { tokenRecord } from './token-record.js';

/** How long the rows of ended sessions are kept. */
const ENDED_SESSIONS_MS = 30 * 86_400_000;

/** Values in one list of a statement. */
const MOST_IN_LIST = 500;

/** Tokens by whom they stand for and by who made them; absent: anybody. Sessions, where they are asked for, that have not ended. */
export interface Whose {
  actor?: string | undefined;
  createdBy?: string | undefined;
  sessionsAt?: number | undefined;
  /** Only tokens that have ended before this time, and were not taken back. */
  endedBefore?: number | undefined;
}

function conditionOf({ actor, createdBy, sessionsAt, endedBefore }: Whose): {
  where: string;
  params: SqlValue[];
} {
  const conditions = [
    sessionsAt === undefined ? "kind = ''" : "kind = 'session' AND revoked_at = 0 AND expires_at > ?",
    ...(actor === undefined ? [] : ['actor = ?']),
    ...(createdBy === undefined ? [] : ['created_by = ?']),
    ...(endedBefore === undefined ? [] : ['expires_at > 0 AND expires_at < ? AND revoked_at = 0']),
  ];
  const params = [sessionsAt, actor, createdBy, endedBefore].filter((value) => value !== undefined);
  return { where: `WHERE ${conditions.join(' AND ')}`, params };
}

/** The table of access tokens; what only sessions need of it has a repository of its own. */
@Injectable()
export class AccessTokenRepository {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(AuditLog) private readonly audit: AuditLog,
  ) {}

  async byHash(hash: string): Promise<AccessTokenRow | undefined> {
    return this.first('hash = ?', hash);
  }

  async byId(id: string): Promise<AccessTokenRow | undefined> {
    return this.first('id = ?', id);
  }

  /** Newest first; those of one user, made by one user, or all. */
  async list(whose: Whose, start: number, count: number): Promise<AccessTokenRow[]> {
    const { where, params } = conditionOf(whose);
    return this.database.all<AccessTokenRow>(
      `SELECT ${COLUMNS} FROM access_token ${where} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
      [...params, count, start],
    );
  }

  async count(whose: Whose): Promise<number> {
    const { where, params } = conditionOf(whose);
    const sql = `SELECT COUNT(*) AS total FROM access_token ${where}`;
    const [row] = await this.database.all<{ total: number }>(sql, params);
    return Number(row?.total ?? 0);
  }

  /** Whether a user has, or ever had, a token or a session. */
  async hasAny(actor: string): Promise<boolean> {
    return (
      (await this.database.all('SELECT id FROM access_token WHERE actor = ? LIMIT 1', [actor])).length > 0
    );
  }

  /** How many administrator tokens were ever made, and how many of them are valid at `now`. */
  async administrators(now: number): Promise<{ made: number; valid: number }> {
    const [row] = await this.database.all<{ made: number; valid: number }>(
      `SELECT COUNT(*) AS made,
        COALESCE(SUM(CASE WHEN revoked_at = 0 AND (expires_at = 0 OR expires_at > ?) THEN 1 ELSE 0 END), 0) AS valid
       FROM access_token WHERE role = 'ADMIN' AND kind = ''`,
      [now],
    );
    return { made: Number(row?.made ?? 0), valid: Number(row?.valid ?? 0) };
  }

  /**
   * Answers false when the id is taken already; nothing is written then.
   * @param judge may refuse, in the same transaction.
   */
  async insert(row: AccessTokenRow, judge?: (state: TokenState) => Promise<void>): Promise<boolean> {
    return this.audit.transaction(async (tx, record) => {
      await judge?.(new TokenState(tx));
      await insertToken(tx, row, { key: ['id'], then: 'ignore' });
      // Another process may have been first: the stored row decides.
      const [stored] = await tx.all<{ hash: string }>('SELECT hash FROM access_token WHERE id = ?', [row.id]);
      const isStored = stored?.hash === row.hash;
      if (isStored) record(tokenRecord(row.createdBy, 'CreateAccessTokenEvent', row));
      return isStored;
    });
  }

  /**
   * Stores the successor of a token under its id, to which also what it made belongs. The former one goes on under another id,
   * until a time at the latest.
   * @param successor gets the token, and the one that made it; may refuse
   */
  async rotate(
    id: string,
    former: { id: string; end: number },
    successor: (row: AccessTokenRow | undefined, parent: AccessTokenRow | undefined) => AccessTokenRow,
  ): Promise<AccessTokenRow> {
    return this.audit.transaction(async (tx, record) => {
      const state = new TokenState(tx);
      const row = await state.held(id);
      const parent = row?.parent ? await state.held(row.parent) : undefined;
      const next = successor(row, parent);
      const end = row?.expiresAt ? Math.min(row.expiresAt, former.end) : former.end;
      await tx.run('UPDATE access_token SET id = ?, expires_at = ? WHERE id = ?', [former.id, end, id]);
      await insertToken(tx, next);
      const details = { formerId: former.id, formerEndsAt: end };
      record(tokenRecord(next.createdBy, 'CreateAccessTokenEvent', next, details));
      return next;
    });
  }

  /** Removes a token that was never shown. */
  async forget(id: string): Promise<void> {
    await this.audit.transaction(async (tx, record) => {
      const row = await new TokenState(tx).held(id);
      if (row === undefined) return;
      await tx.run('DELETE FROM access_token WHERE id = ?', [id]);
      record(tokenRecord(row.createdBy, 'RevokeAccessTokenEvent', row, { shown: false }));
    });
  }

  /**
   * Revokes a token and all that it made, and all that those made. The first revocation counts; a repeated one changes
   * nothing.
   * @returns the hashes of all of them, and how many of those below it were valid until now.
   */
  async revoke(row: AccessTokenRow, by: string, now: number): Promise<{ hashes: string[]; below: number }> {
    const { id } = row;
    return this.audit.transaction(async (tx, record) => {
      // The creator of a token locks the row of its parent: what is made below is there before it is looked for.
      const revoked = await tx.run('UPDATE access_token SET revoked_at = ? WHERE id = ? AND revoked_at = 0', [
        now,
        id,
      ]);
      if (revoked > 0) record(tokenRecord(by, 'RevokeAccessTokenEvent', row));
      return revokeBelow(tx, record, id, { by, now });
    });
  }

  /** Revokes all that has this parent, which is no token, and all that was made with it. @returns the hashes of all of them */
  async revokeMadeBy(
    tx: Transaction,
    record: (record: AuditRecord) => void,
    parent: string,
    how: { by: string; now: number },
  ): Promise<string[]> {
    return (await revokeBelow(tx, record, parent, how)).hashes;
  }

  /** Notes the first use of a token, once. */
  async noteUse(row: AccessTokenRow, now: number, origin: RequestOrigin | undefined): Promise<void> {
    await this.audit.transaction(async (tx, record) => {
      const sql = 'UPDATE access_token SET used_at = ? WHERE id = ? AND used_at = 0';
      if ((await tx.run(sql, [now, row.id])) > 0)
        record({ ...tokenRecord(row.actor, 'LogInEvent', row), origin });
    });
  }

  /** Records the first use of a token that is in no table. */
  noteConfiguredUse(actor: string, id: string, origin: RequestOrigin | undefined): Promise<void> {
    const urn = `urn:li:dataHubAccessToken:${id}`;
    return this.audit.record({ actor, origin, events: [{ type: 'LogInEvent', urn }] });
  }

  /** Notes that tokens have expired, each once. @returns how many there were, at most `limit` */
  async noteExpired(now: number, limit: number): Promise<number> {
    const sql = `SELECT ${COLUMNS} FROM access_token
      WHERE expires_at > 0 AND expires_at <= ? AND ended_at = 0 AND revoked_at = 0 LIMIT ?`;
    const rows = (await this.database.all<AccessTokenRow>(sql, [now, limit])).map(numbered);
    if (rows.length === 0) return 0;
    await this.audit.transaction(async (tx, record) => {
      for (const row of rows) {
        if (row.kind === 'former') {
          await tx.run('DELETE FROM access_token WHERE id = ?', [row.id]);
          continue;
        }
        const ended = 'UPDATE access_token SET ended_at = ? WHERE id = ? AND ended_at = 0';
        if ((await tx.run(ended, [now, row.id])) > 0)
          record(
            tokenRecord(row.actor, 'ExpireAccessTokenEvent', row, row.kind === '' ? {} : { expired: true }),
          );
      }
      // Sessions come and go: those that ended long ago are of no use to anybody.
      await tx.run("DELETE FROM access_token WHERE kind <> '' AND expires_at <= ?", [
        now - ENDED_SESSIONS_MS,
      ]);
    });
    return rows.length;
  }

  private async first(condition: string, value: string): Promise<AccessTokenRow | undefined> {
    const [row] = await this.database.all<AccessTokenRow>(
      `SELECT ${COLUMNS} FROM access_token WHERE ${condition}`,
      [value],
    );
    return row && numbered(row);
  }
}

/** Revokes what has a parent, and what was made with that. What waits for a lock of the parent is found. */
async function revokeBelow(
  tx: Transaction,
  record: (record: AuditRecord) => void,
  parent: string,
  { by, now }: { by: string; now: number },
): Promise<{ hashes: string[]; below: number }> {
  const hashes: string[] = [];
  let below = 0;
  for (let parents = [parent]; parents.length > 0;) {
    const children: AccessTokenRow[] = [];
    for (let i = 0; i < parents.length; i += MOST_IN_LIST) {
      const { sql, params } = tx.dialect.in('parent', parents.slice(i, i + MOST_IN_LIST));
      const select = `SELECT ${COLUMNS} FROM access_token WHERE ${sql}${tx.dialect.forUpdate}`;
      children.push(...(await tx.all<AccessTokenRow>(select, params)).map(numbered));
    }
    const valid = children.filter(({ revokedAt }) => revokedAt === 0);
    await tx.runEach(
      'UPDATE access_token SET revoked_at = ? WHERE id = ? AND revoked_at = 0',
      valid.map((child) => [now, child.id]),
    );
    for (const child of valid)
      if (child.kind !== 'former')
        record(tokenRecord(by, 'RevokeAccessTokenEvent', child, { revokedWith: parent }));
    below += valid.filter(
      ({ kind, expiresAt }) => kind !== 'former' && (expiresAt === 0 || expiresAt > now),
    ).length;
    hashes.push(...valid.map(({ hash }) => hash));
    parents = children.map((child) => child.id);
  }
  return { hashes, below };
}
