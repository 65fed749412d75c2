import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../catalog/store/index.js';
import type { AccessTokenRow } from './entities/access-token.row.js';

const COLUMNS = `id, hash, actor, role, name, description, created_at AS createdAt, created_by AS createdBy,
  expires_at AS expiresAt, revoked_at AS revokedAt`;

/** Tokens by whom they stand for and by who made them; absent: anybody. */
export interface Whose {
  actor?: string | undefined;
  createdBy?: string | undefined;
}

function conditionOf({ actor, createdBy }: Whose): { where: string; params: string[] } {
  const conditions = [
    ...(actor === undefined ? [] : ['actor = ?']),
    ...(createdBy === undefined ? [] : ['created_by = ?']),
  ];
  const params = [actor, createdBy].filter((value) => value !== undefined);
  return { where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', params };
}

/** The table of access tokens. */
@Injectable()
export class AccessTokenRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

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

  /** How many administrator tokens were ever made, and how many of them are valid at `now`. */
  async administrators(now: number): Promise<{ made: number; valid: number }> {
    const [row] = await this.database.all<{ made: number; valid: number }>(
      `SELECT COUNT(*) AS made,
        COALESCE(SUM(CASE WHEN revoked_at = 0 AND (expires_at = 0 OR expires_at > ?) THEN 1 ELSE 0 END), 0) AS valid
       FROM access_token WHERE role = 'ADMIN'`,
      [now],
    );
    return { made: Number(row?.made ?? 0), valid: Number(row?.valid ?? 0) };
  }

  /** Answers false when the id is taken already; nothing is written then. */
  async insert(row: AccessTokenRow): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await tx.insert(
        'access_token',
        'id hash actor role name description created_at created_by expires_at revoked_at'.split(' '),
        [
          [
            row.id,
            row.hash,
            row.actor,
            row.role,
            row.name,
            row.description,
            row.createdAt,
            row.createdBy,
            row.expiresAt,
            row.revokedAt,
          ],
        ],
        { key: ['id'], then: 'ignore' },
      );
      // Another process may have been first: the row that stands there decides.
      const [stored] = await tx.all<{ hash: string }>('SELECT hash FROM access_token WHERE id = ?', [row.id]);
      return stored?.hash === row.hash;
    });
  }

  /** The first revocation counts; a repeated one changes nothing. */
  async revoke(id: string, now: number): Promise<void> {
    await this.database.transaction((tx) =>
      tx.run('UPDATE access_token SET revoked_at = ? WHERE id = ? AND revoked_at = 0', [now, id]),
    );
  }

  private async first(condition: string, value: string): Promise<AccessTokenRow | undefined> {
    const [row] = await this.database.all<AccessTokenRow>(
      `SELECT ${COLUMNS} FROM access_token WHERE ${condition}`,
      [value],
    );
    return row && { ...row, expiresAt: Number(row.expiresAt), revokedAt: Number(row.revokedAt) };
  }
}
