import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { aspectsOfField, Entity, knownFields } from './types/index.js';

/** What is looked at of the place of a field in the query. */
export type FieldInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'schema' | 'returnType'>;

/** An entity in an answer, and what is selected of it. */
export type Selected = readonly [entity: Entity, selection: Selection];

/** Aspects that are known to be read by what a query selects of the entity that a field answers. */
export function selectedAspects(info: FieldInfo, type: string): readonly string[] {
  return selectionOf(info).aspects(type);
}

/** The entities in the value of a field that are there as plain data, in its order. */
export function* entitiesIn(value: unknown, info: FieldInfo): Iterable<Selected> {
  yield* within(value, getNamedType(info.returnType), selectionOf(info));
}

function* within(value: unknown, type: GraphQLNamedType, selection: Selection): Iterable<Selected> {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Entity) yield [value, selection];
  else if (Array.isArray(value)) for (const element of value) yield* within(element, type, selection);
  else if (isObjectType(type))
    for (const { name, type: below, selection: selected } of selection.members(type))
      yield* within((value as Record<string, unknown>)[name], below, selected);
}

interface Member {
  readonly name: string;
  readonly type: GraphQLNamedType;
  readonly selection: Selection;
}

/** What is selected below one field, whatever its type turns out to be. What depends on variables is left out. */
class Selection {
  private readonly byType = new Map<string, Map<string, SelectionSetNode[]>>();
  private readonly membersByType = new Map<string, readonly Member[]>();
  private readonly aspectsByType = new Map<string, readonly string[]>();
  /** How many fields were known when the aspects were found out. */
  private known = -1;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: GraphQLResolveInfo['fragments'],
    private readonly sets: readonly SelectionSetNode[],
  ) {}

  /** Aspects that the selected fields of an entity's type are known to read. */
  aspects(type: string): readonly string[] {
    if (this.known !== knownFields()) {
      this.known = knownFields();
      this.aspectsByType.clear();
    }
    let aspects = this.aspectsByType.get(type);
    if (!aspects) {
      const found = new Set([...this.fields(type).keys()].flatMap((name) => aspectsOfField(type, name)));
      this.aspectsByType.set(type, (aspects = [...found]));
    }
    return aspects;
  }

  /** Selected members of plain data below which there may be entities. */
  members(type: GraphQLObjectType): readonly Member[] {
    let members = this.membersByType.get(type.name);
    if (!members) {
      const found = [...this.fields(type.name)].map(([name, sets]): Member | undefined => {
        const field = type.getFields()[name];
        const below = field && getNamedType(field.type);
        if (!isCompositeType(below) || field?.resolve) return undefined;
        const selection = new Selection(this.schema, this.fragments, sets);
        const leads = isAbstractType(below) || isEntity(below) || selection.members(below).length > 0;
        return leads ? { name, type: below, selection } : undefined;
      });
      this.membersByType.set(type.name, (members = found.filter((member) => member !== undefined)));
    }
    return members;
  }

  private fields(type: string): ReadonlyMap<string, SelectionSetNode[]> {
    let fields = this.byType.get(type);
    if (!fields) {
      this.byType.set(type, (fields = new Map<string, SelectionSetNode[]>()));
      for (const set of this.sets) this.collect(set, type, fields);
    }
    return fields;
  }

  private collect(set: SelectionSetNode, type: string, fields: Map<string, SelectionSetNode[]>): void {
    for (const node of set.selections) {
      if (node.directives && node.directives.length > 0) continue;
      if (node.kind === Kind.FIELD) {
        const below = fields.get(node.name.value) ?? [];
        if (node.selectionSet) below.push(node.selectionSet);
        fields.set(node.name.value, below);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments[node.name.value];
      if (fragment && this.applies(fragment.typeCondition?.name.value, type))
        this.collect(fragment.selectionSet, type, fields);
    }
  }

  private applies(condition: string | undefined, type: string): boolean {
    if (condition === undefined || condition === type) return true;
    const wanted = this.schema.getType(condition);
    const actual = this.schema.getType(type);
    return isAbstractType(wanted) && isObjectType(actual) && this.schema.isSubType(wanted, actual);
  }
}

const isEntity = (type: GraphQLNamedType) =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Entity');

const selections = new WeakMap<FieldNode, Selection>();

function selectionOf({ fieldNodes, fragments, schema }: FieldInfo): Selection {
  const [node] = fieldNodes;
  let selection = node && selections.get(node);
  if (!selection) {
    const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    selection = new Selection(schema, fragments, sets);
    if (node) selections.set(node, selection);
  }
  return selection;
}
