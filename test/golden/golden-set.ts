import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { TestCatalog } from '../harness/catalog.js';
import { until } from '../harness/until.js';
import { titleOf, urnOf, type Golden, type Question } from './questions.js';

const ROOT = join(import.meta.dirname, '..', '..');
const LINES = readFileSync(join(ROOT, 'examples', 'warehouse.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean);
const { search, autocomplete, browse, paths, facets } = parse(
  readFileSync(join(import.meta.dirname, 'queries.yaml'), 'utf8'),
) as Golden;

/** Lines sent at once. */
const BATCH = 300;

let catalog: TestCatalog;

/** The questions of `queries.yaml` to a catalog with the example data, on the engine that the environment names. */
export function goldenSet(name: string, environment: () => Record<string, string>): void {
  describe(`golden set: ${name}`, () => {
    questions(environment);
  });
}

function questions(environment: () => Record<string, string>): void {
  beforeAll(async () => {
    catalog = await TestCatalog.start(environment());
    for (let from = 0; from < LINES.length; from += BATCH) {
      const proposals = LINES.slice(from, from + BATCH).map((line) => JSON.parse(line) as unknown);
      const { status, text } = await catalog.post('/aspects?action=ingestProposalBatch', { proposals });
      if (status !== 200) throw new Error(text);
    }
    // A search waits for the writes before it for a limited time only, which a busy machine may need for other things.
    await until(async () => {
      const { status, body } = await catalog.post('/operations?action=verify', {});
      return status === 200 && body.value.remaining === 0;
    });
  });
  afterAll(() => catalog.stop());
  asked();
}

/** What an action answers under `value`. */
async function act<T>(action: string, body: object): Promise<T> {
  const answer = await catalog.post(`/entities?action=${action}`, body);
  if (answer.status !== 200) throw new Error(`${action} was refused: ${answer.text}`);
  return answer.body.value as T;
}

function filterOf({ where }: Question): object {
  if (!where) return {};
  const and = where.map((words) => {
    const negated = words[0] === 'not';
    const [field, condition, ...values] = negated ? words.slice(1) : words;
    return { field, condition, values, negated };
  });
  return { filter: { or: [{ and }] } };
}

/** Checks answers, best first, against every kind of expectation that the question has. */
function judge(
  question: Question,
  found: readonly string[],
  total: number,
  nameOf: (name: string) => string,
): void {
  const all = (names: readonly string[]) => names.map(nameOf);
  const { first, top, before, contains, exactly, absent } = question;
  if (first) expect(found.slice(0, first.length)).toEqual(all(first));
  for (const [n, names] of Object.entries(top ?? {})) {
    expect(found.slice(0, Number(n))).toEqual(expect.arrayContaining(all(names)));
  }
  if (before) expect(found.filter((answer) => all(before).includes(answer))).toEqual(all(before));
  if (contains) expect(found).toEqual(expect.arrayContaining(all(contains)));
  if (exactly) expect([...found].sort()).toEqual(all(exactly).sort());
  if (absent) expect(found.filter((answer) => all(absent).includes(answer))).toEqual([]);
  if (question.total !== undefined) expect(total).toBe(question.total);
}

function asked(): void {
  describe('search finds', () => {
    it.each(search.map((question) => ({ title: titleOf(question), question })))(
      '$title',
      async ({ question }) => {
        const { ask, in: kinds = 'dataset', sort } = question;
        const entities = kinds === 'all' ? [] : [kinds].flat();
        const sortCriteria = sort?.map((key) => ({
          field: key.replace(/^-/, ''),
          order: key.startsWith('-') ? 'DESCENDING' : 'ASCENDING',
        }));
        const result = await act<{ entities: string[]; numEntities: number }>('searchAcrossEntities', {
          entities,
          input: ask,
          start: 0,
          count: 200,
          ...filterOf(question),
          ...(sortCriteria && { sortCriteria }),
        });
        judge(question, result.entities, result.numEntities, urnOf);
      },
    );
  });

  describe('autocomplete offers', () => {
    it.each(autocomplete.map((question) => ({ title: titleOf(question), question })))(
      '$title',
      async ({ question }) => {
        const { suggestions } = await act<{ suggestions: string[] }>('autocomplete', {
          entity: question.in ?? 'dataset',
          query: question.ask,
          limit: 10,
          ...filterOf(question),
        });
        judge(question, suggestions, suggestions.length, (text) => text);
      },
    );
  });

  describe('browse shows', () => {
    it.each(browse)('$in $path', async ({ path, in: entity = 'dataset', groups, entities, below }) => {
      const level = await act<{
        groups: Array<{ name: string; count: number }>;
        entities: Array<{ urn: string }>;
        metadata: { totalNumEntities: number };
      }>('browse', { entity, path, start: 0, limit: 100 });
      if (groups)
        expect(level.groups.map(({ name, count }) => [name, count])).toEqual(Object.entries(groups));
      if (entities) expect(level.entities.map(({ urn }) => urn).sort()).toEqual(entities.map(urnOf).sort());
      if (below !== undefined) expect(level.metadata.totalNumEntities).toBe(below);
    });

    it.each(paths)('the paths of $of', async ({ of, are }) => {
      expect(await act('getBrowsePaths', { urn: urnOf(of) })).toEqual(are);
    });
  });

  describe('facets count', () => {
    it.each(facets)('$field of $ask', async ({ ask, field, counts, some }) => {
      const { metadata } = await act<{
        metadata: { searchResultMetadatas: Array<{ name: string; aggregations: Record<string, number> }> };
      }>('search', { entity: 'dataset', input: ask, start: 0, count: 0 });
      const found = metadata.searchResultMetadatas.find(({ name }) => name === field)?.aggregations;
      if (counts) expect(found).toEqual(counts);
      if (some) expect(found).toMatchObject(some);
    });
  });
}
