import type { Type } from '@nestjs/common';
import { Args, Field, InputType, InterfaceType, ObjectType } from '@nestjs/graphql';
import type { Privilege } from '../../../catalog/auth/index.js';
import type { AspectValues } from '../../../catalog/model/generated/aspects.js';
import { entityTypeName } from '../../../catalog/search/index.js';
import { usualTypeName } from '../model-types/names.js';
import type { Naming } from '../model-types/display-names.js';
import { EntityType } from './enums.js';

type Values = AspectValues;

/**
 * What the objects of one request read from, as its caller may see it. Methods throw {@link NOT_READ} while something
 * that they are asked for has not been read yet: the resolver of the field then waits for it and starts again, all
 * fields of one level together.
 */
export interface EntityContext {
  /** Whether policies give the caller a privilege on an entity, and the role what it takes. */
  allows(urn: string, privilege: string, role: Privilege): boolean;
  /** The latest values of aspects; undefined in the place of one that there is not. Shared: never changed. */
  latest(urn: string, aspects: readonly string[]): unknown[];
  /** An earlier value of an aspect, counted from 1; undefined when there is none. */
  version<A extends keyof Values>(urn: string, aspect: A, version: number): Values[A] | undefined;
  /** All aspects of an entity as JSON text by name; undefined when it does not exist. */
  all(urn: string): ReadonlyMap<string, string> | undefined;
  exists(urn: string): boolean;
  /** Where the name of entities of a type is found. */
  naming(entity: string): Naming;
  /** The object that stands for an entity. Nothing is read, and nothing says that it exists. */
  entity(urn: string): Entity;
  entity(urn: string | undefined | null): Entity | undefined;
}

/** Thrown where a field needs what has not been read yet. No error: it never leaves the engine. */
export const NOT_READ = Symbol('not read yet');

export const optional = { nullable: true } as const;

@ObjectType('AspectRenderSpec', { description: 'How to draw an aspect.' })
export class AspectRenderSpec {
  @Field(() => String, optional) displayType!: string | null;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) key!: string | null;
}

@ObjectType('RawAspect', { description: 'One aspect of an entity as JSON text.' })
export class RawAspect {
  @Field(() => String) aspectName!: string;
  @Field(() => String, optional) payload!: string;
  @Field(() => AspectRenderSpec, {
    nullable: true,
    description: 'Always null: the model does not say how to draw an aspect.',
  })
  renderSpec?: AspectRenderSpec | null;
}

@InputType('AspectParams', { description: 'Which aspects to show.' })
export class AspectParams {
  @Field(() => [String], { nullable: true, description: 'Names of aspects; all of them when absent.' })
  aspectNames?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored.' })
  autoRenderOnly?: boolean | null;
}

/**
 * An object of the graph that stands for an entity. Getters and methods of the subclasses are fields. Getters know their
 * value from the URN; methods read aspects when a query selects them, all fields of one level in one statement, and may
 * be called again when what they need has been read.
 */
@InterfaceType('Entity', {
  description: 'Anything that has a URN.',
  resolveType: (entity: Entity) => entity.constructor as Type,
})
export abstract class Entity {
  /** The name of its type in GraphQL. It stands on the prototypes. */
  declare readonly typeName: string;

  constructor(
    readonly urnText: string,
    protected readonly context: EntityContext,
  ) {}

  @Field(() => String, { description: 'The URN that identifies the entity.' })
  get urn(): string {
    return this.urnText;
  }

  @Field(() => EntityType, { description: 'What kind of entity it is.' })
  get type(): EntityType {
    return entityType(this.entityName);
  }

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the entity exists, soft-deleted ones included.',
  })
  exists(): boolean {
    return this.context.exists(this.urnText);
  }

  @Field(() => [RawAspect], {
    nullable: true,
    description: 'Aspects as JSON text, also those that a model of your own adds.',
  })
  aspects(
    @Args('input', { type: () => AspectParams, nullable: true }) input?: AspectParams | null,
  ): RawAspect[] | undefined {
    const all = this.context.all(this.urnText);
    if (all === undefined) return undefined;
    const wanted = input?.aspectNames ?? undefined;
    const shown = [...all].filter(([name]) => wanted === undefined || wanted.includes(name));
    return shown.map(([aspectName, payload]) => ({ aspectName, payload }));
  }

  @Field(() => String, {
    nullable: true,
    description: 'What to call it: its name for people, otherwise the name in its URN.',
  })
  displayName(): string {
    const { aspects, nameIn } = this.context.naming(this.entityName);
    return nameIn(aspects.length > 0 ? this.context.latest(this.urnText, aspects) : [], this.urnText);
  }

  /** The latest value of an aspect, whatever the model calls it. @throws NOT_READ */
  latest(aspect: string): unknown {
    return this.context.latest(this.urnText, [aspect])[0];
  }

  /** The name of the entity in the model: `dataset`. */
  get entityName(): string {
    return entityNameIn(this.urnText);
  }

  protected value<A extends keyof Values>(aspect: A): Values[A] | undefined {
    return this.context.latest(this.urnText, [aspect])[0] as Values[A] | undefined;
  }

  /** Two aspects that are read together. */
  protected values<A extends keyof Values, B extends keyof Values>(
    first: A,
    second: B,
  ): [Values[A] | undefined, Values[B] | undefined] {
    return this.context.latest(this.urnText, [first, second]) as [
      Values[A] | undefined,
      Values[B] | undefined,
    ];
  }
}

/** What stands in the place of the entity's name: the third part. */
export function entityNameIn(urn: string): string {
  const second = urn.indexOf(':', urn.indexOf(':') + 1);
  if (second <= 0) return '';
  const end = urn.indexOf(':', second + 1);
  return urn.slice(second + 1, end < 0 ? undefined : end);
}

/** By type and field: aspects that a field was seen to read. */
const fieldAspects = new Map<string, Map<string, string[]>>();
let known = 0;

/** Notes that a field reads aspects, so that they can be read together with others before it is resolved. */
export function noteAspects(type: string, field: string, aspects: readonly string[]): void {
  const fields = fieldAspects.get(type) ?? new Map<string, string[]>();
  fieldAspects.set(type, fields);
  const names = new Set([...(fields.get(field) ?? []), ...aspects]);
  fields.set(field, [...names]);
  known += 1;
}

/** The aspects that a field of a type was seen to read. */
export function aspectsOfField(type: string, field: string): readonly string[] {
  return fieldAspects.get(type)?.get(field) ?? [];
}

/** Goes up when more is known of fields. */
export function knownFields(): number {
  return known;
}

const entityTypes = new Map<string, EntityType>();

function entityType(entityName: string): EntityType {
  const known = entityTypes.get(entityName);
  if (known !== undefined) return known;
  const name = entityTypeName(entityName);
  if (!Object.hasOwn(EntityType, name)) return EntityType.OTHER;
  entityTypes.set(entityName, name as EntityType);
  return name as EntityType;
}

/** What makes the object that stands for an entity. */
export interface EntityClass {
  new (urn: string, context: EntityContext): Entity;
  readonly prototype: Entity;
  readonly name: string;
}

const byEntityName = new Map<string, EntityClass>();
const byTypeName = new Map<string, EntityClass>();

/**
 * Makes a class the GraphQL type of an entity of the model.
 * @param name of the type, where the entity's file gives it one
 */
export function EntityObject(entity: string, description: string, name = usualTypeName(entity)) {
  return (target: EntityClass): void => {
    byEntityName.set(entity, target);
    byTypeName.set(name, target);
    Object.defineProperty(target.prototype, 'typeName', { value: name });
    ObjectType(name, { description, implements: () => [Entity] })(target);
  };
}

/** For `@Field(() => typeNamed('Tag'))`: types of entities refer to each other, their files must not. */
export function typeNamed(name: string): EntityClass {
  const found = byTypeName.get(name);
  if (!found) throw new Error(`no type of an entity is named ${name}`);
  return found;
}

/** The class for entities of that name in the model, if there is one. */
export function entityClass(entity: string): EntityClass | undefined {
  return byEntityName.get(entity);
}

/** Clients know a type for what policies hide from them; the service leaves it out instead. */
@EntityObject(
  'restricted',
  'What the caller may not see. Never answered: it is left out instead.',
  'Restricted',
)
export class Restricted extends Entity {}

/** Every type of an entity: a query may meet those that no field names. */
export function entityClasses(): EntityClass[] {
  return [...byTypeName.values()];
}
