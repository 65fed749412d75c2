import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** The trace that a change belongs to, for its consumers, in any process. */
export class ChangeTraces1700000000015 implements MigrationInterface {
  readonly name = 'ChangeTraces1700000000015';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(`ALTER TABLE change_log ADD COLUMN trace ${t.name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE change_log DROP COLUMN trace');
  }
}
