import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../column-types.js';

const INDEXES: Readonly<Record<string, string>> = {
  access_token_parent: 'parent',
  access_token_actor: 'actor',
  access_token_made: 'created_by, created_at',
};

/** Which token made a token, so that both can be revoked together; and what is counted before one is made. */
export class TokenParents1700000000009 implements MigrationInterface {
  readonly name = 'TokenParents1700000000009';

  async up(runner: QueryRunner): Promise<void> {
    const column = `ADD COLUMN parent ${columnTypes(runner.connection.options.type).name} NOT NULL DEFAULT ''`;
    const indexes = Object.entries(INDEXES);
    if (!isMysql(runner)) {
      await runner.query(`ALTER TABLE access_token ${column}`);
      for (const [name, on] of indexes) await runner.query(`CREATE INDEX ${name} ON access_token (${on})`);
      return;
    }
    // One statement is done or not done; a server cannot take several back.
    if (await runner.hasColumn('access_token', 'parent')) return;
    const added = [column, ...indexes.map(([name, on]) => `ADD INDEX ${name} (${on})`)];
    await runner.query(`ALTER TABLE access_token ${added.join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES))
      await runner.query(`DROP INDEX ${name}${isMysql(runner) ? ' ON access_token' : ''}`);
    await runner.query('ALTER TABLE access_token DROP COLUMN parent');
  }
}

function isMysql(runner: QueryRunner): boolean {
  return runner.connection.options.type === 'mysql';
}
