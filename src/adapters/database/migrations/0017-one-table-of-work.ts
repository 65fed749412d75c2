import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/**
 * Leases and tries stand beside what is pending, in one table. The table `job` stays for processes of the version before;
 * the queues take over what they leave there. A later version drops it.
 */
export class OneTableOfWork1700000000017 implements MigrationInterface {
  readonly name = 'OneTableOfWork1700000000017';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    // With defaults, as processes of the version before insert rows without them.
    const columns = [
      ['attempts', `${t.bigint} NOT NULL DEFAULT 0`],
      ['unfinished', `${t.bigint} NOT NULL DEFAULT 0`],
      ['available_at', `${t.bigint} NOT NULL DEFAULT 0`],
      ['lease_until', `${t.bigint} NOT NULL DEFAULT 0`],
      ['failed', `${t.flag} NOT NULL DEFAULT 0`],
      ['last_error', t.json],
    ] as const;
    for (const [column, type] of columns)
      if (!(await runner.hasColumn('consumer_backlog', column)))
        await runner.query(`ALTER TABLE consumer_backlog ADD COLUMN ${column} ${type}`);
    await runner.query(
      'CREATE INDEX consumer_backlog_due ON consumer_backlog (consumer, failed, available_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const on = runner.connection.options.type === 'mysql' ? ' ON consumer_backlog' : '';
    await runner.query(`DROP INDEX consumer_backlog_due${on}`);
    for (const column of ['last_error', 'failed', 'lease_until', 'available_at', 'unfinished', 'attempts'])
      await runner.query(`ALTER TABLE consumer_backlog DROP COLUMN ${column}`);
  }
}
