import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { SqliteSearchIndex } from '../../src/adapters/search/sqlite/index.js';
import {
  SearchBudget,
  type AutocompleteRequest,
  type BrowseRequest,
  type ScrollRequest,
  type SearchRequest,
} from '../../src/catalog/search/index.js';
import { searchIndexConformance } from './search-index.conformance.js';

searchIndexConformance('SQLite', async () => new SqliteSearchIndex(':memory:'));

/** By its clock every step takes long, so that each is followed by the turn of others. */
class SlowClock extends SqliteSearchIndex {
  override search(request: SearchRequest) {
    return super.search(request, budget());
  }
  override scroll(request: ScrollRequest) {
    return super.scroll(request, budget());
  }
  override autocomplete(request: AutocompleteRequest) {
    return super.autocomplete(request, budget());
  }
  override browse(request: BrowseRequest) {
    return super.browse(request, budget());
  }
}

function budget(): SearchBudget {
  let now = 0;
  return new SearchBudget(Infinity, undefined, () => (now += 1000));
}

const folder = mkdtempSync(join(tmpdir(), 'catalog-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

searchIndexConformance('SQLite, in turns', async () => new SlowClock(join(folder, `${files++}.db`)));
