import type { OnConflict, Transaction } from '../../catalog/store/index.js';
import type { AccessTokenRow } from './entities/access-token.row.js';

/** Columns of the table by the fields of a row. */
const NAMES = {
  id: 'id',
  hash: 'hash',
  actor: 'actor',
  role: 'role',
  name: 'name',
  description: 'description',
  createdAt: 'created_at',
  createdBy: 'created_by',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  parent: 'parent',
  usedAt: 'used_at',
  endedAt: 'ended_at',
  kind: 'kind',
  claims: 'claims',
} as const satisfies Record<keyof AccessTokenRow, string>;
const FIELDS = Object.keys(NAMES) as Array<keyof AccessTokenRow>;
/** The columns of a SELECT, named as the fields of a row. */
export const COLUMNS = FIELDS.map((field) => `${NAMES[field]} AS ${field}`).join(', ');

/** Stores a row. @param onConflict what becomes of one whose key is taken */
export async function insertToken(
  tx: Transaction,
  row: AccessTokenRow,
  onConflict?: OnConflict<string>,
): Promise<void> {
  await tx.insert('access_token', Object.values(NAMES), [FIELDS.map((field) => row[field])], onConflict);
}

/** A row as the database answers it; servers may answer numbers as texts. */
export function numbered(row: AccessTokenRow): AccessTokenRow {
  return {
    ...row,
    createdAt: Number(row.createdAt),
    expiresAt: Number(row.expiresAt),
    revokedAt: Number(row.revokedAt),
    usedAt: Number(row.usedAt),
    endedAt: Number(row.endedAt),
  };
}

/** What a transaction that makes a token looks at. */
export class TokenState {
  constructor(private readonly tx: Transaction) {}

  /** A token, which stays as it is until the end of the transaction. */
  async held(id: string): Promise<AccessTokenRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM access_token WHERE id = ?${this.tx.dialect.forUpdate}`;
    const [row] = await this.tx.all<AccessTokenRow>(sql, [id]);
    return row && numbered(row);
  }

  /** How many tokens of a user are valid. */
  async valid(actor: string, now: number): Promise<number> {
    const [row] = await this.tx.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM access_token
       WHERE actor = ? AND kind = '' AND revoked_at = 0 AND (expires_at = 0 OR expires_at > ?)`,
      [actor, now],
    );
    return Number(row?.n ?? 0);
  }

  /** How many tokens a user has made between two times, and when the first of them. */
  async madeWithin(
    createdBy: string,
    since: number,
    until: number,
  ): Promise<{ count: number; first: number }> {
    const [row] = await this.tx.all<{ n: number; first: number | null }>(
      `SELECT COUNT(*) AS n, MIN(created_at) AS first FROM access_token
       WHERE created_by = ? AND created_at > ? AND created_at <= ? AND kind = ''`,
      [createdBy, since, until],
    );
    return { count: Number(row?.n ?? 0), first: Number(row?.first ?? 0) };
  }
}
