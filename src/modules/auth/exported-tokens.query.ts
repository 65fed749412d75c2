import type { SqlReader } from '../../catalog/store/index.js';

/** An access token, or a session, as an export has it: without its hash. */
export interface ExportedToken {
  id: string;
  actor: string;
  role: string;
  name: string;
  description: string;
  createdAt: number;
  createdBy: string;
  expiresAt: number;
  revokedAt: number;
  parent: string;
}

export async function exportedTokens(reader: SqlReader): Promise<ExportedToken[]> {
  const rows = await reader.all<ExportedToken>(
    `SELECT id, actor, role, name, description, created_at AS createdAt, created_by AS createdBy,
       expires_at AS expiresAt, revoked_at AS revokedAt, parent FROM access_token ORDER BY id`,
  );
  return rows.map(({ createdAt, expiresAt, revokedAt, ...row }) => ({
    ...row,
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
    revokedAt: Number(revokedAt),
  }));
}

/** The same text as before only if no token was made or revoked meanwhile. */
export async function tokensMark(reader: SqlReader): Promise<string> {
  const [row] = await reader.all<Record<string, number | null>>(
    `SELECT COUNT(*) AS n, MAX(created_at) AS created, MAX(revoked_at) AS revoked,
       SUM(CASE WHEN revoked_at > 0 THEN 1 ELSE 0 END) AS gone FROM access_token`,
  );
  return Object.values(row ?? {}).join('.');
}
