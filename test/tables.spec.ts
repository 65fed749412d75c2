import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLANTED = 'src/modules/sign-in/planted.ts';

/** The lint looks at a tree that has nothing but what is planted; the lint of this project looks at its own sources. */
describe('scripts/lint-tables.mjs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const faultsOf = (files: Record<string, string>): string[] => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/lint-tables.mjs'), folder]);
    expect(status).toBe(1);
    return stderr.toString().split('\n');
  };

  it.each([
    [
      'a SELECT',
      "const sql = 'SELECT id FROM access_token WHERE actor = ?';",
      'access_token',
      'modules/auth',
    ],
    [
      'a join',
      'const sql = `FROM account a\n  JOIN webhook w ON w.name = a.id`;',
      'webhook',
      'modules/webhooks',
    ],
    ['an UPDATE', 'const sql = "UPDATE `change_log` SET time = 0";', 'change_log', 'modules/change-log'],
    ['an insert', "await tx.insert<Row>('store_fact', ['name'], []);", 'store_fact', 'catalog'],
    ['a deletion of many', "await tx.deleteEach('store_fact', 'name = ?', []);", 'store_fact', 'catalog'],
    [
      'a list of tables',
      "for (const table of ['account', 'claim']) read(table);",
      'claim',
      'modules/entities',
    ],
  ])('refuses %s on a table of another part', (_what, text, table, owner) => {
    const named = faultsOf({ [PLANTED]: text }).filter((fault) => fault.includes(PLANTED));
    expect(named).toEqual([`${PLANTED}: SQL on ${table} belongs to ${owner}; ask its repository`]);
  });

  it('passes over comments, migrations, specs and the own tables of a module', () => {
    const faults = faultsOf({
      [PLANTED]: "/** FROM entity */\n// FROM webhook\nconst sql = 'SELECT actor FROM account';\n",
      'src/modules/sign-in/planted.spec.ts': "const sql = 'SELECT id FROM entity';",
      'src/adapters/database/migrations/planted.ts': "const sql = 'UPDATE webhook SET name = 1';",
    });
    expect(faults.filter((fault) => fault.includes('planted'))).toEqual([]);
    // It has the SQL that it may have, and the owner of another table has lost its own.
    expect(faults).not.toContain('modules/sign-in has no SQL on account any more: take it off the list');
    expect(faults).toContain('modules/webhooks has no SQL on webhook any more: take it off the list');
  });

  it('refuses a table without an owner', () => {
    const faults = faultsOf({
      'src/modules/audit/entities/planted.row.ts': "@Entity('planted')\nclass A {}",
    });
    expect(faults).toContain('planted has no owner in scripts/lint-tables.mjs');
  });

  it('refuses a fourth module that reads entities, though the list may name it', () => {
    const read = "const sql = 'SELECT id FROM entity';";
    const modules = ['entities', 'ingest', 'change-log', 'tags'];
    const faults = faultsOf(
      Object.fromEntries(modules.map((name) => [`src/modules/${name}/planted.ts`, read])),
    );
    expect(faults).toContain(
      `4 modules have SQL on entity: ${modules
        .map((m) => `modules/${m}`)
        .sort()
        .join(', ')}`,
    );
  });
});
