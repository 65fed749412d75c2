import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  getNullableType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { refuse } from '../../../catalog/errors/index.js';
import type { GraphqlLimits } from '../limits.js';

/** How large a page is when its size is not said: the defaults of the service are 10, 20 and 100. */
const USUAL_PAGE = 10;
/** Arguments, and members of the argument `input`, that say how many elements a list may have. */
const PAGE_SIZES = new Set(['count', 'limit', 'maxAggValues']);

interface Measure {
  depth: number;
  cost: number;
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * Measures a document that is known to be valid. A field costs one. What lies below a field that takes a page size
 * costs that many times as much, below a list of URNs as many times as it names; of the parts for different types of
 * one entity only the dearest counts. Fragments are measured once, so that nesting them does not help.
 */
export class CostMeter {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly measured = new Map<string, Measure>();

  private constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Variables,
    private readonly limits: GraphqlLimits,
  ) {
    this.fragments = new Map(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
  }

  /** @throws CatalogError GRAPHQL_TOO_COSTLY, BATCH_TOO_LARGE */
  static check(
    schema: GraphQLSchema,
    document: DocumentNode,
    operationName: string | undefined,
    variables: Variables,
    limits: GraphqlLimits,
  ): void {
    checkLists(variables, limits.maxBatch, '/variables');
    const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    // Without a name that says which, the engine refuses the request itself.
    const operation = operations.find(
      (node) => operationName === undefined || node.name?.value === operationName,
    );
    if (operation) new CostMeter(schema, document, variables, limits).checkOperation(operation);
  }

  private checkOperation(operation: OperationDefinitionNode): void {
    const root = this.schema.getRootType(operation.operation);
    if (!root) return;
    const { depth, cost } = this.selection(operation.selectionSet, root);
    const { maxDepth, maxCost } = this.limits;
    if (depth > maxDepth)
      throw tooCostly(`the operation has ${depth} levels, at most ${maxDepth} are allowed`);
    if (cost > maxCost)
      throw tooCostly(`the operation may answer ${cost} fields, at most ${maxCost} are allowed`);
  }

  private selection(set: SelectionSetNode, type: GraphQLNamedType): Measure {
    const total: Measure = { depth: 0, cost: 0 };
    let dearest = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const { depth, cost } = this.field(node, type);
        total.depth = Math.max(total.depth, depth);
        total.cost += cost;
        continue;
      }
      const condition = node.kind === Kind.INLINE_FRAGMENT ? node.typeCondition : undefined;
      const measure =
        node.kind === Kind.FRAGMENT_SPREAD
          ? this.fragment(node.name.value)
          : this.selection(node.selectionSet, this.typeOf(condition?.name.value) ?? type);
      total.depth = Math.max(total.depth, measure.depth);
      const of =
        node.kind === Kind.FRAGMENT_SPREAD
          ? this.fragmentType(node.name.value)
          : this.typeOf(condition?.name.value);
      if (of && of !== type && isObjectType(of)) dearest = Math.max(dearest, measure.cost);
      else total.cost += measure.cost;
    }
    return { depth: total.depth, cost: total.cost + dearest };
  }

  private field(node: FieldNode, type: GraphQLNamedType): Measure {
    const field =
      'getFields' in type && !isInputObjectType(type) ? type.getFields()[node.name.value] : undefined;
    for (const argument of node.arguments ?? []) checkLiteral(argument.value, this.limits.maxBatch);
    // Fields of the schema itself are not in its types; they are few, and their depth is bounded by validation.
    const below = field ? getNamedType(field.type) : undefined;
    if (!node.selectionSet) return { depth: 1, cost: 1 };
    const inner =
      below && isCompositeType(below) ? this.selection(node.selectionSet, below) : plain(node.selectionSet);
    return {
      depth: 1 + inner.depth,
      cost: 1 + inner.cost * (field ? this.pageSize(node, field as GraphQLField<unknown, unknown>) : 1),
    };
  }

  /** How many elements the arguments of a field ask for. */
  private pageSize(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    let known = false;
    let size = 0;
    for (const argument of field.args) {
      const type = getNullableType(argument.type);
      const given = node.arguments?.find(({ name }) => name.value === argument.name);
      const value = given && this.valueOf(given.value);
      if (isListType(type) && argument.name === 'urns') {
        known = true;
        size = Math.max(size, Array.isArray(value) ? value.length : 1);
      } else if (PAGE_SIZES.has(argument.name)) {
        known = true;
        if (typeof value === 'number') size = Math.max(size, value);
      } else if (
        isInputObjectType(type) &&
        Object.keys(type.getFields()).some((name) => PAGE_SIZES.has(name))
      ) {
        known = true;
        for (const [name, member] of Object.entries((value ?? {}) as Record<string, unknown>)) {
          if (PAGE_SIZES.has(name) && typeof member === 'number') size = Math.max(size, member);
        }
      }
    }
    return known ? Math.max(1, size || USUAL_PAGE) : 1;
  }

  private valueOf(node: ValueNode): unknown {
    if (node.kind === Kind.VARIABLE) return this.variables[node.name.value];
    if (node.kind === Kind.INT) return Number(node.value);
    if (node.kind === Kind.LIST) return node.values.map((value) => this.valueOf(value));
    if (node.kind !== Kind.OBJECT) return undefined;
    return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, this.valueOf(value)]));
  }

  private fragment(name: string): Measure {
    const known = this.measured.get(name);
    if (known) return known;
    const node = this.fragments.get(name);
    const type = this.fragmentType(name);
    const measure = node && type ? this.selection(node.selectionSet, type) : { depth: 0, cost: 0 };
    this.measured.set(name, measure);
    return measure;
  }

  private fragmentType(name: string): GraphQLNamedType | undefined {
    return this.typeOf(this.fragments.get(name)?.typeCondition.name.value);
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

/** Of selections whose type is not looked at: the schema's own fields. */
function plain(set: SelectionSetNode): Measure {
  const measures = set.selections.map((node): Measure => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return { depth: 1, cost: 1 };
    const below = node.selectionSet ? plain(node.selectionSet) : { depth: 0, cost: 0 };
    return node.kind === Kind.FIELD ? { depth: 1 + below.depth, cost: 1 + below.cost } : below;
  });
  return {
    depth: Math.max(0, ...measures.map(({ depth }) => depth)),
    cost: measures.reduce((sum, { cost }) => sum + cost, 0),
  };
}

function checkLists(value: unknown, max: number, pointer: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > max) throw tooMany(value.length, max, pointer);
  for (const [name, member] of Object.entries(value)) checkLists(member, max, `${pointer}/${name}`);
}

function checkLiteral(node: ValueNode, max: number): void {
  if (node.kind === Kind.LIST) {
    if (node.values.length > max) throw tooMany(node.values.length, max);
    for (const value of node.values) checkLiteral(value, max);
  } else if (node.kind === Kind.OBJECT) for (const { value } of node.fields) checkLiteral(value, max);
}

function tooMany(count: number, max: number, pointer?: string) {
  return refuse('BATCH_TOO_LARGE', `a list has ${count} elements, at most ${max} are allowed`, pointer);
}

function tooCostly(message: string) {
  return refuse('GRAPHQL_TOO_COSTLY', message);
}
