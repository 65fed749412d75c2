import {
  defaultFieldResolver,
  getNamedType,
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLOutputType,
} from 'graphql';
import { refuse } from '../../../catalog/errors/index.js';
import type { Filter, VersionTag } from '../../../catalog/model/generated/aspects.js';
import { entityTypeName } from '../../../catalog/search/index.js';
import { waiting } from '../engine/fast-resolvers.js';
import type { RequestContext } from '../request-context.js';
import type { Entity } from '../types/entity.js';
import { EntityType } from '../types/enums.js';

/** A field that the reference has with another type, and what it answers for what ours does. */
interface Known {
  readonly type: GraphQLOutputType;
  readonly value?: (ours: unknown, context: RequestContext) => unknown;
}

/**
 * Gives fields the type that clients of the reference know, where it is another one than ours: a word in place of
 * an object, an entity in place of its URN.
 */
export function asReferenceKnows(schema: GraphQLSchema): GraphQLSchema {
  const types = schema.getTypeMap();
  /** A model of your own may lack a type: what would need it stays as it is. */
  const known = knownFields(types);
  const made = known.flatMap(([, { type }]) => {
    const named = getNamedType(type);
    return types[named.name] ? [] : [named];
  });
  for (const [coordinate, { type, value }] of known) {
    const [owner = '', name = ''] = coordinate.split('.');
    const of = types[owner];
    const field = isObjectType(of) ? of.getFields()[name] : undefined;
    if (!field) continue;
    field.type = type;
    if (!value) continue;
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, given, context: RequestContext, info) => {
      const ours: unknown = resolve(source, given, context, info);
      return ours instanceof Promise ? ours.then((late) => value(late, context)) : value(ours, context);
    };
  }
  const user = types['CorpUser'];
  if (isObjectType(user) && types['CorpUserStatus']) {
    const status = user.getFields()['status']!;
    status.type = types['CorpUserStatus'] as GraphQLEnumType;
    status.resolve = waiting('CorpUser', 'status', (source) => wordOf(source, types['CorpUserStatus']));
  }
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, types: [...config.types, ...made], assumeValid: true });
}

function knownFields(types: Readonly<Record<string, GraphQLNamedType>>): Array<[string, Known]> {
  const list = (name: string): GraphQLOutputType =>
    new GraphQLList(new GraphQLNonNull(types[name]!)) as never;
  const operators = types['LogicalOperator'] as GraphQLEnumType;
  const filter = new GraphQLObjectType({
    name: 'DataHubViewFilter',
    description: 'What a view lets through.',
    fields: {
      operator: { type: new GraphQLNonNull(operators) },
      filters: { type: new GraphQLNonNull(list('FacetFilter')) },
    },
  });
  const kinds = new GraphQLEnumType({
    name: 'StdDataType',
    description: 'A kind of values.',
    values: Object.fromEntries([...DATA_TYPES, 'OTHER'].map((name) => [name, {}])),
  });
  const actors = new GraphQLUnionType({
    name: 'ResolvedActor',
    description: 'A user or a group.',
    types: [types['CorpUser'], types['CorpGroup']] as GraphQLObjectType[],
    resolveType: (entity: Entity) => entity.typeName,
  });
  const platforms = types['PlatformType'] as GraphQLEnumType;
  return [
    [
      'DataHubViewDefinition.entityTypes',
      { type: new GraphQLNonNull(list('EntityType')), value: entityTypesOf },
    ],
    ['DataHubViewDefinition.filter', { type: new GraphQLNonNull(filter), value: viewFilter }],
    [
      'DataPlatformProperties.type',
      {
        type: new GraphQLNonNull(platforms),
        value: (ours) => (platforms.getValue(String(ours)) ? ours : 'OTHERS'),
      },
    ],
    [
      'DataTypeInfo.type',
      {
        type: new GraphQLNonNull(kinds),
        value: (ours) => (DATA_TYPES.includes(String(ours)) ? ours : 'OTHER'),
      },
    ],
    ['InstitutionalMemoryMetadata.actor', { type: new GraphQLNonNull(actors) }],
    ...KNOWN_OF_MODELS,
    ['Operation.customProperties', { type: list('StringMapEntry') }],
    ['SiblingProperties.siblings', { type: new GraphQLList(types['Entity'] as never) }],
    [
      'StructuredPropertyDefinition.allowedPlatforms',
      {
        type: list('DataPlatform'),
        value: (ours, context) => (ours as string[] | null)?.map((urn) => context.entity(urn)),
      },
    ],
  ];
}

/** Of machine learning models. */
const KNOWN_OF_MODELS: Array<[string, Known]> = [
  [
    'MLModelProperties.mlFeatures',
    {
      type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
      value: (ours) => (ours as Entity[] | null)?.map(({ urn }) => urn),
    },
  ],
  [
    'MLModelProperties.version',
    { type: GraphQLString, value: (ours) => (ours as VersionTag | null)?.versionTag },
  ],
];

const DATA_TYPES: readonly string[] = ['DATE', 'NUMBER', 'RICH_TEXT', 'STRING', 'URN'];

/** Whether an account is active or suspended; null where nothing says so. */
function wordOf(user: unknown, type: GraphQLNamedType | undefined): string | null {
  const { status } = ((user as Entity).latest('corpUserStatus') ?? {}) as { status?: string };
  return status !== undefined && (type as GraphQLEnumType).getValue(status) ? status : null;
}

function entityTypesOf(names: unknown): EntityType[] {
  return (names as string[]).map((name) => {
    const type = entityTypeName(name);
    return Object.hasOwn(EntityType, type) ? (type as EntityType) : EntityType.OTHER;
  });
}

/** The filters of a view in the short form: all of several must hold, or one of them. */
function viewFilter(stored: unknown): object {
  const { or = [], criteria = [] } = stored as Filter;
  const [first = { and: criteria }] = or;
  if (or.length <= 1) return { operator: 'AND', filters: first.and };
  if (or.every(({ and }) => and.length === 1))
    return { operator: 'OR', filters: or.flatMap(({ and }) => and) };
  throw refuse(
    'RULE_VIOLATED',
    'the filter of the view joins several groups of conditions, which DataHubViewFilter cannot say; ask for "json" or unset CATALOG_COMPATIBILITY',
  );
}
