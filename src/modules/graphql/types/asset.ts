import { Field, Int, ObjectType, type FieldOptions, type ReturnTypeFunc } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { showsAspect } from '../model-types/record-views.js';
import { ancestors } from './ancestors.js';
import { SubTypes } from './common.js';
import { Entity, optional, typeNamed } from './entity.js';
import { EntityPrivileges, entityPrivileges } from './privileges.js';

const needed = new Map<string, string>();

/** Of a field that all assets share: types that are made from the model have it where the entity has the aspect. */
export function Needs(aspect: string): MethodDecorator {
  return (_target, name) => {
    needed.set(name as string, aspect);
  };
}

/** The aspect that a shared field needs; undefined for those that every entity has. */
export function aspectNeededBy(field: string): string | undefined {
  return needed.get(field);
}

@ObjectType('ParentContainersResult', { description: 'The containers above an entity.' })
export class ParentContainersResult {
  @Field(() => Int, { description: 'How many.' }) count!: number;
  @Field(() => [typeNamed('Container')], { description: 'The nearest one first.' }) containers!: Entity[];
}

/**
 * What entities have in common. Most of it comes from the modules that own it: owners, tags, terms, marks, see
 * {@link AssetField}.
 */
@ObjectType({ isAbstract: true })
export abstract class Asset extends Entity {
  @Needs('ownership')
  @Field(() => EntityPrivileges, { nullable: true, description: 'What the caller may do with it.' })
  privileges(): EntityPrivileges {
    return entityPrivileges((name, role) => this.context.allows(this.urn, name, role));
  }

  @Needs('subTypes')
  @Field(() => SubTypes, { nullable: true, description: 'Its kinds within its platform.' })
  subTypes(): SubTypes | null {
    const value = this.value('subTypes');
    return value ? { typeNames: value.typeNames } : null;
  }

  @Needs('container')
  @Field(() => typeNamed('Container'), { nullable: true, description: 'The container it lies in.' })
  container(): Entity | null {
    return this.context.entity(this.value('container')?.container) ?? null;
  }

  @Needs('container')
  @Field(() => ParentContainersResult, { nullable: true, description: 'All containers above it.' })
  parentContainers(): ParentContainersResult {
    const containers = ancestors(this, (entity) => {
      const value = entity.latest('container') as model.Container | undefined;
      return this.context.entity(value?.container);
    });
    return { count: containers.length, containers };
  }

  @Needs('dataPlatformInstance')
  @Field(() => typeNamed('DataPlatformInstance'), optional)
  dataPlatformInstance(): Entity | null {
    const value = this.value('dataPlatformInstance');
    return this.context.entity(value?.instance) ?? null;
  }
}

/**
 * For methods of a class that extends {@link Asset} and is never made: a field of every asset, declared beside the type
 * that it shows.
 * @param aspect what it is made from
 */
export function AssetField(aspect: string, type: ReturnTypeFunc, options: FieldOptions): MethodDecorator {
  return (target, name, descriptor) => {
    Needs(aspect)(target, name, descriptor);
    Object.defineProperty(Asset.prototype, name, descriptor);
    Field(type, options)(Asset.prototype, name as string, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

@ObjectType('ApplicationAssociation', { description: 'An application that an entity belongs to.' })
export class ApplicationAssociation {
  @Field(() => typeNamed('Application'), { description: 'The application.' }) application!: Entity;
  @Field(() => String, { description: 'URN of the entity.' }) associatedUrn!: string;
}

showsAspect(
  'applications',
  [ApplicationAssociation],
  ({ applications }: model.Applications, context, owner): ApplicationAssociation[] =>
    applications
      .map((urn) => ({ application: context.entity(urn), associatedUrn: owner }))
      .filter(({ application }) => application.entityName === 'application'),
);

/** The logical asset is an entity, where the model keeps an edge to it. */
showsAspect('logicalParent', Entity, ({ parent }: model.LogicalParent, context) =>
  context.entity(parent?.destinationUrn),
);
