import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** Where a commit without an answer is looked up. An embedded database needs none: nothing lies in between. */
export class CommitMarks1700000000006 implements MigrationInterface {
  readonly name = 'CommitMarks1700000000006';

  async up(runner: QueryRunner): Promise<void> {
    const { type } = runner.connection.options;
    if (type !== 'mysql') return;
    const t = columnTypes(type);
    await runner.query(
      `CREATE TABLE commit_mark (
        slot ${t.name} NOT NULL,
        last ${t.bigint} NOT NULL,
        time ${t.bigint} NOT NULL,
        PRIMARY KEY (slot)
      ) ${t.table}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'mysql') await runner.query('DROP TABLE commit_mark');
  }
}
