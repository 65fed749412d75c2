import type { GraphQLField } from 'graphql';
import { authorize, type Privilege } from '../../catalog/auth/index.js';
import type { RequestContext } from './request-context.js';

/** What a caller of an operation must be allowed to do, and what of it needs another privilege, in words. */
export interface Need {
  readonly privilege: Privilege;
  readonly remark?: string | undefined;
}

const needs = new Map<string, Need>();

/** Says what an operation needs where it is not to read, for a query, or to write, for a mutation. */
export const Needs =
  (privilege: Privilege, remark?: string): MethodDecorator =>
  (_, operation) =>
    void needs.set(String(operation), { privilege, remark });

/** What an operation needs, once its resolver is loaded. */
export function needOf(operation: string, root: 'Query' | 'Mutation'): Need {
  return needs.get(operation) ?? { privilege: root === 'Query' ? 'read' : 'write' };
}

/**
 * Has a caller who may not call an operation refused before its arguments are looked at, as routes that write do. What everyone with a
 * token may is checked where it is done.
 */
export function authorizing(type: string, field: GraphQLField<unknown, RequestContext>): void {
  if (type !== 'Query' && type !== 'Mutation') return;
  const { privilege } = needOf(field.name, type);
  const { resolve } = field;
  if (privilege === 'read' || resolve === undefined) return;
  field.resolve = (source, args, context, info): unknown => {
    authorize(context.principal, privilege);
    return resolve(source, args, context, info);
  };
}
