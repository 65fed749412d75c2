import { expect } from '@jest/globals';
import type { TestCatalog } from './catalog.js';

const METHODS = ['get', 'head', 'post', 'patch', 'delete'];
/** Calls under way at the same time. */
const AT_ONCE = 16;

/** A parameter as a document has it, with its schema in place of a reference. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: any;
  example?: unknown;
}

/** One operation of a served document, called with its examples. Actions of the aspect API are operations each. */
export interface Operation {
  document: string;
  /** Its id, and the action. */
  name: string;
  method: string;
  /** As the document has it, with `{name}` for what varies. */
  pattern: string;
  /** With the examples of what varies. */
  path: string;
  /** Those of the query. */
  parameters: Parameter[];
  /** Examples in the query. */
  query: Record<string, string>;
  /** What Swagger UI fills in: examples and defaults as they stand in the document, by `<place>.<name>`. */
  given: Record<string, unknown>;
  /** Examples in headers, and what the body is. */
  headers: Record<string, string>;
  body?: unknown;
  /** Open to everybody: to probes, which may send what they like. */
  open: boolean;
}

/** The operations of a document as it is served. */
export async function operationsOf(
  catalog: Pick<TestCatalog, 'get'>,
  document: string,
): Promise<Operation[]> {
  const answer = await catalog.get(`/openapi/v3/api-docs/${document}`);
  expect([document, answer.status, answer.body.message]).toEqual([document, 200, undefined]);
  const { paths, components } = answer.body;
  const resolved = (value: any): any => {
    if (value?.$ref === undefined) return value;
    const [, , group, name] = value.$ref.split('/');
    return resolved(components[group][name]);
  };
  const whole = (schema: any): any => {
    const { items, ...rest } = resolved(schema);
    return items === undefined ? rest : { ...rest, items: whole(items) };
  };
  const operations: Operation[] = [];
  for (const [pattern, item] of Object.entries<any>(paths)) {
    for (const method of METHODS.filter((one) => item[one])) {
      const { operationId, requestBody, parameters: own = [], security } = item[method];
      const given: Parameter[] = [...(item.parameters ?? []), ...own]
        .map(resolved)
        .map((parameter) => ({ ...parameter, schema: whole(parameter.schema) }));
      const examples = (place: string): Record<string, string> =>
        Object.fromEntries(
          given
            .filter((one) => one.in === place && one.example !== undefined)
            .map(({ name, example }) => [place === 'header' ? name.toLowerCase() : name, String(example)]),
        );
      const inPath = examples('path');
      const [[type, media] = [undefined, undefined]] = Object.entries<any>(requestBody?.content ?? {});
      const operation: Operation = {
        ...{ document, name: operationId, method: method.toUpperCase(), pattern },
        path: pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name]!)),
        parameters: given.filter((parameter) => parameter.in === 'query'),
        query: examples('query'),
        given: filledIn(given),
        headers: { ...examples('header'), ...(type && { 'content-type': type }) },
        ...(media && { body: media.example }),
        open: security?.length === 0,
      };
      // Which action a body is for is said by the name of the example.
      const actions = Object.entries<any>(media?.examples ?? {});
      if (actions.length === 0) operations.push(operation);
      for (const [action, { value: body }] of actions) {
        const query = { ...operation.query, action };
        const filled = { ...operation.given, 'query.action': action };
        operations.push({ ...operation, name: `${operationId} ${action}`, query, given: filled, body });
      }
    }
  }
  return operations;
}

const filledIn = (parameters: readonly Parameter[]): Record<string, unknown> =>
  Object.fromEntries(
    parameters
      .map(({ in: place, name, example, schema }) => [
        `${place}.${name}`,
        example ?? schema.example ?? schema.default,
      ])
      .filter(([, value]) => value !== undefined),
  );

/** The address of an operation. @param more parameters of the query, besides its examples */
export function urlOf({ path, query }: Operation, more: Record<string, string> = {}): string {
  const text = new URLSearchParams({ ...query, ...more }).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Does something with each of a list, some at a time, and answers what comes of it. */
export async function each<T, R>(
  list: readonly T[],
  work: (one: T) => Promise<R>,
  atOnce = AT_ONCE,
): Promise<R[]> {
  const results: R[] = [];
  const rest = list.entries();
  const worker = async () => {
    for (const [i, one] of rest) results[i] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
