import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { keyParts } from '../types/common.js';
import { Entity, EntityObject } from '../types/entity.js';
import { NarrowEntity, PlacedEntity } from '../types/generic-entity.js';
import { Long } from '../types/scalars.js';
import { showsPartOf, showsRecord, type Stored } from '../model-types/record-views.js';

/** What is known by a path on its platform. */
@ObjectType({ isAbstract: true })
abstract class PathEntity extends PlacedEntity {
  @Field(() => String, { description: 'Where on its platform it lies.' })
  get path(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => String, { description: 'Its id at that path.' })
  get id(): string {
    return keyParts(this.urnText)[2] ?? '';
  }
}

@EntityObject('metric', 'A business measure with a defined way of computing it.')
export class Metric extends PathEntity {}

@EntityObject('semanticModel', 'A business-level model over datasets, with its relationships and metrics.')
export class SemanticModel extends PathEntity {}

@EntityObject('role', 'A role of another system that grants access to data.')
export class Role extends NarrowEntity {
  @Field(() => String, { description: 'Its id.' })
  get id(): string {
    return keyParts(this.urnText)[0] ?? '';
  }
}

@EntityObject(
  'erModelRelationship',
  'A relationship between the columns of two datasets, as in an entity-relationship model.',
  'ERModelRelationship',
)
export class ERModelRelationship extends NarrowEntity {
  @Field(() => String, { description: 'Its id.' })
  get id(): string {
    return keyParts(this.urnText)[0] ?? '';
  }
}

@ObjectType('ERModelRelationshipProperties', {
  description: 'The two datasets of a relationship, the columns that match, and the cardinality.',
})
export class ERModelRelationshipProperties {
  @Field(() => Long, { nullable: true, description: 'When it was created.' }) createdTime!: number | null;
  @Field(() => Entity, { nullable: true, description: 'Who created it.' }) createdActor!: Entity | null;
}

showsRecord(
  'ermodelrelation.ERModelRelationshipProperties',
  'ERModelRelationshipProperties',
  (value: model.ERModelRelationshipProperties, context, owner): ERModelRelationshipProperties & Stored => ({
    createdTime: value.created?.time ?? null,
    createdActor: context.entity(value.created?.actor) ?? null,
    stored: value,
    owner,
  }),
  ERModelRelationshipProperties,
);
showsPartOf('ERModelRelationshipProperties', 'ermodelrelation.ERModelRelationshipProperties', true);

@EntityObject('test', 'A rule that assets are tested against in the catalog.')
export class Test extends NarrowEntity {
  @Field(() => String, { description: 'What it is called; otherwise its id.' })
  name(): string {
    return this.value('testInfo')?.name ?? keyParts(this.urnText)[0] ?? '';
  }
}

@ObjectType('BusinessAttributeAssociation', { description: 'The business attribute of a column.' })
export class BusinessAttributeAssociation {
  @Field(() => String, { description: 'URN of the column.' }) associatedUrn!: string;
}

showsRecord(
  'businessattribute.BusinessAttributeAssociation',
  'BusinessAttributeAssociation',
  (value: model.BusinessAttributeAssociation, _context, owner): BusinessAttributeAssociation & Stored => ({
    associatedUrn: owner,
    stored: value,
  }),
  BusinessAttributeAssociation,
);
showsPartOf('BusinessAttributeAssociation', 'businessattribute.BusinessAttributeAssociation', true);
