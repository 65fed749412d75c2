import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/**
 * What readers of the change log need besides the latest values and their history: time-series events as they were
 * written, and the values that were deleted, for as long as the log names them.
 */
export class ChangeFeed1700000000011 implements MigrationInterface {
  readonly name = 'ChangeFeed1700000000011';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(`ALTER TABLE change_log ADD COLUMN event ${t.json}`);
    await runner.query(
      // `sequence` is that of the deletion: an entity may have several lives, whose versions begin at 1 each.
      `CREATE TABLE deleted_version (
        entity_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        sequence ${t.bigint} NOT NULL,
        version ${t.bigint} NOT NULL,
        value ${t.json} NOT NULL,
        system_metadata ${t.json} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        deleted_at ${t.bigint} NOT NULL,
        PRIMARY KEY (entity_id, aspect, sequence, version)
      ) ${t.table}`,
    );
    await runner.query('CREATE INDEX deleted_version_time ON deleted_version (deleted_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deleted_version');
    await runner.query('ALTER TABLE change_log DROP COLUMN event');
  }
}
