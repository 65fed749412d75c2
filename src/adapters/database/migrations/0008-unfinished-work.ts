import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/**
 * What a job does to the process that runs it is remembered, so is the last version of an aspect that was deleted, and
 * what is left to be cleared of entities that were.
 */
export class UnfinishedWork1700000000008 implements MigrationInterface {
  readonly name = 'UnfinishedWork1700000000008';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    // Tries of the job that ended with their process.
    await runner.query(`ALTER TABLE job ADD COLUMN unfinished ${t.bigint} NOT NULL DEFAULT 0`);
    // The queue has suspended the job: it is not told of it again until an administrator asks for that.
    await runner.query(`ALTER TABLE consumer_backlog ADD COLUMN put_aside ${t.flag} NOT NULL DEFAULT 0`);
    await runner.query(
      // The version of an aspect that goes on counting when it is written anew.
      `CREATE TABLE deleted_aspect (
        entity_id ${t.bigint} NOT NULL,
        aspect ${t.name} NOT NULL,
        version ${t.bigint} NOT NULL,
        PRIMARY KEY (entity_id, aspect)
      ) ${t.clusteredTable}`,
    );
    await runner.query(
      // References to an entity that was permanently deleted; one trace for all that a request deleted. Times 0 = not yet.
      `CREATE TABLE reference_cleanup (
        trace ${t.name} NOT NULL,
        urn ${t.urn} NOT NULL,
        actor ${t.urn} NOT NULL,
        state ${t.name} NOT NULL,
        report ${t.json} NOT NULL,
        requested_at ${t.bigint} NOT NULL,
        finished_at ${t.bigint} NOT NULL,
        PRIMARY KEY (trace, urn)
      ) ${t.table}`,
    );
    await runner.query('CREATE INDEX reference_cleanup_urn ON reference_cleanup (urn, state)');
    await runner.query('CREATE INDEX reference_cleanup_finished ON reference_cleanup (finished_at)');
    // Wishes of an earlier version stood in the log, as the run of the deletion.
    await runner.query(
      `INSERT INTO reference_cleanup (trace, urn, actor, state, report, requested_at, finished_at)
       SELECT c.id, e.urn, c.actor, 'PENDING', '{}', c.time, 0 FROM change_log c JOIN entity e ON e.id = c.entity_id
       WHERE c.run_id = 'clear-references' AND c.change_type = 'DELETE' AND (c.position = 0 OR c.id >=
         (SELECT MIN(first_change) FROM consumer_backlog WHERE consumer = 'reference-cleanup'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reference_cleanup');
    await runner.query('DROP TABLE deleted_aspect');
    await runner.query('ALTER TABLE consumer_backlog DROP COLUMN put_aside');
    await runner.query('ALTER TABLE job DROP COLUMN unfinished');
  }
}
