import type { Type } from '@nestjs/common';
import { Args, Field, InputType, InterfaceType, ObjectType } from '@nestjs/graphql';
import type { AspectValues } from '../../../catalog/model/generated/aspects.js';
import { entityTypeName } from '../../../catalog/search/index.js';
import { EntityType } from './enums.js';

/** What the objects of one request read from: batched, each value once, as its caller may see it. */
export interface EntityContext {
  /** The latest value of an aspect; undefined when there is none. */
  value<A extends keyof AspectValues>(urn: string, aspect: A): Promise<AspectValues[A] | undefined>;
  /** An earlier value of an aspect, counted from 1; undefined when there is none. */
  version<A extends keyof AspectValues>(
    urn: string,
    aspect: A,
    version: number,
  ): Promise<AspectValues[A] | undefined>;
  /** Like `value`, for aspects of models that are not ours. */
  aspect(urn: string, name: string): Promise<Record<string, unknown> | undefined>;
  /** All aspects of an entity as JSON text by name; undefined when it does not exist. */
  all(urn: string): Promise<ReadonlyMap<string, string> | undefined>;
  exists(urn: string): Promise<boolean>;
  /** The object that stands for an entity. Nothing is read, and nothing says that it exists. */
  entity(urn: string): Entity;
  entity(urn: string | undefined | null): Entity | undefined;
}

export const optional = { nullable: true } as const;

@ObjectType({ description: 'One aspect of an entity as JSON text.' })
export class RawAspect {
  @Field(() => String) aspectName!: string;
  @Field(() => String, optional) payload!: string;
}

@InputType({ description: 'Which aspects to show.' })
export class AspectParams {
  @Field(() => [String], { nullable: true, description: 'Names of aspects; all of them when absent.' })
  aspectNames?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored.' })
  autoRenderOnly?: boolean | null;
}

/**
 * An object of the graph that stands for an entity. Getters of the subclasses are fields; they read their aspect when
 * a query selects them, all that are asked for at the same moment in one statement.
 */
@InterfaceType({
  description: 'Anything that has a URN.',
  resolveType: (entity: Entity) => entity.constructor as Type,
})
export abstract class Entity {
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
    const name = entityTypeName(this.entityName);
    return Object.hasOwn(EntityType, name) ? (name as EntityType) : EntityType.OTHER;
  }

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the entity exists, soft-deleted ones included.',
  })
  get exists(): Promise<boolean> {
    return this.context.exists(this.urnText);
  }

  @Field(() => [RawAspect], {
    nullable: true,
    description: 'Aspects as JSON text, also those that a model of your own adds.',
  })
  async aspects(
    @Args('input', { type: () => AspectParams, nullable: true }) input?: AspectParams | null,
  ): Promise<RawAspect[] | undefined> {
    const all = await this.context.all(this.urnText);
    if (all === undefined) return undefined;
    const wanted = input?.aspectNames ?? undefined;
    const shown = [...all].filter(([name]) => wanted === undefined || wanted.includes(name));
    return shown.map(([aspectName, payload]) => ({ aspectName, payload }));
  }

  /** The name of the entity in the model: `dataset`. */
  get entityName(): string {
    return this.urnText.split(':', 3)[2] ?? '';
  }

  protected value<A extends keyof AspectValues>(aspect: A): Promise<AspectValues[A] | undefined> {
    recorded?.add(aspect);
    return this.context.value(this.urnText, aspect);
  }
}

/** The aspects that the field being resolved has read so far, while somebody wants to know. */
let recorded: Set<string> | undefined;

/** By `<type>.<field>`: the aspects that a field reads, known once it has been resolved. */
const fieldAspects = new Map<string, readonly string[]>();

/** Runs the resolver of a field and notes which aspects it asks for. */
export function recordingAspects<T>(type: string, field: string, resolve: () => T): T {
  recorded = new Set();
  try {
    return resolve();
  } finally {
    fieldAspects.set(`${type}.${field}`, [...recorded]);
    recorded = undefined;
  }
}

/** The aspects that fields of a type are known to read. */
export function aspectsOfFields(type: string, fields: Iterable<string>): string[] {
  const aspects = new Set<string>();
  for (const field of fields)
    for (const name of fieldAspects.get(`${type}.${field}`) ?? []) aspects.add(name);
  return [...aspects];
}

type EntityClass = new (urn: string, context: EntityContext) => Entity;

const byEntityName = new Map<string, EntityClass>();
const byTypeName = new Map<string, EntityClass>();

/** Makes a class the GraphQL type of an entity of the model. */
export function EntityObject(entity: string, description: string) {
  return (target: EntityClass): void => {
    byEntityName.set(entity, target);
    byTypeName.set(target.name, target);
    ObjectType(target.name, { description, implements: () => [Entity] })(target);
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

/** Every type of an entity: a query may meet those that no field names. */
export function entityClasses(): EntityClass[] {
  return [...byTypeName.values()];
}
