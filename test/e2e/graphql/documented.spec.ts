import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { importSample } from '../../harness/sample.js';
import { graphql } from './mutating.js';

/** The blocks of a page: language and text, in their order. */
function blocksOf(page: string): Array<{ language: string; text: string }> {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

const blocks = blocksOf(readFileSync('docs/graphql.md', 'utf8'));
const examples = blocks.flatMap(({ language, text }, i) =>
  language === 'graphql'
    ? [{ name: /(?:query|mutation) (\w+)/.exec(text)?.[1] ?? text, text, answer: blocks[i + 1] }]
    : [],
);

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await importSample(catalog);
});
afterAll(() => catalog.stop());

it('has an example of every operation of the specification', () => {
  const used = examples.map(({ text }) => text).join('\n');
  const operations = [
    'createGlossaryTerm',
    'dataset',
    'addTerms',
    'removeTerm',
    'batchRemoveTerms',
    'updateDataset',
    'updateDescription',
    'createStructuredProperty',
    'structuredProperty',
    'updateStructuredProperty',
    'upsertStructuredProperties',
    'removeStructuredProperties',
    'scrollAcrossEntities',
    'aggregateAcrossEntities',
  ];
  for (const operation of operations) expect(used).toMatch(new RegExp(`^  ${operation}\\(`, 'm'));
});

it.each(examples)('$name answers what is printed', async ({ text, answer }) => {
  expect(answer?.language).toBe('json');
  expect(await graphql(catalog, text)).toMatchObject(JSON.parse(answer?.text ?? '') as object);
});
