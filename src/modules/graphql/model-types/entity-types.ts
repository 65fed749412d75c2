import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isInterfaceType,
  isObjectType,
  isOutputType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLNamedType,
} from 'graphql';
import type { AspectSpec, EntitySpec, Model } from '../../../catalog/model/index.js';
import { waiting } from '../engine/fast-resolvers.js';
import type { RequestContext } from '../request-context.js';
import { aspectNeededBy } from '../types/asset.js';
import { Entity, entityClass, type EntityClass } from '../types/entity.js';
import { GenericEntity, NarrowEntity } from '../types/generic-entity.js';
import { keyParts } from '../types/common.js';
import type { AspectEvents } from './aspect-events.js';
import { clientInterfaces } from './client-interfaces.js';
import { asClientsKnow } from './client-nullability.js';
import { eventsField } from './event-fields.js';
import { aspectFieldNames, entityTypeNamed, queryNamed } from './names.js';
import { alwaysStored, aspectView, partialTypes } from './record-views.js';
import { RecordTypes } from './record-types.js';
import type { Shape, Shown } from './shapes.js';

type Field = GraphQLField<unknown, RequestContext>;
type Config = GraphQLFieldConfig<unknown, RequestContext>;

/**
 * Types for all entities of a model: hand-written ones get a field for each aspect that they do not show yet, all others
 * are made, with what entities have in common and a field for each aspect.
 */
export class EntityTypes {
  /** The class of the objects that stand for an entity, by the name of the entity in the model. */
  readonly classes = new Map<string, EntityClass>();
  /** The same by the name of the type. */
  readonly classesByType = new Map<string, EntityClass>();

  constructor(
    private readonly model: Model,
    private readonly events: AspectEvents | undefined,
  ) {}

  /** Adds the types of entities that have none. */
  addTypes(schema: GraphQLSchema): GraphQLSchema {
    const generic = schema.getType('GenericEntity');
    const base = schema.getType('Entity');
    if (!isObjectType(generic) || !isInterfaceType(base)) throw new Error('the schema has no entities');
    base.resolveType = (entity: Entity) => entity.typeName;
    const shared = generic.toConfig().fields;
    const made: GraphQLObjectType[] = [];
    for (const entity of this.model.entities.values()) {
      const known = entityClass(entity.name);
      if (known && known.prototype.typeName !== entityTypeNamed(entity))
        throw new Error(
          `${entity.name} is ${entityTypeNamed(entity)} in the model, not ${known.prototype.typeName}`,
        );
      const type = known?.prototype.typeName ?? this.freeName(schema, entity);
      const made1 = known ?? derivedClass(entity, type);
      this.classes.set(entity.name, made1);
      this.classesByType.set(type, made1);
      if (known) {
        const own = schema.getType(type);
        if (known.prototype instanceof NarrowEntity && isObjectType(own)) narrow(own, entity);
        continue;
      }
      made.push(
        new GraphQLObjectType({
          name: type,
          description: entity.description || `An entity of the type ${entity.name}.`,
          interfaces: [base],
          fields: fieldsFor(entity, shared),
        }),
      );
    }
    const config = schema.toConfig();
    return new GraphQLSchema({ ...config, types: [...config.types, ...made], assumeValid: true });
  }

  /** Adds the fields of aspects and the queries by URN. */
  addFields(schema: GraphQLSchema): GraphQLSchema {
    const types = new Map<string, GraphQLNamedType>(Object.entries(schema.getTypeMap()));
    const base = schema.getType('Entity');
    const query = schema.getQueryType();
    if (!isInterfaceType(base) || !query) throw new Error('the schema has no entities');
    const entities = new Map(
      [...this.classes].map(([name, { prototype }]) => [
        name,
        types.get(prototype.typeName) as GraphQLObjectType,
      ]),
    );
    const records = new RecordTypes(this.model, types, base, entities);
    for (const [name, record] of partialTypes()) completePart(types.get(name), record, this.model, records);
    for (const entity of this.model.entities.values()) {
      const type = types.get(this.classes.get(entity.name)!.prototype.typeName);
      if (!isObjectType(type)) continue;
      this.addAspects(entity, type, records, types);
      this.addLifted(entity, type, records);
      const name = queryNamed(entity);
      query.getFields()[name] ??= fieldOf(name, byUrn(entity, type));
    }
    const config = schema.toConfig();
    const all = [...config.types, ...clientInterfaces(schema)];
    const whole = new GraphQLSchema({ ...config, types: all, assumeValid: true });
    asClientsKnow(new Map(Object.entries(whole.getTypeMap())));
    return whole;
  }

  /** The properties of an aspect as fields of the entity. */
  private addLifted(entity: EntitySpec, type: GraphQLObjectType, records: RecordTypes): void {
    const { fieldsOf, rename = {}, without = [] } = entity.graphql ?? {};
    const aspect = fieldsOf === undefined ? undefined : entity.aspects.get(fieldsOf);
    if (!aspect) return;
    const fields: Record<string, Field> = type.getFields();
    for (const [property, config] of Object.entries(records.fields(aspect.record, aspect.schema, true))) {
      const name = (Object.hasOwn(rename, property) && rename[property]) || property;
      if (fields[name] || entity.has(name) || without.includes(property)) continue;
      const { resolve } = config;
      const read = (source: unknown, given: Record<string, unknown>, context: RequestContext): unknown => {
        const value = (source as Entity).latest(aspect.name) as Record<string, unknown> | undefined;
        if (value === undefined) return null;
        return resolve ? resolve(value, given, context, NO_INFO) : value[property];
      };
      fields[name] = fieldOf(name, { ...config, resolve: waiting(type.name, name, read) } as Config);
    }
  }

  private addAspects(
    entity: EntitySpec,
    type: GraphQLObjectType,
    records: RecordTypes,
    types: ReadonlyMap<string, GraphQLNamedType>,
  ): void {
    const fields: Record<string, Field> = type.getFields();
    const before = new Set(Object.keys(fields));
    const isAspect = (name: string) => entity.has(name);
    for (const aspect of entity.aspects.values()) {
      if (aspect.secret) continue;
      const names = aspectFieldNames(entity, aspect);
      // What is hand-written under one of the names shows the aspect, unless it shows another one of that name.
      if (
        names.some(
          (name) => before.has(name) && !COMMON.has(name) && (name === aspect.name || !isAspect(name)),
        )
      )
        continue;
      const name =
        names.find(
          (candidate) =>
            !fields[candidate] &&
            !COMMON.has(candidate) &&
            (candidate === aspect.name || !isAspect(candidate)),
        ) ?? `${names.at(-1)}Aspect`;
      const config = this.aspectField(type, name, aspect, records, types);
      if (!config) continue;
      fields[name] = fieldOf(name, config);
      const also = aspect.schema['x-graphql']?.also;
      if (also !== undefined) fields[also] ??= fieldOf(also, config);
    }
  }

  private aspectField(
    type: GraphQLObjectType,
    field: string,
    aspect: AspectSpec,
    records: RecordTypes,
    types: ReadonlyMap<string, GraphQLNamedType>,
  ): Config | undefined {
    const { type: shown, show } = handWritten(aspect, types) ?? records.record(aspect.record);
    const description = aspect.description;
    if (aspect.kind === 'timeseries') {
      const { events, likeEvents } = this;
      return events && likeEvents && eventsField(aspect, { type: shown, show }, events, likeEvents, records);
    }
    const { name } = aspect;
    const read = (source: unknown, _given: unknown, context: RequestContext): unknown => {
      const entity = source as Entity;
      const value = entity.latest(name);
      if (value === undefined) return null;
      return show ? show(value, context, entity.urn) : value;
    };
    return {
      type: shown,
      description,
      resolve: waiting(type.name, field, read) as NonNullable<Config['resolve']>,
    };
  }

  /** The arguments of fields that show events. */
  private likeEvents: GraphQLFieldConfig<unknown, RequestContext>['args'];

  /** Takes the arguments of a hand-written field for those of all that show events. */
  eventsAskedLike(schema: GraphQLSchema, type: string, field: string): void {
    const found = schema.getType(type);
    if (isObjectType(found)) this.likeEvents = found.toConfig().fields[field]?.args;
  }

  private freeName(schema: GraphQLSchema, entity: EntitySpec): string {
    const name = entityTypeNamed(entity);
    const taken = (candidate: string) =>
      schema.getType(candidate) !== undefined || this.classesByType.has(candidate);
    if (!taken(name)) return name;
    let free = `${name}Entity`;
    for (let i = 2; taken(free); i += 1) free = `${name}Entity${i}`;
    return free;
  }
}

/** Resolvers of records look at nothing but the value. */
const NO_INFO = undefined as never;

function handWritten(aspect: AspectSpec, types: ReadonlyMap<string, GraphQLNamedType>): Shape | undefined {
  const view = aspectView(aspect.name);
  const type = view && types.get(view.type);
  if (!view || !isOutputType(type)) return undefined;
  return { type: view.list ? new GraphQLList(new GraphQLNonNull(type)) : type, show: view.show as Shown };
}

/** Adds what a hand-written type does not show of the record that its objects carry as `stored`. */
function completePart(
  type: GraphQLNamedType | undefined,
  record: string,
  model: Model,
  records: RecordTypes,
): void {
  const schema = model.definitions.get(record);
  if (!isObjectType(type) || !schema) return;
  const fields: Record<string, Field> = type.getFields();
  for (const [name, config] of Object.entries(records.fields(record, schema, !alwaysStored(type.name)))) {
    if (fields[name]) continue;
    const { resolve } = config;
    fields[name] = fieldOf(name, {
      ...config,
      resolve: (source, given, context, info) => {
        const { stored, owner } = source as { stored?: Record<string, unknown>; owner?: string };
        // Types that read what is stored need no other object for it.
        if (!stored)
          return resolve
            ? resolve(source as Record<string, unknown>, given, context, info)
            : (source as Record<string, unknown>)[name];
        if (owner !== undefined) records.own(stored, owner);
        return resolve ? resolve(stored, given, context, info) : stored[name];
      },
    } as Config);
  }
}

/** Fields of all entities: no aspect takes their names. */
const COMMON = new Set([
  'aspects',
  'displayName',
  'entityName',
  'exists',
  'lineage',
  'relationships',
  'type',
  'urn',
]);

function fieldsFor(
  entity: EntitySpec,
  shared: GraphQLFieldConfigMap<unknown, unknown>,
): GraphQLFieldConfigMap<unknown, unknown> {
  return Object.fromEntries(Object.entries(shared).filter(([name]) => canHave(entity, name)));
}

/** Takes from a hand-written type what its entity can never have. */
function narrow(type: GraphQLObjectType, entity: EntitySpec): void {
  const fields = type.getFields();
  for (const name of Object.keys(fields)) if (!canHave(entity, name)) delete fields[name];
}

/** Whether an entity has the aspect behind a field that all assets share. */
function canHave(entity: EntitySpec, field: string): boolean {
  const aspect = aspectNeededBy(field);
  if (aspect === undefined || entity.has(aspect)) return true;
  return field === 'platform' && entity.key.keyFields?.includes('platform') === true;
}

/** The class of the objects that stand for entities of a type that is made from the model. */
function derivedClass(entity: EntitySpec, type: string): EntityClass {
  const part = entity.key.keyFields?.indexOf('platform') ?? -1;
  const made = class extends GenericEntity {
    protected override platformOfKey(): string | undefined {
      const platform = part < 0 ? undefined : keyParts(this.urnText)[part];
      return platform?.startsWith('urn:li:dataPlatform:') ? platform : undefined;
    }
  };
  Object.defineProperty(made.prototype, 'typeName', { value: type });
  return made;
}

function byUrn(entity: EntitySpec, type: GraphQLObjectType): Config {
  return {
    type,
    description: `The ${entity.name} of that URN; null when it does not exist.`,
    args: { urn: { type: new GraphQLNonNull(GraphQLString), description: 'Its URN.' } },
    resolve: (_root, { urn }: { urn: string }, context, info) =>
      context.find(urn, entity.name, '/urn', true, info),
  };
}

/** A field in the form that types hold. */
function fieldOf(name: string, config: Config): Field {
  const { args = {}, ...rest } = config;
  return {
    name,
    description: undefined,
    subscribe: undefined,
    resolve: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
    ...rest,
    args: Object.entries(args).map(([arg, given]) => ({
      name: arg,
      description: undefined,
      defaultValue: undefined,
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
      ...given,
    })),
  } as Field;
}
