import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

const known = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>();
const limits = new WeakMap<GraphQLSchema, number>();

/** Fields about the schema for each type and field that it has. The usual introspection asks for some seventy. */
const ANSWERED_FOR_EACH = 100;

/** How many fields about the schema one operation may answer: they are read in one go, and each model has its own. */
export function mostIntrospected(schema: GraphQLSchema): number {
  let limit = limits.get(schema);
  if (limit === undefined) {
    const types = Object.values(schema.getTypeMap());
    const fields = types.map((type) =>
      isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()).length : 0,
    );
    limit = ANSWERED_FOR_EACH * fields.reduce((total, count) => total + count, types.length);
    limits.set(schema, limit);
  }
  return limit;
}

/** How many elements a list of the schema's own fields has on average; undefined for every other field. */
export function introspectedSizes(
  schema: GraphQLSchema,
  { name }: GraphQLNamedType,
  field: string,
): number | undefined {
  if (!name.startsWith('__')) return undefined;
  let sizes = known.get(schema);
  if (!sizes) known.set(schema, (sizes = measured(schema)));
  return sizes.get(`${name}.${field}`);
}

function measured(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const composite = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = composite.flatMap((type) => Object.values(type.getFields()));
  const among = (count: number, of: number) => Math.max(1, count / Math.max(1, of));
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const inputs = types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length);
  const values = types.filter(isEnumType).map((type) => type.getValues().length);
  const interfaces = composite.map((type) => type.getInterfaces().length);
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', schema.getDirectives().length],
    ['__Type.fields', among(fields.length, types.length)],
    ['__Type.inputFields', among(sum(inputs), types.length)],
    ['__Type.enumValues', among(sum(values), types.length)],
    ['__Type.interfaces', among(sum(interfaces), types.length)],
    ['__Type.possibleTypes', among(sum(interfaces), types.length)],
    ['__Field.args', among(sum(fields.map(({ args }) => args.length)), fields.length)],
    ['__Directive.args', 1],
  ]);
}
