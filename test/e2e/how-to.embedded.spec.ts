import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILTER_CONDITIONS } from '../../src/catalog/search/index.js';
import { TestCatalog } from '../harness/catalog.js';
import { AUDIENCE, IdentityProvider, secretOf } from '../harness/identity-provider.js';
import { ON_THE_SAMPLE } from '../harness/page-blocks.js';
import { blocksOf, checkBlock, readPage } from '../harness/page-commands.js';
import { importSample, sampleFound } from '../harness/sample.js';
import { ROOT } from '../harness/service-process.js';

/** What the guides have the reader define once. */
const SETUP = /```sh setup\n(.+?)```/s.exec(readPage('guides/search.md'))![1]!;

/** A catalog with the sample, which is copied for each guide: an import takes longer than the commands of most of them. */
let filled: string;
beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'catalog-sample-'));
  const catalog = await TestCatalog.start({}, filled);
  await importSample(catalog);
  await sampleFound(catalog);
  await catalog.stop({ keepHome: true });
});
afterAll(() => rm(filled, { recursive: true }));

const GUIDES = readdirSync(join(ROOT, 'docs/guides')).map((name) => `guides/${name}`);

describe.each([...GUIDES, ...ON_THE_SAMPLE])('docs/%s', (name) => {
  const page = readPage(name);
  const blocks = blocksOf(page);
  let catalog: TestCatalog;
  let provider: IdentityProvider | undefined;
  let setup = SETUP;
  beforeAll(async () => {
    if (name === 'guides/identity-provider.md') {
      provider = await IdentityProvider.start();
      setup += `ISSUER=${provider.url} CLIENT_ID=crawler CLIENT_SECRET=${secretOf('crawler')}\n`;
    }
    const home = await mkdtemp(join(tmpdir(), 'catalog-guide-'));
    await cp(filled, home, { recursive: true });
    catalog = await TestCatalog.start(
      {
        ...(provider && { CATALOG_OIDC_ISSUER: provider.url, CATALOG_OIDC_AUDIENCE: AUDIENCE }),
        CATALOG_OIDC_DEFAULT_ROLE: 'reader',
      },
      home,
    );
  });
  afterAll(async () => {
    await catalog.stop();
    await provider?.stop();
  });

  it('is linked from the list of pages', () => expect(readPage('README.md')).toContain(`(${name})`));

  // Some pages have blocks of bash only, which another spec runs.
  if (blocks.length > 0) {
    it.each(blocks)('$title', async (block) => {
      await checkBlock(catalog, { ...block, command: setup + block.command });
    });
  }

  if (name === 'guides/search.md') {
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
