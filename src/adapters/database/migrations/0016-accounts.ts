import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

/** Accounts with passwords, what people use once to get one, failed attempts, and sessions among the access tokens. */
export class Accounts1700000000016 implements MigrationInterface {
  readonly name = 'Accounts1700000000016';

  async up(runner: QueryRunner): Promise<void> {
    const t = columnTypes(runner.connection.options.type);
    const tables = [
      // `password` is '' until one is set. `life` is since when the user existed then: a user of the same name that comes later is another.
      `CREATE TABLE IF NOT EXISTS account (
        actor ${t.urn} NOT NULL,
        role ${t.name} NOT NULL,
        password ${t.path} NOT NULL,
        life ${t.bigint} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        PRIMARY KEY (actor)
      ) ${t.table}`,
      // `actor` is '' in an invitation, which makes an account of its role. Only the SHA-256 of what people are sent is kept.
      `CREATE TABLE IF NOT EXISTS invitation (
        hash ${t.name} NOT NULL,
        actor ${t.urn} NOT NULL,
        role ${t.name} NOT NULL,
        created_at ${t.bigint} NOT NULL,
        created_by ${t.urn} NOT NULL,
        expires_at ${t.bigint} NOT NULL,
        PRIMARY KEY (hash)
      ) ${t.table}`,
      `CREATE TABLE IF NOT EXISTS sign_in_attempt (
        subject ${t.name} NOT NULL,
        attempts ${t.bigint} NOT NULL,
        ends_at ${t.bigint} NOT NULL,
        PRIMARY KEY (subject)
      ) ${t.table}`,
    ];
    for (const table of tables) await runner.query(table);
    const columns = [
      ['kind', `${t.name} NOT NULL DEFAULT ''`],
      ['claims', t.json],
    ] as const;
    for (const [column, type] of columns)
      if (!(await runner.hasColumn('access_token', column)))
        await runner.query(`ALTER TABLE access_token ADD COLUMN ${column} ${type}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_token DROP COLUMN claims');
    await runner.query('ALTER TABLE access_token DROP COLUMN kind');
    for (const table of ['sign_in_attempt', 'invitation', 'account'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
