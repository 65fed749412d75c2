import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** What the OpenAPI surface remembers of writes: answers to repeat, and receipts of those carried out later. */
export class Openapi1700000000005 implements MigrationInterface {
  readonly name = 'Openapi1700000000005';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      `CREATE TABLE service_secret (
        name ${t.name} NOT NULL,
        value ${t.path} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        PRIMARY KEY (name)
      ) ${t.table}`,
    );
    await runner.query(
      `CREATE TABLE idempotency_key (
        scope ${t.name} NOT NULL,
        fingerprint ${t.name} NOT NULL,
        answer ${t.json} NOT NULL,
        expires_at ${t.bigint} NOT NULL,
        PRIMARY KEY (scope)
      ) ${t.table}`,
    );
    await runner.query('CREATE INDEX idempotency_key_expires ON idempotency_key (expires_at)');
    await runner.query(
      // settled_at 0 = not yet; a lease belongs to `worker`.
      `CREATE TABLE write_receipt (
        id ${t.serial},
        trace ${t.name} NOT NULL,
        actor ${t.urn} NOT NULL,
        role ${t.name} NOT NULL,
        state ${t.name} NOT NULL,
        proposals ${t.json} NOT NULL,
        outcome ${t.json} NOT NULL,
        submitted_at ${t.bigint} NOT NULL,
        settled_at ${t.bigint} NOT NULL,
        worker ${t.name} NOT NULL,
        lease_until ${t.bigint} NOT NULL,
        attempts ${t.bigint} NOT NULL
      ) ${t.table}`,
    );
    await runner.query('CREATE UNIQUE INDEX write_receipt_trace ON write_receipt (trace)');
    await runner.query('CREATE INDEX write_receipt_state ON write_receipt (state, id)');
    await runner.query('CREATE INDEX write_receipt_settled ON write_receipt (settled_at)');
    // Events of all entities in the order of time.
    await runner.query(
      'CREATE INDEX timeseries_aspect_time ON timeseries_aspect (aspect, time, entity_id, message)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      runner.connection.options.type === 'better-sqlite3'
        ? 'DROP INDEX timeseries_aspect_time'
        : 'DROP INDEX timeseries_aspect_time ON timeseries_aspect',
    );
    for (const table of ['write_receipt', 'idempotency_key', 'service_secret'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
