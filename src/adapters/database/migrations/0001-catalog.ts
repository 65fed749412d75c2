import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/**
 * The tables of the catalog. Rows point to an entity by its number, not its URN: half the index, no long keys.
 * No column of a key is nullable. Times are epoch milliseconds.
 */
export class Catalog1700000000001 implements MigrationInterface {
  readonly name = 'Catalog1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      // The head that writers lock. It may stand before its entity does (a reference came first: live = 0)
      // and stays after it (a tombstone), so that `sequence` never goes back.
      `CREATE TABLE entity (
        id ${t.serial},
        urn ${t.urn} NOT NULL,
        type ${t.name} NOT NULL,
        sequence ${t.bigint} NOT NULL,
        live ${t.flag} NOT NULL,
        removed ${t.flag} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL
      ) ${t.table}`,
    );
    await runner.query('CREATE UNIQUE INDEX entity_urn ON entity (urn)');
    await runner.query('CREATE INDEX entity_type ON entity (type, live, id)');
    await runner.query(
      // The latest values only, so that the hot table stays small.
      `CREATE TABLE aspect (
        entity_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        value ${t.json} NOT NULL,
        version ${t.bigint} NOT NULL,
        system_metadata ${t.json} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        PRIMARY KEY (entity_id, aspect)
      ) ${t.table}`,
    );
    await runner.query(
      `CREATE TABLE aspect_history (
        entity_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        version ${t.bigint} NOT NULL,
        value ${t.json} NOT NULL,
        system_metadata ${t.json} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        PRIMARY KEY (entity_id, aspect, version)
      ) ${t.table}`,
    );
    await runner.query(
      // `path` is the marked path of the model (tags/*/tag), not the position in the list: moving a value
      // inside its list changes no edge.
      `CREATE TABLE relationship (
        source_id ${t.bigint} NOT NULL,
        type ${t.name} NOT NULL,
        target_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        path ${t.path} NOT NULL,
        PRIMARY KEY (source_id, type, target_id, aspect, path)
      ) ${t.clusteredTable}`,
    );
    await runner.query('CREATE INDEX relationship_target ON relationship (target_id, type, source_id)');
    await runner.query(
      // `message` tells events of one instant apart: granularity, partition and message id.
      `CREATE TABLE timeseries_aspect (
        entity_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        time ${t.bigint} NOT NULL,
        message ${t.path} NOT NULL,
        value ${t.json} NOT NULL,
        system_metadata ${t.json} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        PRIMARY KEY (entity_id, aspect, time, message)
      ) ${t.table}`,
    );
    await runner.query(
      // `position` 0 = not published yet; the relay gives dense positions after commit, because numbers
      // handed out before it come to light out of order.
      `CREATE TABLE change_log (
        id ${t.serial},
        entity_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        change_type ${t.name} NOT NULL,
        sequence ${t.bigint} NOT NULL,
        version_before ${t.bigint} NOT NULL,
        version_after ${t.bigint} NOT NULL,
        actor ${t.urn} NOT NULL,
        time ${t.bigint} NOT NULL,
        run_id ${t.path} NOT NULL,
        position ${t.bigint} NOT NULL,
        lease_until ${t.bigint} NOT NULL
      ) ${t.table}`,
    );
    await runner.query(`CREATE INDEX change_log_unpublished ON change_log (position, id)`);
    await runner.query(
      `CREATE TABLE job (
        queue ${t.name} NOT NULL,
        id ${t.name} NOT NULL,
        payload ${t.json} NOT NULL,
        attempts ${t.bigint} NOT NULL,
        run_at ${t.bigint} NOT NULL,
        lease_until ${t.bigint} NOT NULL,
        failed ${t.flag} NOT NULL,
        error ${t.json} NOT NULL,
        PRIMARY KEY (queue, id)
      ) ${t.table}`,
    );
    await runner.query('CREATE INDEX job_due ON job (queue, failed, run_at)');
    await runner.query(
      // Only the SHA-256 of a token is kept. expires_at 0 = never, revoked_at 0 = not revoked.
      `CREATE TABLE access_token (
        id ${t.name} NOT NULL,
        hash ${t.name} NOT NULL,
        actor ${t.urn} NOT NULL,
        role ${t.name} NOT NULL,
        name ${t.path} NOT NULL,
        description ${t.json} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        expires_at ${t.bigint} NOT NULL,
        revoked_at ${t.bigint} NOT NULL,
        PRIMARY KEY (id)
      ) ${t.table}`,
    );
    await runner.query('CREATE UNIQUE INDEX access_token_hash ON access_token (hash)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'access_token',
      'job',
      'change_log',
      'timeseries_aspect',
      'relationship',
      'aspect_history',
      'aspect',
      'entity',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
