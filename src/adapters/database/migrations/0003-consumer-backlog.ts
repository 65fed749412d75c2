import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/**
 * What the consumers of the change log have yet to do: written with the positions of the changes, taken away when
 * the consumer is through with them. The queue may lose what it likes; this may not.
 */
export class ConsumerBacklog1700000000003 implements MigrationInterface {
  readonly name = 'ConsumerBacklog1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      // `changes` is what the job names; `rung_at` when the queue was told of it again, 0 = not known to have been
      // told; `failures` how often the consumer failed on it alone.
      `CREATE TABLE consumer_backlog (
        consumer ${t.name} NOT NULL,
        job ${t.name} NOT NULL,
        first_change ${t.bigint} NOT NULL,
        changes ${t.json} NOT NULL,
        change_count ${t.bigint} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        rung_at ${t.bigint} NOT NULL,
        failures ${t.bigint} NOT NULL,
        PRIMARY KEY (consumer, job)
      ) ${t.table}`,
    );
    await runner.query(
      'CREATE INDEX consumer_backlog_first ON consumer_backlog (consumer, failures, first_change)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consumer_backlog');
  }
}
