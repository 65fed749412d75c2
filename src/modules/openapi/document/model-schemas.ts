import type { AspectSpec, EntitySpec, Model } from '../../../catalog/model/index.js';
import type { DocumentSchemas, ExampleAspect } from '../../../catalog/route/index.js';
import type { Schema } from './openapi-types.js';
import type { Examples } from '../examples/examples.js';
import { COMMON_SCHEMAS, type CommonSchema } from './common-schemas.js';
import { entityUrnSchema, knownUrnSchema, urnOfSchema, urnSchema } from './urn-schemas.js';

/** Integers beyond these do not survive JSON. */
const [MIN, MAX] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * The schemas of a document: those of the model under the names of their records, and what is built of them. Only what
 * was asked for gets into the document.
 */
export class ModelSchemas {
  readonly components: Record<string, Schema> = {};
  /** Entity types that the texts at a place of a schema must name; places are known by their object. */
  private readonly targets = new Map<Schema, Set<string>>();

  constructor(
    private readonly model: Model,
    private readonly examples: Examples,
  ) {
    for (const aspect of model.aspects.values()) this.noteTargets(aspect);
  }

  /** A schema that does not come from the model. */
  common(name: string): Schema {
    return this.component(name, () => COMMON_SCHEMAS[name as CommonSchema](this));
  }

  urn(entity: EntitySpec): Schema {
    return this.component(`${capital(entity.name)}Urn`, () => entityUrnSchema(entity, this.model));
  }

  anyUrn(): Schema {
    return this.component('Urn', () => urnSchema());
  }

  example(kind: string, of?: 'timeseries'): ExampleAspect {
    return this.examples.example(kind, of);
  }

  /** A URN of an entity that the model has: of one kind, or what calls take that are about no kind in particular. */
  knownUrn(kind?: string): Schema {
    const entity = kind === undefined ? undefined : this.model.entities.get(kind);
    return entity ? this.urn(entity) : this.component('KnownUrn', () => knownUrnSchema(this.model));
  }

  /** The names of all kinds of entities. */
  entityNames(): string[] {
    return [...this.model.entities.keys()].sort();
  }

  /** The names of all relationships, or of those that make lineage. */
  relationshipNames(of: 'all' | 'lineage' = 'all'): string[] {
    const marks = [...this.model.aspects.values()].flatMap(({ relationships }) => relationships);
    const names = marks.filter(({ lineage }) => of === 'all' || lineage).map(({ name }) => name);
    return [...new Set(names)].sort();
  }

  /** The names of all aspects, or those of one kind. */
  aspectNames(kind?: AspectSpec['kind']): string[] {
    const aspects = [...this.model.aspects.values()];
    return aspects
      .filter((aspect) => kind === undefined || aspect.kind === kind)
      .map((aspect) => aspect.name)
      .sort();
  }

  /** The name of a kind of entities. */
  entityName(): Schema {
    return this.names('EntityType', 'The name of a kind of entities.', () => this.entityNames());
  }

  /** The name of an aspect, or of one of a kind. */
  aspectName(kind?: AspectSpec['kind']): Schema {
    const name = `${kind === undefined ? '' : capital(kind)}AspectName`;
    return this.names(name, 'The name of an aspect.', () => this.aspectNames(kind));
  }

  /** A type of relationships, or of those that make lineage. @param wildcard whether `*` stands for all of them */
  relationshipName(of: 'all' | 'lineage', wildcard: boolean): Schema {
    const name = `${wildcard ? 'Any' : ''}${of === 'lineage' ? 'Lineage' : 'Relationship'}Type`;
    return this.names(name, `The type of a relationship${wildcard ? '; `*` for all' : ''}.`, () => [
      ...this.relationshipNames(of),
      ...(wildcard ? ['*'] : []),
    ]);
  }

  /** The same, seen from one kind: names of aspects and URNs are its own. */
  within(entity: EntitySpec): DocumentSchemas {
    const own: Partial<DocumentSchemas> = {
      aspectName: (kind) =>
        this.component(`${capital(entity.name)}${kind === undefined ? '' : capital(kind)}AspectName`, () => ({
          type: 'string',
          enum: [...entity.aspects.values()]
            .filter((aspect) => kind === undefined || aspect.kind === kind)
            .map(({ name }) => name),
        })),
      knownUrn: () => this.urn(entity),
    };
    return Object.assign(Object.create(this) as DocumentSchemas, own);
  }

  private names(component: string, description: string, names: () => string[]): Schema {
    return this.component(component, () => ({ type: 'string', description, enum: names() }));
  }

  /** The plain names of the records of all aspects. */
  recordNames(): string[] {
    const records = [...this.model.aspects.values()].map(({ record }) => record);
    return [...new Set(records.map((record) => record.slice(record.lastIndexOf('.') + 1)))].sort();
  }

  /** The value of an aspect. */
  value(aspect: AspectSpec): Schema {
    return this.definition(aspect.record);
  }

  /** An aspect as reads answer it: its value and, when asked for, what is known about it. */
  read(aspect: AspectSpec): Schema {
    return this.component(`${capital(aspect.name)}Aspect`, () => ({
      type: 'object',
      required: ['value'],
      additionalProperties: false,
      properties: {
        value: this.value(aspect),
        systemMetadata: this.common('SystemMetadata'),
        auditStamp: this.common('AuditStampOfWrite'),
      },
    }));
  }

  /** An aspect as version 3 takes it. */
  written(aspect: AspectSpec): Schema {
    return this.component(`${capital(aspect.name)}Write`, () => ({
      type: 'object',
      required: ['value'],
      additionalProperties: false,
      properties: {
        value: this.value(aspect),
        systemMetadata: this.common('SystemMetadataInput'),
        headers: this.common('WriteConditions'),
      },
    }));
  }

  /** An entity with any of its aspects. */
  entity(entity: EntitySpec, version: 'v2' | 'v3'): Schema {
    return this.component(`${capital(entity.name)}Entity${version === 'v2' ? 'V2' : ''}`, () =>
      this.withAspects(entity, version, (aspect) => this.read(aspect)),
    );
  }

  /** An item of a batch that writes. */
  item(entity: EntitySpec, version: 'v2' | 'v3'): Schema {
    return this.component(`${capital(entity.name)}Item${version === 'v2' ? 'V2' : ''}`, () => ({
      ...this.withAspects(entity, version, (aspect) => this.written(aspect)),
      ...(version === 'v3' ? { minProperties: 2 } : { required: ['urn', 'aspects'] }),
    }));
  }

  private withAspects(
    entity: EntitySpec,
    version: 'v2' | 'v3',
    schemaOf: (aspect: AspectSpec) => Schema,
  ): Schema {
    const aspects = Object.fromEntries(
      [...entity.aspects.values()].map((aspect) => [aspect.name, schemaOf(aspect)]),
    );
    const urn = this.urn(entity);
    if (version === 'v3')
      return {
        type: 'object',
        required: ['urn'],
        additionalProperties: false,
        properties: { urn, ...aspects },
      };
    const inner = { type: 'object', additionalProperties: false, properties: aspects };
    return {
      type: 'object',
      required: ['urn'],
      additionalProperties: false,
      properties: { urn, aspects: inner },
    };
  }

  component(name: string, make: () => Schema): Schema {
    if (!Object.hasOwn(this.components, name)) {
      // Taken first: schemas may refer to themselves.
      this.components[name] = {};
      this.components[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private definition(record: string): Schema {
    const plainName = record.slice(record.lastIndexOf('.') + 1);
    const name = plainName in COMMON_SCHEMAS ? `${plainName}Record` : plainName;
    return this.component(name, () => this.convert(this.model.definitions.get(record) ?? {}));
  }

  private convert(schema: Schema): Schema {
    if (typeof schema.$ref === 'string') {
      const { $ref, ...rest } = schema;
      // Some generators take no default of an object beside a reference, and leave out the schema.
      return {
        ...this.definition($ref),
        ...plain(typeof rest.default === 'object' ? without(rest, 'default') : rest),
      };
    }
    if (schema.format === 'urn')
      return { ...this.urnAt(schema), ...plain(without(schema, 'format', 'type')) };
    const copy = plain(schema);
    if (schema.type === 'integer') {
      copy.minimum ??= schema.format === 'int32' ? -(2 ** 31) : MIN;
      copy.maximum ??= schema.format === 'int32' ? 2 ** 31 - 1 : MAX;
    }
    if (schema.items) copy.items = this.convert(schema.items);
    if (typeof schema.additionalProperties === 'object')
      copy.additionalProperties = this.convert(schema.additionalProperties);
    for (const key of ['properties', 'patternProperties'] as const) {
      const members = schema[key];
      if (members)
        copy[key] = Object.fromEntries(Object.entries(members).map(([k, v]) => [k, this.convert(v)]));
    }
    return copy;
  }

  private urnAt(place: Schema): Schema {
    const types = [...(this.targets.get(place) ?? [])].sort();
    if (types.length === 0) return this.anyUrn();
    if (types.length > 4) return urnOfSchema(types, this.model);
    return this.component(`UrnOf${types.map(capital).join('Or')}`, () => urnOfSchema(types, this.model));
  }

  private noteTargets(aspect: AspectSpec): void {
    for (const { path, targets } of aspect.urns) {
      for (const place of this.places(aspect.schema, path)) {
        let known = this.targets.get(place);
        if (!known) this.targets.set(place, (known = new Set()));
        for (const target of targets) known.add(target);
      }
    }
  }

  /** The schemas that a path leads to; `*` stands for each element or value. */
  private places(schema: Schema, path: readonly string[]): Schema[] {
    if (typeof schema.$ref === 'string')
      return this.places(this.model.definitions.get(schema.$ref) ?? {}, path);
    const [step, ...rest] = path;
    if (step === undefined) return [schema];
    const next: Schema[] = [];
    if (step === '*') {
      if (schema.items) next.push(schema.items);
      if (typeof schema.additionalProperties === 'object') next.push(schema.additionalProperties);
    } else if (schema.properties?.[step]) next.push(schema.properties[step]);
    else {
      for (const [pattern, member] of Object.entries(schema.patternProperties ?? {}))
        if (new RegExp(pattern, 'u').test(step)) next.push(member);
    }
    return next.flatMap((member) => this.places(member, rest));
  }
}

/** Without the marks of the model. */
function plain(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => !key.startsWith('x-') && value !== undefined),
  );
}

function without(schema: Schema, ...names: string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
