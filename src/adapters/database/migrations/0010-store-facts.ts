import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** What is true of the database as a whole: its identity and epoch, and a place to try out a write. */
export class StoreFacts1700000000010 implements MigrationInterface {
  readonly name = 'StoreFacts1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      `CREATE TABLE store_fact (
        name ${t.name} NOT NULL,
        value ${t.json} NOT NULL,
        PRIMARY KEY (name)
      ) ${t.table}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE store_fact');
  }
}
