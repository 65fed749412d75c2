import { GraphQLError, Kind, type DocumentNode, type SelectionSetNode, type ValidationRule } from 'graphql';
import { refuse } from '../../../catalog/errors/index.js';
import type { GraphqlLimits } from '../limits.js';

/** Rules that follow variables and fragments do so for each operation anew. */
const MAX_OPERATIONS = 50;
/**
 * Pairs of fields and of fragments that the rule on overlapping fields may have to compare. It needs one to two
 * microseconds for each; its own budget is ten times as much, and its error names neither limit nor figure.
 */
const MAX_PAIRS = 50_000;

/**
 * Bounds what validation costs: some of its rules grow with the square of the document. To be called before it.
 * @throws CatalogError GRAPHQL_TOO_COSTLY
 */
export function checkDocument({ definitions }: DocumentNode): void {
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  if (operations > MAX_OPERATIONS)
    throw tooCostly(`the document has ${operations} operations, at most ${MAX_OPERATIONS} are allowed`);
  const fields = new OverlappingFields();
  for (const node of definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION) fields.add(node.selectionSet, OPERATION);
    else if (node.kind === Kind.FRAGMENT_DEFINITION) fields.add(node.selectionSet, FRAGMENT);
  }
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length;
  const pairs = fields.pairs() + pairsOf(fragments);
  if (pairs > MAX_PAIRS)
    throw tooCostly(
      `the document has ${pairs} pairs of fragments, or of fields that may have to be merged; at most ${MAX_PAIRS} are allowed`,
    );
}

/** Where fields stand that have no field above them. Neither is a name. */
const OPERATION = '{}';
const FRAGMENT = '*';

/**
 * Counts pairs of fields that may meet in the answer: of one name, below fields of one name. What stands at the top of
 * a fragment may come to stand below anything.
 */
class OverlappingFields {
  /** By the name of a field, then by the name of the field above it. */
  private readonly counts = new Map<string, Map<string, number>>();

  add(set: SelectionSetNode, above: string): void {
    for (const node of set.selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) this.add(node.selectionSet, above);
      // A fragment that is spread often is compared once with each of its neighbours.
      const name =
        node.kind === Kind.FIELD
          ? (node.alias ?? node.name).value
          : node.kind === Kind.FRAGMENT_SPREAD
            ? `...${node.name.value}`
            : undefined;
      if (name === undefined) continue;
      const byPlace = this.counts.get(name) ?? new Map<string, number>();
      this.counts.set(name, byPlace.set(above, (byPlace.get(above) ?? 0) + 1));
      if (node.kind === Kind.FIELD && node.selectionSet) this.add(node.selectionSet, name);
    }
  }

  pairs(): number {
    let pairs = 0;
    for (const byPlace of this.counts.values()) {
      const anywhere = byPlace.get(FRAGMENT) ?? 0;
      for (const [above, count] of byPlace)
        pairs += pairsOf(count) + (above === FRAGMENT ? 0 : count * anywhere);
    }
    return pairs;
  }
}

const pairsOf = (count: number) => (count * (count - 1)) / 2;

function tooCostly(message: string) {
  return refuse('GRAPHQL_TOO_COSTLY', message, '/query');
}

/** Aliases let one document ask the same thing many times. */
export function aliasRule({ maxAliases }: GraphqlLimits): ValidationRule {
  return (context) => {
    let count = 0;
    return {
      Field(node) {
        if (!node.alias) return;
        count += 1;
        if (count !== maxAliases + 1) return;
        context.reportError(
          new GraphQLError(`at most ${maxAliases} aliases are allowed`, {
            nodes: node,
            extensions: { errorCode: 'GRAPHQL_TOO_COSTLY' },
          }),
        );
      },
    };
  };
}
