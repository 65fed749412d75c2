import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** The audit log, and what it needs to know of tokens and of accepted writes. */
export class Audit1700000000013 implements MigrationInterface {
  readonly name = 'Audit1700000000013';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    await runner.query(
      // Texts are '' where there is none. Each record has the next number of its chain.
      `CREATE TABLE IF NOT EXISTS audit (
        id ${t.serial},
        chain ${t.name} NOT NULL,
        number ${t.bigint} NOT NULL,
        time ${t.bigint} NOT NULL,
        actor ${t.urn} NOT NULL,
        address ${t.name} NOT NULL,
        agent ${t.path} NOT NULL,
        source ${t.name} NOT NULL,
        request ${t.name} NOT NULL,
        events ${t.json} NOT NULL,
        event_count ${t.bigint} NOT NULL,
        hash ${t.name} NOT NULL
      ) ${t.table}`,
    );
    await addIndex(runner);
    await runner.query(
      // A chain goes on from a record of another one. It begins behind what retention has removed of it.
      `CREATE TABLE IF NOT EXISTS audit_chain (
        chain ${t.name} NOT NULL,
        parent ${t.name} NOT NULL,
        parent_number ${t.bigint} NOT NULL,
        parent_hash ${t.name} NOT NULL,
        started_at ${t.bigint} NOT NULL,
        number ${t.bigint} NOT NULL,
        hash ${t.name} NOT NULL,
        removed_number ${t.bigint} NOT NULL,
        removed_hash ${t.name} NOT NULL,
        removed_until ${t.bigint} NOT NULL,
        PRIMARY KEY (chain)
      ) ${t.table}`,
    );
    const columns = [
      ['access_token', 'used_at', `${t.bigint} NOT NULL DEFAULT 0`],
      ['access_token', 'ended_at', `${t.bigint} NOT NULL DEFAULT 0`],
      ['write_receipt', 'origin', t.json],
    ] as const;
    for (const [table, column, type] of columns)
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE write_receipt DROP COLUMN origin');
    await runner.query('ALTER TABLE access_token DROP COLUMN ended_at');
    await runner.query('ALTER TABLE access_token DROP COLUMN used_at');
    await runner.query('DROP TABLE audit_chain');
    await runner.query('DROP TABLE audit');
  }
}

async function addIndex(runner: QueryRunner): Promise<void> {
  const table = await runner.getTable('audit');
  if (table?.indices.some(({ name }) => name === 'audit_time')) return;
  await runner.query('CREATE INDEX audit_time ON audit (time)');
}
