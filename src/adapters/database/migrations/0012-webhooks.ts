import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** Endpoints of other services that events of the change feed are delivered to. */
export class Webhooks1700000000012 implements MigrationInterface {
  readonly name = 'Webhooks1700000000012';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      // Texts are '' and times 0 where there is none. A batch that was tried keeps its length, so that it stays the same.
      `CREATE TABLE webhook (
        name ${t.name} NOT NULL,
        url ${t.json} NOT NULL,
        topic ${t.name} NOT NULL,
        filter ${t.json} NOT NULL,
        secret ${t.name} NOT NULL,
        former_secret ${t.name} NOT NULL,
        former_until ${t.bigint} NOT NULL,
        state ${t.name} NOT NULL,
        place ${t.path} NOT NULL,
        position ${t.bigint} NOT NULL,
        batch ${t.bigint} NOT NULL,
        attempts ${t.bigint} NOT NULL,
        failing_since ${t.bigint} NOT NULL,
        next_attempt ${t.bigint} NOT NULL,
        last_error ${t.json} NOT NULL,
        delivered ${t.bigint} NOT NULL,
        delivered_at ${t.bigint} NOT NULL,
        lease_owner ${t.name} NOT NULL,
        lease_until ${t.bigint} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        PRIMARY KEY (name)
      ) ${t.table}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook');
  }
}
