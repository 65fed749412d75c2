import { __Schema, Kind, type DocumentNode, type SelectionSetNode } from 'graphql';
import type { RequestContext } from '../request-context.js';
import { fragmentsOf, operationOf } from './operations.js';

const ABOUT_SCHEMA = new Set(['__schema', '__type', '__typename']);

/**
 * Whether an operation asks for nothing but the schema, and without variables: its answer is always the same, whichever client
 * asks.
 */
export function asksForSchemaOnly(document: DocumentNode, operationName: string | undefined): boolean {
  const operation = operationOf(document, operationName);
  if (!operation || (operation.variableDefinitions ?? []).length > 0) return false;
  const fragments = fragmentsOf(document);
  const only = (set: SelectionSetNode): boolean =>
    set.selections.every((node) => {
      if (node.kind === Kind.FIELD) return ABOUT_SCHEMA.has(node.name.value);
      const part = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
      return part !== undefined && only(part.selectionSet);
    });
  return only(operation.selectionSet);
}

const types = __Schema.getFields()['types']!;
const all = types.resolve!;

/**
 * Spreads the list of all types over slices: the library works it off in one go, which with a model of thousands of fields
 * holds the event loop for a quarter of a second. The field is the library's own, of which there is one for all schemas.
 */
export function spreadIntrospection(): void {
  types.resolve = inSlices;
}

const inSlices: typeof all = (schema, args, context: Partial<RequestContext> | undefined, info) => {
  const found = all(schema, args, context, info) as readonly unknown[];
  return context?.interpreted ? context.slices?.spread(found) : found;
};
