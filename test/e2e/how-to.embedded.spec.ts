import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FILTER_CONDITIONS } from '../../src/catalog/search/index.js';
import { TestCatalog } from '../harness/catalog.js';
import { AUDIENCE, IdentityProvider, secretOf } from '../harness/identity-provider.js';
import { blocksOf, checkBlock, readPage } from '../harness/page-commands.js';
import { importSample } from '../harness/sample.js';
import { ROOT } from '../harness/service-process.js';

/** What the guides have the reader define once. */
const SETUP = /```sh setup\n(.+?)```/s.exec(readPage('guides/search.md'))![1]!;

describe.each(readdirSync(join(ROOT, 'docs/guides')))('docs/guides/%s', (name) => {
  const page = readPage(`guides/${name}`);
  const blocks = blocksOf(page);
  let catalog: TestCatalog;
  let provider: IdentityProvider | undefined;
  let setup = SETUP;
  beforeAll(async () => {
    if (name === 'identity-provider.md') {
      provider = await IdentityProvider.start();
      setup += `ISSUER=${provider.url} CLIENT_ID=crawler CLIENT_SECRET=${secretOf('crawler')}\n`;
    }
    catalog = await TestCatalog.start({
      ...(provider && { CATALOG_OIDC_ISSUER: provider.url, CATALOG_OIDC_AUDIENCE: AUDIENCE }),
      CATALOG_OIDC_DEFAULT_ROLE: 'reader',
    });
    await importSample(catalog);
  });
  afterAll(async () => {
    await catalog.stop();
    await provider?.stop();
  });

  it('is linked from the list of pages', () => expect(readPage('README.md')).toContain(`(guides/${name})`));

  it.each(blocks)('$title', async (block) => {
    await checkBlock(catalog, { ...block, command: setup + block.command });
  });

  if (name === 'search.md') {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\|[^|]+\| `(\S+)`(?: `(\S+)`)? +\| (\d+) +\|$/gm)].map(
      ([, condition = '', field = '', value, finds]) => ({ condition, field, value, finds: Number(finds) }),
    );

    it('has every condition', () => {
      expect(rows.map(({ condition }) => condition).sort()).toEqual([...FILTER_CONDITIONS].sort());
    });

    it.each(rows)('$condition finds what is printed', async ({ condition, field, value, finds }) => {
      const query = `query($and: [FacetFilterInput!]) {
        searchAcrossEntities(input: { query: "*", count: 0, orFilters: [{ and: $and }] }) { total }
      }`;
      const and = [{ field, condition, ...(value !== undefined && { values: [value] }) }];
      const { body } = await catalog.post('/api/graphql', { query, variables: { and } });
      expect(body).toMatchObject({ data: { searchAcrossEntities: { total: finds } } });
      expect(finds).toBeGreaterThan(0);
    });
  }
});
