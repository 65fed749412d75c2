import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  typeFromAST,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { fieldOf, fragmentsOf, operationOf } from './operations.js';

/**
 * The most units that are compiled; a larger document is interpreted. A unit is a field or a possible type, counted
 * as often as the compiler writes it out. It writes the selection of an interface once for each possible type, and
 * again at each level below: three nested interfaces of 27 types make a program of 60 MB. A unit takes 30 to 120
 * microseconds to compile, so 400 block the event loop for some 35 ms.
 */
const MAX_COMPILED_UNITS = 400;
/** Parts of a unit that a condition on a field and a fragment weigh. */
const CONDITION = 0.25;
const FRAGMENT = 0.1;
/** Bytes that a unit of a compiled query holds: 2.4 to 2.8 thousand were measured. */
export const UNIT_BYTES = 3_000;

/**
 * How many units a query has when it is compiled; undefined when there are more than may be. The work of finding out
 * is bounded as well.
 */
export function compiledSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): number | undefined {
  const operation = operationOf(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return undefined;
  const estimate = new Estimate(schema, document);
  for (const { type } of operation.variableDefinitions ?? []) {
    const declared = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    if (declared) estimate.input(declared);
  }
  estimate.object(root, [operation.selectionSet]);
  return estimate.units;
}

type Selected = Map<string, { name: string; sets: SelectionSetNode[] }>;

/** Counts until it is too much; from then on `units` is undefined and nothing more is looked at. */
class Estimate {
  private counted = 0;
  private readonly fragments: ReturnType<typeof fragmentsOf>;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
  ) {
    this.fragments = fragmentsOf(document);
  }

  get units(): number | undefined {
    return this.counted > MAX_COMPILED_UNITS ? undefined : Math.ceil(this.counted);
  }

  /** The selections of an object of one type. */
  object(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): void {
    const selected: Selected = new Map();
    for (const set of sets) this.collect(type, set, selected);
    for (const { name, sets: below } of selected.values()) {
      if (this.units === undefined) return;
      const field = fieldOf(this.schema, type, name);
      if (field) this.below(getNamedType(field.type), below);
    }
  }

  /** Variables are read by code that is written out as well; that of a list twice, for a list and for a single value. */
  input(type: GraphQLInputType): void {
    this.counted += 1;
    if (this.units === undefined) return;
    const inner = getNullableType(type);
    if (isListType(inner)) {
      this.input(inner.ofType);
      this.input(inner.ofType);
    } else if (isInputObjectType(inner)) {
      for (const field of Object.values(inner.getFields())) this.input(field.type);
    }
  }

  private below(type: GraphQLNamedType, sets: readonly SelectionSetNode[]): void {
    if (!isCompositeType(type)) return;
    const possible = isAbstractType(type) ? this.schema.getPossibleTypes(type) : [type];
    for (const one of possible) {
      this.counted += 1;
      if (this.units === undefined) return;
      if (isObjectType(one)) this.object(one, sets);
    }
  }

  /**
   * Fields are counted each time they occur, and the conditions on them and around them: code is written for all.
   */
  private collect(type: GraphQLObjectType, set: SelectionSetNode, selected: Selected, around = 0): void {
    for (const node of set.selections) {
      const conditions = around + (node.directives?.length ?? 0);
      if (node.kind === Kind.FIELD) {
        this.counted += 1 + (node.arguments?.length ?? 0) + conditions * CONDITION;
        const key = (node.alias ?? node.name).value;
        const known = selected.get(key) ?? { name: node.name.value, sets: [] };
        if (node.selectionSet) known.sets.push(node.selectionSet);
        selected.set(key, known);
        continue;
      }
      // What is for other types is looked at, too.
      this.counted += FRAGMENT;
      if (this.units === undefined) return;
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments.get(node.name.value);
      const condition = fragment?.typeCondition?.name.value;
      if (fragment && this.applies(type, condition))
        this.collect(type, fragment.selectionSet, selected, conditions);
    }
  }

  private applies(type: GraphQLObjectType, condition: string | undefined): boolean {
    const wanted = condition === undefined ? type : this.schema.getType(condition);
    return wanted === type || (isAbstractType(wanted) && this.schema.isSubType(wanted, type));
  }
}
