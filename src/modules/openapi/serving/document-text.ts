import type { Model } from '../../../catalog/model/index.js';
import type { DocumentEntry, OpenapiVersion } from '../document/document-list.js';
import { buildSteps, type ApiRoutes } from '../document/documents.js';
import type { Sample } from '../examples/sample.js';
import { OPENAPI_30, openapi30 } from './openapi-30.js';

/**
 * The JSON text of a document, piece by piece: an address or a schema each, and empty pieces while it is being built.
 * A piece takes a few milliseconds.
 * @param service version of the service
 */
export function* documentText(
  entry: DocumentEntry,
  openapi: OpenapiVersion,
  model: Model,
  service: string,
  routes: ApiRoutes,
  sample: Sample,
): Generator<string, void> {
  const building = buildSteps(entry, model, service, routes, sample);
  let step = building.next();
  for (; !step.done; step = building.next()) yield '';
  const { paths, components, ...head } = step.value;
  const form = (value: unknown) =>
    JSON.stringify(openapi === '3.0' ? openapi30(value, components['schemas'] ?? {}) : value);
  const version = openapi === '3.0' ? OPENAPI_30 : head.openapi;
  yield form({ ...head, openapi: version }).slice(0, -1);
  yield ',"paths":';
  yield* members(paths, form);
  yield ',"components":';
  let before = '{';
  for (const [group, record] of Object.entries(components)) {
    yield `${before}${JSON.stringify(group)}:`;
    yield* members(record, form);
    before = ',';
  }
  yield '}}';
}

function* members(record: object, form: (value: unknown) => string): Generator<string, void> {
  let before = '{';
  for (const [name, value] of Object.entries(record)) {
    yield `${before}${JSON.stringify(name)}:${form(value)}`;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
