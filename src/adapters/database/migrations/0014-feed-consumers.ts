import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** Registered readers of the change feed. */
export class FeedConsumers1700000000014 implements MigrationInterface {
  readonly name = 'FeedConsumers1700000000014';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      `CREATE TABLE feed_consumer (
        name ${t.name} NOT NULL,
        actor ${t.urn} NOT NULL,
        place ${t.path} NOT NULL,
        position ${t.bigint} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        seen_at ${t.bigint} NOT NULL,
        PRIMARY KEY (name)
      ) ${t.table}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE feed_consumer');
  }
}
