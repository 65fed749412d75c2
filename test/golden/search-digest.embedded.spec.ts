import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SqliteSearchIndex } from '../../src/adapters/search/sqlite/index.js';
import { CatalogError } from '../../src/catalog/errors/index.js';
import { schema } from '../conformance/search-fixture.js';
import { fill } from './digest/corpus.js';
import { searches } from './digest/searches.js';

/** One line for each search: the hash of its whole answer, and what was asked. */
const GOLDEN = join(import.meta.dirname, 'search-digest.txt');
/** Set to write the file anew, after a change that is meant to change answers. */
const UPDATE = process.env['UPDATE_SEARCH_DIGEST'] !== undefined;

describe('the embedded index', () => {
  it('answers generated searches as ever', async () => {
    const lines = await digest();
    if (UPDATE) writeFileSync(GOLDEN, `${lines.join('\n')}\n`);
    const golden = readFileSync(GOLDEN, 'utf8').trimEnd().split('\n');
    expect(lines.filter((line, i) => line !== golden[i])).toEqual([]);
    expect(lines).toHaveLength(golden.length);
  });
});

async function digest(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-digest-'));
  const index = new SqliteSearchIndex(join(folder, 'search.db'));
  try {
    await (await index.ensureSchema(schema))?.finished();
    const documents = await fill(index);
    const lines: string[] = [];
    for (const { title, run } of searches(documents)) {
      const answer = await run(index).catch((error: unknown) => {
        if (error instanceof CatalogError) return error.code;
        throw error;
      });
      const hash = createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 12);
      lines.push(`${hash} ${title}`);
    }
    return lines;
  } finally {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
