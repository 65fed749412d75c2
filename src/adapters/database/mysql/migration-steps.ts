import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';

const CHANGES_TABLES = /^\s*(?:CREATE|ALTER|DROP|RENAME)\b/i;
const CHANGES_ROWS = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;

/** What is to be made is there, or what is to be dropped is not: table, column, index; and rows, by their key. */
const TABLES_DONE = new Set([1050, 1051, 1060, 1061, 1091]);
const ROWS_DONE = new Set([1062]);

/**
 * The runner of a migration that can be interrupted anywhere and started again: it leaves out what an earlier try has
 * done.
 * - A statement that changes rows is committed together with its record.
 * - A statement that changes tables commits by itself, whole or not at all, and is recorded after it. If it was
 *   interrupted in between, it is tried again; it counts as done when the server says that its effect is there.
 *
 * A statement is known by its text and parameters, so a migration must not send the same change twice.
 * @param again whether an earlier try began; if it left no record, it was of a version that made none
 */
export async function migrationSteps(
  runner: QueryRunner,
  migration: string,
  again: boolean,
): Promise<QueryRunner> {
  const rows = (await runner.query(
    'SELECT CONVERT(statement USING utf8mb4) AS statement FROM migration_step WHERE migration = ?',
    [migration],
  )) as Array<{ statement: string }>;
  const done = new Set(rows.map(({ statement }) => statement));
  const unnoted = again && done.size === 0;
  let mayBeDone = again;

  const note = (statement: string) =>
    runner.query('INSERT INTO migration_step (migration, statement) VALUES (?, ?)', [migration, statement]);

  const step = async (sql: string, params?: unknown[], structured?: boolean): Promise<unknown> => {
    const ofRows = CHANGES_ROWS.test(sql);
    if (!ofRows && !CHANGES_TABLES.test(sql)) return runner.query(sql, params, structured as true);
    const statement = digestOf(sql, params);
    if (done.has(statement)) return [];
    const tolerated = !mayBeDone ? undefined : !ofRows ? TABLES_DONE : unnoted ? ROWS_DONE : undefined;
    // Without notes, any of them may be done.
    mayBeDone = unnoted;
    if (ofRows) await runner.query('START TRANSACTION');
    try {
      await runner.query(sql, params).catch((error: unknown) => {
        if (tolerated?.has(Number((error as { errno?: unknown }).errno)) !== true) throw error;
      });
      await note(statement);
      if (ofRows) await runner.query('COMMIT');
    } catch (error) {
      if (ofRows) await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
    return [];
  };
  return Object.create(runner, { query: { value: step } }) as QueryRunner;
}

function digestOf(sql: string, params: unknown[] = []): string {
  return createHash('sha256')
    .update(JSON.stringify([sql.replace(/\s+/g, ' '), params]))
    .digest('hex');
}
