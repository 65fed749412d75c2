import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Asset,
  AssetField,
  Entity,
  EntityObject,
  showsRecord,
  type EntityContext,
} from '../graphql/index.js';

/** The values of one structured property. Its other fields come from the resolver. */
@ObjectType('StructuredPropertiesEntry', {
  description: 'The values of one structured property on an entity.',
})
export class StructuredPropertiesEntry {
  @Field(() => String, { description: 'URN of the entity that has the values.' }) associatedUrn!: string;
  /** As it is stored. */
  assignment!: model.StructuredPropertyValueAssignment;
  /** The property. */
  property!: StructuredPropertyEntity;
  context!: EntityContext;
}

@ObjectType('StructuredProperties', { description: 'The structured properties of an entity.' })
export class StructuredProperties {
  @Field(() => [StructuredPropertiesEntry], { nullable: true })
  properties!: StructuredPropertiesEntry[];
}

export function structuredProperties(
  value: model.StructuredProperties | undefined,
  urn: string,
  context: EntityContext,
): StructuredProperties | null {
  if (!value) return null;
  return {
    properties: value.properties.map((assignment) => ({
      associatedUrn: urn,
      assignment,
      property: context.entity(assignment.propertyUrn),
      context,
    })),
  };
}

showsRecord(
  'structured.StructuredProperties',
  'StructuredProperties',
  (value: model.StructuredProperties, context, owner) => structuredProperties(value, owner, context),
);

/** The properties of any asset. */
export abstract class PropertiesOfAsset extends Asset {
  @AssetField('structuredProperties', () => StructuredProperties, {
    nullable: true,
    description: 'Values of properties that people defined.',
  })
  structuredProperties(): StructuredProperties | null {
    return structuredProperties(this.value('structuredProperties'), this.urnText, this.context);
  }
}

/** A structured property. Its definition and settings come from the resolver. */
@EntityObject(
  'structuredProperty',
  'A property that people define, with a name, a type and rules.',
  'StructuredPropertyEntity',
)
export class StructuredPropertyEntity extends Entity {}
