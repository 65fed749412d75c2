import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** When the latest value of an aspect was last written anew as it is, and by which run; and how often that was, by entity. */
export class Observations1700000000018 implements MigrationInterface {
  readonly name = 'Observations1700000000018';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    // Processes of the version before write these tables without them.
    if (!(await runner.hasColumn('aspect', 'observation')))
      await runner.query(`ALTER TABLE aspect ADD COLUMN observation ${t.json}`);
    if (!(await runner.hasColumn('entity', 'observations')))
      await runner.query(`ALTER TABLE entity ADD COLUMN observations ${t.bigint} NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE entity DROP COLUMN observations');
    await runner.query('ALTER TABLE aspect DROP COLUMN observation');
  }
}
