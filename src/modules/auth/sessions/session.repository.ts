import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../../../catalog/audit/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { Database, type Transaction } from '../../../catalog/store/index.js';
import type { AccessTokenRow } from '../entities/access-token.row.js';
import { tokenRecord } from '../token-record.js';
import { COLUMNS, insertToken, numbered, TokenState } from '../token-rows.js';

/** Stores sessions, which are rows of the table of access tokens. */
@Injectable()
export class SessionRepository {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(AuditLog) private readonly audit: AuditLog,
  ) {}

  /**
   * Stores a new session, and ends the oldest of the user beyond so many.
   * @param check may refuse, in the same transaction
   * @returns the hashes of those that ended
   */
  async insert(
    row: AccessTokenRow,
    most: number,
    check?: (tx: Transaction) => Promise<void>,
  ): Promise<string[]> {
    return this.audit.transaction(async (tx, record) => {
      await check?.(tx);
      const state = new TokenState(tx);
      const parent = row.parent === '' ? undefined : await state.held(row.parent);
      if (parent !== undefined && parent.revokedAt !== 0)
        throw new CatalogError('TOKEN_INVALID', 'the token has been revoked');
      const sql = `SELECT ${COLUMNS} FROM access_token
        WHERE actor = ? AND kind = 'session' AND revoked_at = 0 AND expires_at > ?
        ORDER BY created_at DESC, id LIMIT 1000 OFFSET ?`;
      const oldest = await tx.all<AccessTokenRow>(sql, [row.actor, row.createdAt, most - 1]);
      const hashes: string[] = [];
      for (const one of oldest.map(numbered)) {
        await tx.run('UPDATE access_token SET revoked_at = ? WHERE id = ?', [row.createdAt, one.id]);
        record(tokenRecord(row.actor, 'RevokeAccessTokenEvent', one));
        hashes.push(one.hash);
      }
      await insertToken(tx, row);
      record(tokenRecord(row.actor, 'CreateAccessTokenEvent', row));
      return hashes;
    });
  }

  /**
   * Replaces the secret of a session, unless another request has done so after `lostBefore`: then it stays as it is. The replaced
   * secret is taken until `overlapEnd`.
   * @param secrets `former` is the one that the browser sent, `formerId` the id of the row that keeps the replaced one
   * @returns the session, and the hash of the secret that was replaced
   */
  async renew(
    id: string,
    secrets: { former: string; next: string; formerId: string },
    now: number,
    { overlapEnd, lostBefore }: { overlapEnd: number; lostBefore: number },
  ): Promise<{ row: AccessTokenRow; replaced: string } | undefined> {
    const { former, next, formerId } = secrets;
    return this.database.transaction(async (tx) => {
      const row = await new TokenState(tx).held(id);
      if (row === undefined || row.revokedAt !== 0) return undefined;
      if (row.hash !== former) {
        const sql = `SELECT id FROM access_token
          WHERE hash = ? AND kind = 'former' AND parent = ? AND revoked_at = 0 AND expires_at > ?`;
        const isFormer = (await tx.all(sql, [former, id, now])).length > 0;
        if (!isFormer || row.usedAt > lostBefore) return undefined;
      }
      await tx.run('UPDATE access_token SET hash = ?, used_at = ? WHERE id = ?', [next, now, id]);
      const kept: AccessTokenRow = {
        ...row,
        id: formerId,
        kind: 'former',
        parent: id,
        usedAt: now,
        expiresAt: Math.min(row.expiresAt, overlapEnd),
      };
      await insertToken(tx, kept);
      return { row: { ...row, hash: next, usedAt: now }, replaced: row.hash };
    });
  }
}
