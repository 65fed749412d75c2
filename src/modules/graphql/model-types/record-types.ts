import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
  isEnumType,
  isObjectType,
  isOutputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
} from 'graphql';
import { isRecord, namesRecord, type JsonSchema, type Model } from '../../../catalog/model/index.js';
import { columnPath } from '../../../catalog/urn/index.js';
import type { RequestContext } from '../request-context.js';
import { customProperties, keyParts } from '../types/common.js';
import { Long } from '../types/scalars.js';
import { isName, nameOf, pascal, recordTypeNames, sentenceOf } from './names.js';
import { viewOf } from './record-views.js';
import { urnTargets } from './urn-targets.js';

import {
  bareName,
  entryName,
  fieldOf,
  handOn,
  isObject,
  isUrnText,
  listOf,
  MEMBER,
  memberOf,
  owners,
  SCALAR_OBJECTS,
  scalarObject,
  toEntity,
  type Fields,
  type Shape,
  type Shown,
  type Source,
} from './shapes.js';

/**
 * GraphQL types for the records, enums and unions of a model. Records come out as they are stored, without a copy: only
 * fields that hold URNs, maps, unions and what a hand-written type stands for have something to do.
 */
export class RecordTypes {
  private readonly byRecord = new Map<string, Shape>();
  private readonly made: GraphQLNamedType[] = [];
  private readonly owned = new Map<string, boolean>();
  private readonly targets: ReadonlyMap<string, string>;
  private readonly helpers = new Map<string, GraphQLObjectType>();

  /**
   * @param types by name: those that there are. What is made is added
   * @param entity the interface of all entities
   * @param entities types of entities by the name of the entity
   */
  constructor(
    private readonly model: Model,
    private readonly types: Map<string, GraphQLNamedType>,
    private readonly entity: GraphQLOutputType,
    private readonly entities: ReadonlyMap<string, GraphQLOutputType>,
  ) {
    this.targets = urnTargets(model);
  }

  /** How the value of an aspect or of one of its parts is shown. */
  record(name: string): Shape {
    const known = this.byRecord.get(name);
    if (known) return known;
    const view = viewOf(name, this.types);
    const schema = this.model.definitions.get(name) ?? {};
    const shape: Shape =
      view && isOutputType(view.type)
        ? { type: view.type, show: view.show as Shown | undefined }
        : this.defined(name, schema);
    this.byRecord.set(name, shape);
    return shape;
  }

  /** Notes to which entity a record belongs, for fields that name it. */
  own(record: object, owner: string): void {
    owners.set(record, owner);
  }

  private defined(name: string, schema: JsonSchema): Shape {
    if (schema.enum && !schema['x-union']) return this.enumeration(name, schema);
    if (schema['x-union'] || !isObject(schema)) return this.shape(schema, name, 'value');
    return this.object(name, schema);
  }

  private object(name: string, schema: JsonSchema): Shape {
    const type = this.add(
      new GraphQLObjectType<Source, RequestContext>({
        name: this.free(recordTypeNames(name, schema)),
        description: schema.description ?? sentenceOf(name.slice(name.lastIndexOf('.') + 1)),
        fields: () => this.fields(name, schema),
      }),
    );
    return { type, show: this.needsOwner(name) ? handOn : undefined };
  }

  /** The fields of a record. @param lifted whether they may be absent all together */
  fields(record: string, schema: JsonSchema, lifted = false): Fields {
    const fields: Fields = {};
    const properties = Object.entries(schema.properties ?? {});
    const add = (property: string, value: JsonSchema, field: string, shape: Shape): void => {
      const present = schema.required?.includes(property) === true || value.default !== undefined;
      fields[field] ??= fieldOf(shape, property, field, present && !lifted, value);
    };
    for (const [property, value] of properties) {
      const shape = this.ownShape(value, record, property);
      add(property, value, nameOf(property), shape);
      const also = value['x-graphql']?.also;
      if (also !== undefined) add(property, value, also, shape);
    }
    // Beside them what a URN names, or the text of it, whatever of both the own name does not say.
    for (const [property, value] of properties) {
      const name = nameOf(property);
      const many = value.type === 'array';
      if ((many ? value.items : value)?.format !== 'urn') continue;
      if (isUrnText(name)) add(property, value, bareName(name), this.shape(value, record, property));
      else if (value['x-graphql']?.urns === 'text')
        add(property, value, `${name}Entity`, this.shape(value, record, property));
      else if (!many) add(property, value, `${name}Urn`, { type: GraphQLString });
    }
    if (properties.length > 0) return fields;
    const text = record.slice(record.lastIndexOf('.') + 1);
    const type = new GraphQLNonNull(GraphQLString);
    return { record: { type, description: 'Name of the record, which has no fields.', resolve: () => text } };
  }

  /** What stands under the name of the property itself. */
  private ownShape(value: JsonSchema, record: string, property: string): Shape {
    const many = value.type === 'array';
    const urns = (many ? value.items : value)?.format === 'urn';
    const shown = value['x-graphql']?.urns;
    if (urns && shown === 'column') return many ? listOf(this.columnReference()) : this.columnReference();
    if (urns && (isUrnText(nameOf(property)) || shown === 'text'))
      return many ? listOf({ type: GraphQLString }) : { type: GraphQLString };
    return this.shape(value, record, property);
  }

  private columnReference(): Shape {
    const type = this.helper('SchemaFieldRef', 'A column that something refers to.', {
      urn: { type: new GraphQLNonNull(GraphQLString), description: 'URN of the column.' },
      path: { type: new GraphQLNonNull(GraphQLString), description: 'Its path.' },
    });
    return { type, show: (urn) => ({ urn, path: columnPath(keyParts(urn as string)[1] ?? '') }) };
  }

  /** An entity, of the one type that the URNs of a property may name where there is only one. */
  private entityShape(record: string, property: string): Shape {
    const said = this.model.definitions.get(record)?.properties?.[property]?.['x-graphql']?.entity;
    const target = said ?? this.targets.get(`${record}.${property}`);
    const type = target === undefined ? undefined : this.entities.get(target);
    if (!type) return { type: this.entity, show: toEntity, entities: true };
    return {
      type,
      partial: true,
      entities: true,
      show: (urn, context) => {
        const entity = context.entity(urn as string);
        return entity.entityName === target ? entity : null;
      },
    };
  }

  /** How a value of a schema is shown. `record` and `property` say where it stands: unnamed types are named after it. */
  private shape(schema: JsonSchema, record: string, property: string): Shape {
    if (schema.$ref !== undefined) return this.record(schema.$ref);
    if (schema['x-union']) return this.union(schema, record, property);
    if (schema.enum) return this.enumeration(`${record}.${pascal(property)}`, schema);
    if (schema.type === 'array') return listOf(this.shape(schema.items ?? {}, record, property));
    if (schema.type === 'boolean') return { type: GraphQLBoolean };
    if (schema.type === 'integer') return { type: schema.format === 'int32' ? GraphQLInt : Long };
    if (schema.type === 'number') return { type: GraphQLFloat };
    if (schema.type === 'string')
      return schema.format === 'urn' ? this.entityShape(record, property) : { type: GraphQLString };
    if (schema.type === 'object' && isRecord(schema.additionalProperties))
      return this.map(schema.additionalProperties, record, property);
    if (schema.properties) return this.object(`${record}${pascal(property)}`, schema);
    return { type: GraphQLString, show: (value) => JSON.stringify(value), json: true };
  }

  private enumeration(name: string, schema: JsonSchema): Shape {
    const values = (schema.enum ?? []).map(String);
    if (!values.every((value) => isName(value) && !['true', 'false', 'null'].includes(value)))
      return { type: GraphQLString };
    const texts = isRecord(schema['x-enum-descriptions']) ? schema['x-enum-descriptions'] : {};
    const textOf = (value: string): string => {
      const text = texts[value];
      return typeof text === 'string' ? text : sentenceOf(value);
    };
    const names = recordTypeNames(name, schema);
    const known = this.types.get(names[0] ?? '');
    // A hand-written enum of the same name has the same values.
    if (isEnumType(known) && values.every((value) => known.getValue(value))) {
      for (const value of known.getValues()) value.description ||= textOf(value.name);
      return { type: known };
    }
    const described = values.map((value) => [value, { description: textOf(value) }] as const);
    return {
      type: this.add(
        new GraphQLEnumType({
          name: this.free(names),
          description: schema.description ?? sentenceOf(name.slice(name.lastIndexOf('.') + 1)),
          values: Object.fromEntries(described),
        }),
      ),
    };
  }

  /** A map is a list of its entries; the one of custom properties has a type of its own. */
  private map(values: JsonSchema, record: string, property: string): Shape {
    const custom = this.types.get('CustomPropertiesEntry');
    if (property === 'customProperties' && values.type === 'string' && custom && isOutputType(custom))
      return {
        type: new GraphQLList(new GraphQLNonNull(custom)),
        show: (value, _context, owner) => customProperties(value as Record<string, string>, owner),
      };
    const { type, show } = this.shape(values, record, property);
    const entry = this.helper(`${entryName(type)}MapEntry`, 'One entry of a map.', {
      key: { type: new GraphQLNonNull(GraphQLString), description: 'Its key.' },
      value: { type, description: 'Its value.' },
    });
    return {
      type: new GraphQLList(new GraphQLNonNull(entry)),
      show: (map, context, owner) =>
        Object.entries(map as Source).map(([key, value]) => ({
          key,
          value: show ? show(value, context, owner) : value,
        })),
    };
  }

  /** An object with one member, named after its type. */
  private union(schema: JsonSchema, record: string, property: string): Shape {
    const members = schema['x-union'] ?? [];
    const values = this.types.get('PropertyValue');
    if (members.length === 1) return this.soleMember(members[0]!, record, property);
    if (members.every((member) => !member.includes('.')) || members.some((member) => this.isEnum(member))) {
      const text = members.some((member) => this.isEnum(member));
      if (text) return { type: GraphQLString, show: (value) => String(memberOf(value)[1]) };
      if (members.join() === 'string,double' && values && isOutputType(values))
        return { type: values, show: (value) => scalarObject(...memberOf(value)) };
    }
    const shapes = members.map((member) => [member, this.memberShape(member)] as const);
    const types = shapes.map(([, { type }]) => type as GraphQLObjectType);
    const show: Shown = (value, context, owner) => {
      const [key, inner] = memberOf(value);
      const [name, shape] = shapes.find(([member]) => namesRecord(key, member)) ?? [];
      if (!shape) return null;
      if (!name?.includes('.')) return { ...scalarObject(key, inner), [MEMBER]: String(shape.type) };
      const shown = shape.show ? shape.show(inner, context, owner) : inner;
      const copy = { ...(shown as object), [MEMBER]: String(shape.type) };
      if (shape.show === handOn) owners.set(copy, owner);
      return copy;
    };
    const type = this.add(
      new GraphQLUnionType({
        name: this.free([
          nameOf(pascal(property)),
          `${recordTypeNames(record, this.model.definitions.get(record))[0]}${nameOf(pascal(property))}`,
        ]),
        description: schema.description ?? sentenceOf(property),
        types: [...new Set(types)],
        resolveType: (value: { [MEMBER]: string }) => value[MEMBER],
      }),
    );
    return { type, show };
  }

  private soleMember(member: string, record: string, property: string): Shape {
    const shape =
      member === 'urn'
        ? this.entityShape(record, property)
        : member.includes('.')
          ? this.record(member)
          : this.shape({ type: 'string' }, record, property);
    const { show } = shape;
    return {
      ...shape,
      show: (value, context, owner) => {
        const inner = memberOf(value)[1];
        return show ? show(inner, context, owner) : inner;
      },
    };
  }

  private memberShape(member: string): Shape {
    if (member.includes('.')) return this.record(member);
    const [name, field, type, description] = SCALAR_OBJECTS[member] ?? SCALAR_OBJECTS['string']!;
    const known = this.types.get(name);
    if (known instanceof GraphQLObjectType) return { type: known };
    return {
      type: this.helper(name, description, { [field]: { type: new GraphQLNonNull(type), description } }),
    };
  }

  private isEnum(member: string): boolean {
    return this.model.definitions.get(member)?.enum !== undefined;
  }

  /** Whether a field at or below a record names the entity that has it. */
  private needsOwner(record: string): boolean {
    const known = this.owned.get(record);
    if (known !== undefined) return known;
    this.owned.set(record, false);
    const view = viewOf(record, this.types);
    const needs = view
      ? view.show !== undefined && view.show.length > 2
      : this.mentions(this.model.definitions.get(record));
    this.owned.set(record, needs);
    return needs;
  }

  private mentions(schema: JsonSchema | undefined): boolean {
    if (!schema) return false;
    if (schema.$ref !== undefined) return this.needsOwner(schema.$ref);
    if (schema['x-union'])
      return schema['x-union'].some((member) => member.includes('.') && this.needsOwner(member));
    if (schema.properties?.['customProperties']) return true;
    return [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})].some(
      (inner) => isRecord(inner) && this.mentions(inner),
    );
  }

  /** A type that stands beside several records, made once. */
  helper(name: string, description: string, fields: Fields): GraphQLObjectType {
    let type = this.helpers.get(name);
    const known = this.types.get(name);
    // A hand-written type of the same name has the same fields.
    if (!type && isObjectType(known) && Object.keys(fields).every((field) => known.getFields()[field])) {
      type = known;
      this.helpers.set(name, known);
    }
    if (!type) {
      type = new GraphQLObjectType<Source, RequestContext>({ name: this.free([name]), description, fields });
      this.helpers.set(name, this.add(type));
    }
    return type;
  }

  private add<T extends GraphQLNamedType>(type: T): T {
    this.types.set(type.name, type);
    this.made.push(type);
    return type;
  }

  /** The first unused name. */
  private free(names: readonly string[]): string {
    const last = names.at(-1) ?? '';
    const found = names.find((name) => !this.types.has(name));
    for (let i = 2; ; i += 1) {
      if (found !== undefined) return found;
      if (!this.types.has(`${last}${i}`)) return `${last}${i}`;
    }
  }
}
