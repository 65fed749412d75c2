import { createHash } from 'node:crypto';
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
  const urn = `#/components/schemas/${own.charAt(0).toUpperCase() + own.slice(1)}Urn`;
  const contents = new Contents(document, urn);
  return [method, version, batch, rest.length, contents.of(operation)].join(' ');
}

/**
 * What things of a document say, whatever the names are under which they share their parts: `status` is wrapped under a name of
 * its own for each entity, and says the same.
 */
class Contents {
  private readonly known: Map<string, string>;

  /** @param urn schema of the URN of the entity, which is of one entity or another */
  constructor(
    private readonly document: OpenapiDocument,
    urn: string,
  ) {
    this.known = new Map([[urn, 'the URN of the entity']]);
  }

  of(value: unknown, named = false): string {
    if (Array.isArray(value)) return `[${value.map((each) => this.of(each)).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const { $ref } = value as Partial<Reference>;
    if (typeof $ref === 'string' && !named) return this.referenced($ref);
    const members = Object.entries(value)
      .filter(([name]) => named || !WORDS.has(name))
      // Members of these have names that the document gives, such as `description`.
      .map(([name, inner]) => `${name}:${this.of(inner, !named && name === 'properties')}`);
    return `{${members.join(',')}}`;
  }

  private referenced(reference: string): string {
    const known = this.known.get(reference);
    if (known !== undefined) return known;
    // What refers to itself is known by its name.
    this.known.set(reference, reference);
    const [, , group = '', name = ''] = reference.split('/');
    const text = this.of(this.document.components[group]?.[name]);
    const short = createHash('sha256').update(text).digest('base64');
    this.known.set(reference, short);
    return short;
  }
}
