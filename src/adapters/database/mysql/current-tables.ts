import type { Pool } from 'mysql2';
import { MIGRATIONS } from '../migrations/index.js';
import { acquireBare, select } from './mysql-session.js';

const NO_SUCH_TABLE = 'ER_NO_SUCH_TABLE';

/** Whether the tables are those of this version: all of its migrations were made, no other, and none was left half done. */
export async function isCurrent(pool: Pool): Promise<boolean> {
  const connection = await acquireBare(pool);
  try {
    const made = await select<{ name: string }>(connection, 'SELECT name FROM migrations ORDER BY id', []);
    const begun = await select(connection, 'SELECT 1 FROM migration_begun LIMIT 1', []);
    return (
      begun.length === 0 &&
      made.length === MIGRATIONS.length &&
      MIGRATIONS.every((migration, i) => new migration().name === made[i]?.name)
    );
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_TABLE) return false;
    throw error;
  } finally {
    connection.release();
  }
}
