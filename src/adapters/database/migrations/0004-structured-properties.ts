import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** Names that belong to one entity at a time, and the removal of the values of structured properties. */
export class StructuredProperties1700000000004 implements MigrationInterface {
  readonly name = 'StructuredProperties1700000000004';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      `CREATE TABLE claim (
        name ${t.path} NOT NULL,
        entity_id ${t.bigint} NOT NULL,
        PRIMARY KEY (name)
      ) ${t.clusteredTable}`,
    );
    await runner.query('CREATE INDEX claim_entity ON claim (entity_id)');
    await runner.query(
      // One row for each change of the log that made values unreadable; it stays, as a record of what was removed.
      `CREATE TABLE property_removal (
        change_id ${t.bigint} NOT NULL,
        entity_id ${t.bigint} NOT NULL,
        reason ${t.name} NOT NULL,
        state ${t.name} NOT NULL,
        total ${t.bigint} NOT NULL,
        done ${t.bigint} NOT NULL,
        removed ${t.bigint} NOT NULL,
        last_holder ${t.bigint} NOT NULL,
        requested_at ${t.bigint} NOT NULL,
        started_at ${t.bigint} NOT NULL,
        finished_at ${t.bigint} NOT NULL,
        PRIMARY KEY (change_id)
      ) ${t.table}`,
    );
    await runner.query('CREATE INDEX property_removal_state ON property_removal (state, change_id)');
    await runner.query('CREATE INDEX property_removal_entity ON property_removal (entity_id, change_id)');
    // Properties from before own the names of their search fields too; of two that share one, the older does.
    await runner.query(
      `INSERT INTO claim (name, entity_id)
       SELECT CONCAT('property:', REPLACE(SUBSTR(urn, 27), '.', '_')), MIN(id) FROM entity
       WHERE type = 'structuredProperty' AND live = 1 GROUP BY 1`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE property_removal');
    await runner.query('DROP TABLE claim');
  }
}
