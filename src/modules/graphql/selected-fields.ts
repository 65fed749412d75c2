import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

const known = new WeakMap<FieldNode, readonly string[]>();

/** Names of the fields that a query selects of what a field answers, fragments included, whatever their type. */
export function selectedFields(
  info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
): readonly string[] {
  const [node] = info.fieldNodes;
  if (!node) return [];
  let names = known.get(node);
  if (!names) {
    const found = new Set<string>();
    for (const { selectionSet } of info.fieldNodes)
      if (selectionSet) collect(selectionSet, info.fragments, found);
    known.set(node, (names = [...found]));
  }
  return names;
}

function collect(
  set: SelectionSetNode,
  fragments: GraphQLResolveInfo['fragments'],
  found: Set<string>,
  spread = new Set<string>(),
): void {
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) found.add(node.name.value);
    else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet, fragments, found, spread);
    else if (!spread.has(node.name.value)) {
      spread.add(node.name.value);
      const fragment = fragments[node.name.value];
      if (fragment) collect(fragment.selectionSet, fragments, found, spread);
    }
  }
}
