import {
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type SelectionSetNode,
} from 'graphql';
import { isRecord } from '../../../catalog/model/index.js';
import type { RequestContext } from '../request-context.js';
import { canSkipFacets, priceOf, searches } from '../search-price.js';
import { Entity } from '../types/index.js';

type Given = Record<string, unknown>;
type Resolve = GraphQLFieldResolver<unknown, RequestContext, Given>;
type FragmentNamed = (name: string) => FragmentDefinitionNode | undefined;

/**
 * A field that searches takes the price of each search from the budget of the operation when the search begins: below
 * lists their number is not known beforehand. What a field of one entity finds it finds once in an operation,
 * however often the entity stands in the answer; facets that are not selected are not counted.
 */
export function meteringSearches(type: string, field: GraphQLField<unknown, RequestContext>): void {
  const { resolve, name } = field;
  if (!resolve || !searches(field)) return;
  const metered: Resolve = (source, given, context, info) => {
    const facets = selectsFacets(info.fieldNodes, (fragment) => info.fragments[fragment]);
    const search = (): unknown => {
      context.paySearch(priceOf(field, (argument) => given[argument], facets));
      return resolve(source, facets || !canSkipFacets(field) ? given : withoutFacets(given), context, info);
    };
    if (!(source instanceof Entity)) return search();
    return context.once([type, name, source.urn, String(facets), JSON.stringify(given)].join('\n'), search);
  };
  field.resolve = metered;
}

/** Whether facets may be part of the answer of a field. */
export function selectsFacets(nodes: readonly FieldNode[], named: FragmentNamed): boolean {
  // Each fragment is looked at once: nesting them does not help.
  const seen = new Set<string>();
  const fragment = (name: string): SelectionSetNode | undefined => {
    if (seen.has(name)) return undefined;
    seen.add(name);
    return named(name)?.selectionSet;
  };
  const within = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((node) => {
      if (node.kind === Kind.FIELD) return node.name.value === 'facets';
      return within(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragment(node.name.value));
    }) ?? false;
  return nodes.some(({ selectionSet }) => within(selectionSet));
}

function withoutFacets(given: Given): Given {
  const input = isRecord(given['input']) ? given['input'] : {};
  const flags = isRecord(input['searchFlags']) ? input['searchFlags'] : {};
  return { ...given, input: { ...input, searchFlags: { ...flags, skipAggregates: true } } };
}
