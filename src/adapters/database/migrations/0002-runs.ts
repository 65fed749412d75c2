import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

const TABLES = ['aspect', 'timeseries_aspect'];

/**
 * Finds what a run wrote. The column is computed from the system metadata, so no writer has to know of it and rows
 * from before have it too; it takes no room in the table, only in its index.
 */
export class Runs1700000000002 implements MigrationInterface {
  readonly name = 'Runs1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    const mysql = isMysql(runner);
    const runId = mysql
      ? "JSON_UNQUOTE(JSON_EXTRACT(system_metadata, '$.runId'))"
      : "system_metadata ->> '$.runId'";
    for (const table of TABLES) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN run_id ${t.path} GENERATED ALWAYS AS (${runId}) VIRTUAL`,
      );
      await runner.query(`CREATE INDEX ${table}_run ON ${table} (run_id, created_at)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP INDEX ${table}_run${isMysql(runner) ? ` ON ${table}` : ''}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN run_id`);
    }
  }
}

function isMysql(runner: QueryRunner): boolean {
  return runner.connection.options.type === 'mysql';
}
