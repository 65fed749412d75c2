import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** Which search index the processes on a database follow, so that they cannot follow different ones. */
export class IndexHolders1700000000007 implements MigrationInterface {
  readonly name = 'IndexHolders1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      `CREATE TABLE index_holder (
        process ${t.name} NOT NULL,
        search_index ${t.name} NOT NULL,
        lease_until ${t.bigint} NOT NULL,
        PRIMARY KEY (process)
      ) ${t.table}`,
    );
    // A process that looks at the others locks this row first.
    await runner.query(`INSERT INTO index_holder (process, search_index, lease_until) VALUES ('', '', 0)`);
    // No process leases changes: the pending deliveries say which consumer still has to do what.
    await runner.query('ALTER TABLE change_log DROP COLUMN lease_until');
  }

  async down(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(`ALTER TABLE change_log ADD COLUMN lease_until ${t.bigint} NOT NULL DEFAULT 0`);
    await runner.query('DROP TABLE index_holder');
  }
}
