import type {
  OpenapiDocument,
  Operation,
  Reference,
} from '../../../../src/modules/openapi/document/openapi-types.js';

/** What says nothing about how an operation is called and answered. */
const WORDS = new Set(['operationId', 'tags', 'summary', 'description', 'example', 'examples', 'title']);

/**
 * The operations of a document that differ in more than the kind of entity they are about: one of each shape of
 * request and answer. Most operations on the aspects of entities are alike, by the hundred.
 * @param seen shapes of the documents before; those of this one are added.
 */
export function distinctOperations(document: OpenapiDocument, seen: Set<string>): string[] {
  const ids: string[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'parameters') continue;
      const { operationId } = operation as Operation;
      const shape = shapeOf(document, path, method, operation as Operation);
      if (seen.has(shape)) continue;
      seen.add(shape);
      ids.push(operationId);
    }
  }
  return ids;
}

function shapeOf(document: OpenapiDocument, path: string, method: string, operation: Operation): string {
  const [, , version, , entity = '', ...rest] = path.split('/');
  const batch = entity === 'batch';
  const own = batch ? rest[0]! : entity;
  const text = JSON.stringify(withAnswers(document, operation), (name, value: unknown) =>
    WORDS.has(name) ? undefined : value,
  );
  const capital = own.charAt(0).toUpperCase() + own.slice(1);
  // The URN is of one entity or another.
  const neutral = text.replaceAll(`/${capital}Urn"`, '/Urn"');
  return [method, version, batch, rest.length, neutral].join(' ');
}

/** Answers are shared under names of their own, which differ where the answers do not. */
function withAnswers(document: OpenapiDocument, operation: Operation): unknown {
  const shared = document.components['responses'] ?? {};
  const responses = Object.entries(operation.responses).map(([status, answer]) => {
    const name = (answer as Reference).$ref?.split('/').at(-1);
    return [status, name === undefined || Number(status) >= 400 ? answer : shared[name]];
  });
  return { ...operation, responses };
}
