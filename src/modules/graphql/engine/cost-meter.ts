import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  getNullableType,
  Kind,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { refuse } from '../../../catalog/errors/index.js';
import type { GraphqlLimits } from '../limits.js';
import { priceOf, searches as isSearch } from '../search-price.js';
import { selectsFacets } from './metered-searches.js';
import { introspectedSizes, mostIntrospected } from './introspected-sizes.js';
import { fieldOf, fragmentsOf, operationOf } from './operations.js';

/** How large a page is when its size is not said: the defaults of the service are 10, 20 and 100. */
const USUAL_PAGE = 10;
/** Arguments, and members of the argument `input`, that say how many elements a list may have. */
const PAGE_SIZES = new Set(['count', 'limit', 'maxAggValues']);

/** What reading a literal value costs, in fields. */
const LITERAL = 0.1;

interface Measure {
  depth: number;
  /** Fields that are answered when every page is full. */
  cost: number;
  /** Fields that are answered when every page has one element. */
  least: number;
  /** Fields about the schema that are answered. */
  introspected: number;
  /** What its searches cost if each is made once; see {@link priceOf}. Those below lists pay again for each search. */
  searches: number;
}

const NOTHING: Measure = { depth: 0, cost: 0, least: 0, introspected: 0, searches: 0 };

type Variables = Readonly<Record<string, unknown>>;

/** Of selections that cost the same whatever the variables are, for as long as their documents are kept. */
const constant = new WeakMap<SelectionSetNode, Measure>();

/**
 * What an operation cost last, and the variables that were looked at for it where none was
 * a list or an object: a client often asks for pages of one size.
 */
interface LastMeasure {
  readonly looked: ReadonlyArray<readonly [name: string, value: unknown]>;
  readonly measure: Measure;
}

const last = new WeakMap<SelectionSetNode, LastMeasure>();

/**
 * Measures a valid document.
 * - A field costs one. Below a field with a page size everything costs that many times as much, below a list of URNs
 *   as many times as it has URNs. Of the parts for different types of one entity only the dearest counts.
 * - Fragments are measured once, so nesting them does not help.
 * - Pages are seldom full, and those below others even less. Therefore a query is refused beforehand only if it would
 *   be too large with one element on each page; otherwise its fields are counted while it is answered.
 * - Searches have a budget of their own, which the whole document shares. Each is counted once here, and what cannot
 *   fit is refused before anything is done.
 */
export class CostMeter {
  private readonly fragments: ReturnType<typeof fragmentsOf>;
  /** Of selections for which variables were looked at. */
  private readonly varying = new Map<SelectionSetNode, Measure>();
  /** Whether the value of a variable was looked at for the selection that is being measured. */
  private readsVariables = false;
  private readonly looked = new Set<string>();

  private constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Record<string, unknown>,
    private readonly limits: GraphqlLimits,
  ) {
    this.fragments = fragmentsOf(document);
  }

  /**
   * @returns how many fields the operation may return
   * @throws CatalogError GRAPHQL_TOO_COSTLY, BATCH_TOO_LARGE
   */
  static check(
    schema: GraphQLSchema,
    document: DocumentNode,
    operationName: string | undefined,
    variables: Variables,
    limits: GraphqlLimits,
  ): number {
    checkLists(variables, limits.maxBatch, '/variables');
    // Without a name that says which, the engine refuses the request itself.
    const operation = operationOf(document, operationName);
    const root = operation && schema.getRootType(operation.operation);
    if (!root) return 0;
    const set = operation.selectionSet;
    let measure = constant.get(set) ?? lastMeasure(set, variables);
    if (!measure) {
      const meter = new CostMeter(schema, document, { ...variables }, limits);
      measure = meter.operation(operation, root);
      const looked = [...meter.looked].map((name) => [name, variables[name]] as const);
      if (looked.every(([, value]) => typeof value !== 'object')) last.set(set, { looked, measure });
    }
    refuseTooCostly(operation, measure, limits, mostIntrospected(schema));
    return measure.cost;
  }

  private operation(operation: OperationDefinitionNode, root: GraphQLNamedType): Measure {
    for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
      if (defaultValue === undefined) continue;
      checkLiteral(defaultValue, this.limits.maxBatch);
      this.variables[variable.name.value] ??= this.valueOf(defaultValue);
    }
    return this.selection(operation.selectionSet, root);
  }

  /** A selection stands below one type, so that it is measured once. */
  private selection(set: SelectionSetNode, type: GraphQLNamedType): Measure {
    const kept = constant.get(set);
    if (kept) return kept;
    const before = this.readsVariables;
    const known = this.varying.get(set);
    this.readsVariables = known !== undefined;
    const measure = known ?? this.measured(set, type);
    if (this.readsVariables) this.varying.set(set, measure);
    else constant.set(set, measure);
    this.readsVariables ||= before;
    return measure;
  }

  private measured(set: SelectionSetNode, type: GraphQLNamedType): Measure {
    let total = NOTHING;
    let dearest = NOTHING;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        total = sum(total, this.field(node, type));
        continue;
      }
      const condition = node.kind === Kind.INLINE_FRAGMENT ? node.typeCondition : undefined;
      const measure =
        node.kind === Kind.FRAGMENT_SPREAD
          ? this.fragment(node.name.value)
          : this.selection(node.selectionSet, this.typeOf(condition?.name.value) ?? type);
      const of =
        node.kind === Kind.FRAGMENT_SPREAD
          ? this.fragmentType(node.name.value)
          : this.typeOf(condition?.name.value);
      if (of && of !== type && isObjectType(of)) dearest = most(dearest, measure);
      else total = sum(total, measure);
    }
    return sum(total, dearest);
  }

  private field(node: FieldNode, type: GraphQLNamedType): Measure {
    const field = fieldOf(this.schema, type, node.name.value);
    // Literals are read anew wherever the field stands in the answer.
    let own = 1;
    for (const argument of node.arguments ?? []) own += checkLiteral(argument.value, this.limits.maxBatch);
    const searches =
      field && isSearch(field)
        ? priceOf(
            field,
            (name) => this.argument(node, name),
            selectsFacets([node], (name) => this.fragments.get(name)),
          )
        : 0;
    const below = field ? getNamedType(field.type) : undefined;
    const leaf = { ...NOTHING, depth: 1, cost: own, least: own, searches };
    if (!node.selectionSet || !below || !isCompositeType(below)) return leaf;
    const inner = this.selection(node.selectionSet, below);
    const size = introspectedSizes(this.schema, type, node.name.value) ?? this.pageSize(node, field!);
    const { cost, least } = inner;
    // What is below these two is about the schema.
    const aboutSchema = field === SchemaMetaFieldDef || field === TypeMetaFieldDef;
    return {
      depth: 1 + inner.depth,
      cost: own + (aboutSchema ? 0 : cost * size),
      least: own + (aboutSchema ? 0 : least),
      introspected: aboutSchema ? cost : inner.introspected * size,
      searches: searches + inner.searches,
    };
  }

  private argument(node: FieldNode, name: string): unknown {
    const given = node.arguments?.find((argument) => argument.name.value === name);
    return given && this.valueOf(given.value);
  }

  /** How many elements the arguments of a field ask for. */
  private pageSize(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    let known = false;
    let size = 0;
    for (const argument of field.args) {
      const type = getNullableType(argument.type);
      if (isListType(type) && argument.name === 'urns') {
        known = true;
        const value = this.argument(node, argument.name);
        size = Math.max(size, Array.isArray(value) ? value.length : 1);
      } else if (PAGE_SIZES.has(argument.name)) {
        known = true;
        const value = this.argument(node, argument.name);
        if (typeof value === 'number') size = Math.max(size, value);
      } else if (
        isInputObjectType(type) &&
        Object.keys(type.getFields()).some((name) => PAGE_SIZES.has(name))
      ) {
        known = true;
        const value = (this.argument(node, argument.name) ?? {}) as Record<string, unknown>;
        for (const name of PAGE_SIZES) {
          const member = value[name];
          if (typeof member === 'number') size = Math.max(size, member);
        }
      }
    }
    return known ? Math.max(1, size || USUAL_PAGE) : 1;
  }

  private valueOf(node: ValueNode): unknown {
    if (node.kind === Kind.VARIABLE) {
      this.readsVariables = true;
      this.looked.add(node.name.value);
      return this.variables[node.name.value];
    }
    if (node.kind === Kind.INT) return Number(node.value);
    if (node.kind === Kind.BOOLEAN) return node.value;
    if (node.kind === Kind.LIST) return node.values.map((value) => this.valueOf(value));
    if (node.kind !== Kind.OBJECT) return undefined;
    // Only the variables whose members are looked at count.
    const members = node.fields.map(
      ({ name, value }) => [name.value, { enumerable: true, get: () => this.valueOf(value) }] as const,
    );
    return Object.defineProperties({}, Object.fromEntries(members));
  }

  private fragment(name: string): Measure {
    const node = this.fragments.get(name);
    const type = this.fragmentType(name);
    return node && type ? this.selection(node.selectionSet, type) : NOTHING;
  }

  private fragmentType(name: string): GraphQLNamedType | undefined {
    return this.typeOf(this.fragments.get(name)?.typeCondition.name.value);
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

/** What the operation cost last, if the variables that were looked at then are the same. */
function lastMeasure(set: SelectionSetNode, variables: Variables): Measure | undefined {
  const found = last.get(set);
  return found?.looked.every(([name, value]) => variables[name] === value) ? found.measure : undefined;
}

/** @throws CatalogError GRAPHQL_TOO_COSTLY */
function refuseTooCostly(
  { operation }: OperationDefinitionNode,
  { depth, cost, least, introspected, searches }: Measure,
  { maxDepth, maxCost, maxSearchCost }: GraphqlLimits,
  maxIntrospected: number,
): void {
  if (depth > maxDepth) throw tooCostly(`the operation has ${depth} levels, at most ${maxDepth} are allowed`);
  // What a read really finds is counted while it is answered. What was written would stay written.
  const counted = operation === OperationTypeNode.QUERY ? least : cost;
  if (counted > maxCost)
    throw tooCostly(`the operation may return ${Math.ceil(counted)} fields, at most ${maxCost} are allowed`);
  if (introspected > maxIntrospected)
    throw tooCostly(
      `the operation may return ${Math.ceil(introspected)} fields of the schema, at most ${maxIntrospected} are allowed`,
    );
  if (searches > maxSearchCost)
    throw tooCostly(
      `the searches of the operation cost ${searches} together, at most ${maxSearchCost} is allowed; send them in several operations`,
    );
}

/** Of parts that are all answered. */
function sum(a: Measure, b: Measure): Measure {
  return {
    depth: Math.max(a.depth, b.depth),
    cost: a.cost + b.cost,
    least: a.least + b.least,
    introspected: a.introspected + b.introspected,
    searches: a.searches + b.searches,
  };
}

/** Of parts of which one is answered. */
function most(a: Measure, b: Measure): Measure {
  return {
    depth: Math.max(a.depth, b.depth),
    cost: Math.max(a.cost, b.cost),
    least: Math.max(a.least, b.least),
    introspected: Math.max(a.introspected, b.introspected),
    searches: Math.max(a.searches, b.searches),
  };
}

function checkLists(value: unknown, max: number, pointer: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > max) throw tooMany(value.length, max, pointer);
  for (const [name, member] of Object.entries(value)) checkLists(member, max, `${pointer}/${name}`);
}

/** @returns how many values there are in it */
function checkLiteral(node: ValueNode, max: number): number {
  if (node.kind === Kind.LIST) {
    if (node.values.length > max) throw tooMany(node.values.length, max);
    return node.values.reduce((count, value) => count + checkLiteral(value, max), 0);
  }
  if (node.kind === Kind.OBJECT)
    return node.fields.reduce((count, { value }) => count + checkLiteral(value, max), 0);
  return node.kind === Kind.VARIABLE ? 0 : LITERAL;
}

function tooMany(count: number, max: number, pointer?: string) {
  return refuse('BATCH_TOO_LARGE', `a list has ${count} elements, at most ${max} are allowed`, pointer);
}

function tooCostly(message: string) {
  return refuse('GRAPHQL_TOO_COSTLY', message);
}
