import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENTS } from '../../../src/modules/openapi/document/document-list.js';
import { TestCatalog } from '../../harness/catalog.js';
import { each, operationsOf, urlOf, type Operation } from '../../harness/operations.js';
import { importSample } from '../../harness/sample.js';
import { SHORT_WAITS } from '../events/feed-reader.js';

let catalog: TestCatalog;
let operations: Operation[];
/** What the documents say of an operation, by document, path and method. */
let documents: Record<string, any>;
beforeAll(async () => {
  catalog = await TestCatalog.start(SHORT_WAITS);
  await importSample(catalog);
  const found = await Promise.all(DOCUMENTS.map(({ name }) => operationsOf(catalog, name)));
  // What the model makes of one declaration for each kind of entities, of one kind; and all other operations.
  operations = found
    .flat()
    .filter(
      ({ document, pattern }) =>
        !document.startsWith('entities-') || /\/entity\/(batch\/)?dataset\b/.test(pattern),
    );
  const served = await Promise.all(DOCUMENTS.map(({ name }) => catalog.get(`/openapi/v3/api-docs/${name}`)));
  documents = Object.fromEntries(DOCUMENTS.map(({ name }, i) => [name, served[i]!.body]));
});
afterAll(() => catalog?.stop());

function answersOf({ document, pattern, method }: Operation): Record<string, any> {
  const { paths, components } = documents[document];
  const { responses } = paths[pattern][method.toLowerCase()];
  return Object.fromEntries(
    Object.entries<any>(responses).map(([status, answer]) => [
      status,
      answer.$ref === undefined ? answer : components.responses[answer.$ref.split('/').at(-1)],
    ]),
  );
}

const about = ({ document, pattern, method, query }: Operation) =>
  `${document}: ${method} ${pattern} ${query['action'] ?? ''}`;

describe('the operations of the served documents', () => {
  it('say that they are 415 where they are, to a body that is no JSON', async () => {
    const wrong = await each(operations, async (operation) => {
      if (operation.method === 'GET' || operation.method === 'HEAD') return [];
      const headers = { ...operation.headers, 'content-type': 'application/x-www-form-urlencoded' };
      const { method } = operation;
      const { status } = await catalog.request(method, urlOf(operation), { headers, raw: 'a=b' });
      return status === 415 && !('415' in answersOf(operation)) ? [about(operation)] : [];
    });
    expect(wrong.flat()).toEqual([]);
  });

  it('say of which type their answers are', async () => {
    const reads = operations.filter(({ method }) => method === 'GET');
    expect(reads.length).toBeGreaterThan(100);
    const wrong = await each(reads, async (operation) => {
      const { status, headers, text } = await catalog.get(urlOf(operation), { headers: operation.headers });
      const type = headers.get('content-type')?.split(';')[0];
      const types = Object.keys(answersOf(operation)[status]?.content ?? {});
      const told = text === '' ? types.length === 0 || type === undefined : types.includes(type ?? '');
      return told ? [] : [`${about(operation)}: ${status} ${type}, not ${types.join()}`];
    });
    expect(wrong.flat()).toEqual([]);
  });
});
