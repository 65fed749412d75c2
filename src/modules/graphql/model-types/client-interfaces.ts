import {
  getNamedType,
  GraphQLInterfaceType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** Interfaces that clients name in fragments, with the fields that all their types have alike. */
const INTERFACES: ReadonlyArray<{ name: string; description: string; like: string; fields: string[] }> = [
  {
    name: 'EntityWithRelationships',
    description: 'An entity that has neighbours in lineage.',
    like: 'Dataset',
    fields: ['urn', 'type', 'lineage'],
  },
  {
    name: 'HasExecutionRuns',
    description: 'Something that runs.',
    like: 'DataJob',
    fields: ['runs'],
  },
  {
    name: 'SupportsVersions',
    description: 'An entity that can be in a set of versions.',
    like: 'Dataset',
    fields: ['versionProperties'],
  },
];

/**
 * Makes the interfaces, and has every type of an entity implement those whose fields it has. Returns them.
 */
export function clientInterfaces(schema: GraphQLSchema): GraphQLNamedType[] {
  const base = schema.getType('Entity');
  if (!isInterfaceType(base)) throw new Error('the schema has no entities');
  const entities = schema.getPossibleTypes(base).filter(isObjectType);
  return INTERFACES.flatMap(({ name, description, like, fields }) => {
    const model = schema.getType(like);
    if (!isObjectType(model) || schema.getType(name)) return [];
    const config = model.toConfig().fields;
    const shared = fields.flatMap((field) => (config[field] ? [[field, config[field]] as const] : []));
    if (shared.length < fields.length) return [];
    const { resolveType } = base;
    const made = new GraphQLInterfaceType({
      name,
      description,
      fields: Object.fromEntries(
        shared.map(([field, { type, args, description: text }]) => [
          field,
          { type, ...(args && { args }), description: text },
        ]),
      ),
      resolveType,
    });
    for (const type of entities) {
      const has = Object.values(made.getFields()).every((field) => {
        const own = type.getFields()[field.name];
        return (
          own !== undefined &&
          getNamedType(own.type) === getNamedType(field.type) &&
          own.args.every((arg) => field.args.some((one) => one.name === arg.name) || !isRequiredArgument(arg))
        );
      });
      // As with fields that are added, the type itself takes it.
      if (has) (type.getInterfaces() as GraphQLInterfaceType[]).push(made);
    }
    return [made];
  });
}
