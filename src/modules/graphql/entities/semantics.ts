import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { keyParts, ResolvedAuditStamp, resolvedStamp } from '../types/common.js';
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

@EntityObject(
  'dataHubPolicy',
  'A rule of the catalog saying who may do what on which entities.',
  'DataHubPolicy',
)
export class DataHubPolicy extends NarrowEntity {
  @Field(() => String, { description: 'What it is called; otherwise its id.' })
  name(): string {
    return this.value('dataHubPolicyInfo')?.displayName ?? keyParts(this.urnText)[0] ?? '';
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

@EntityObject('versionSet', 'The set of entities that are versions of one another.')
export class VersionSet extends NarrowEntity {}

@ObjectType('VersionProperties', { description: 'The place of an entity in a set of versions.' })
export class VersionProperties {
  @Field(() => ResolvedAuditStamp, { nullable: true, description: 'When the version was recorded.' })
  created!: ResolvedAuditStamp | null;
  @Field(() => ResolvedAuditStamp, {
    nullable: true,
    description: 'When the version came to be in its own system.',
  })
  createdInSource!: ResolvedAuditStamp | null;
}

showsRecord(
  'common.VersionProperties',
  'VersionProperties',
  (value: model.VersionProperties, context, owner): VersionProperties & Stored => ({
    created: resolvedStamp(value.metadataCreatedTimestamp, context),
    createdInSource: resolvedStamp(value.sourceCreatedTimestamp, context),
    stored: value,
    owner,
  }),
  VersionProperties,
);
showsPartOf('VersionProperties', 'common.VersionProperties', true);

@ObjectType('QueryProperties', { description: 'What a query says, and where it comes from.' })
export class QueryProperties {
  @Field(() => ResolvedAuditStamp, { description: 'When it was made, and who did it.' })
  createdOn!: ResolvedAuditStamp;
}

showsRecord(
  'query.QueryProperties',
  'QueryProperties',
  (value: model.QueryProperties, context, owner): QueryProperties & Stored => ({
    createdOn: resolvedStamp(value.created, context),
    stored: value,
    owner,
  }),
  QueryProperties,
);
showsPartOf('QueryProperties', 'query.QueryProperties', true);
