import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { Asset } from '../types/asset.js';
import { keyParts, ResolvedAuditStamp, resolvedStamp } from '../types/common.js';
import { PlatformAsset } from '../types/described.js';
import { showsAspect, showsPartOf, type Stored } from '../model-types/record-views.js';
import { Entity, EntityObject, optional, typeNamed } from '../types/entity.js';

@ObjectType('DocumentInfo', { description: 'Title of a document.' })
export class DocumentInfo {
  @Field(() => String, { nullable: true, description: 'Its title.' }) title!: string | null;
  @Field(() => ResolvedAuditStamp, { nullable: true, description: 'When it was created.' })
  created!: ResolvedAuditStamp | null;
  @Field(() => ResolvedAuditStamp, { nullable: true, description: 'When it was last changed.' })
  lastModified!: ResolvedAuditStamp | null;
}

@EntityObject('document', 'A text.')
export class Document extends PlatformAsset {
  @Field(() => DocumentInfo, optional)
  info(): (DocumentInfo & Stored) | null {
    const value = this.value('documentInfo');
    if (!value) return null;
    return {
      title: value.title ?? null,
      created: resolvedStamp(value.created, this.context),
      lastModified: resolvedStamp(value.lastModified, this.context),
      stored: value,
      owner: this.urnText,
    };
  }

  @Field(() => String, optional)
  subType(): string | null {
    return this.value('subTypes')?.typeNames[0] ?? null;
  }
}

@EntityObject('application', 'An application of the business, and what belongs to it.')
export class Application extends Asset {}

@ObjectType('QuerySubject', { description: 'What a query is about.' })
export class QuerySubject {
  @Field(() => Entity, { description: 'The dataset or the column.' }) entity!: Entity;
  @Field(() => typeNamed('Dataset'), { nullable: true, description: 'The dataset, also of a column.' })
  dataset!: Entity | null;
  @Field(() => typeNamed('SchemaFieldEntity'), { nullable: true, description: 'The column, if it is one.' })
  schemaField!: Entity | null;
}

showsAspect('querySubjects', [QuerySubject], ({ subjects }: model.QuerySubjects, context): QuerySubject[] =>
  subjects.map(({ entity: urn }) => {
    const entity = context.entity(urn);
    const isColumn = entity.entityName === 'schemaField';
    const dataset = isColumn ? context.entity(keyParts(urn)[0]) : entity;
    return {
      entity,
      dataset: dataset?.entityName === 'dataset' ? dataset : null,
      schemaField: isColumn ? entity : null,
    };
  }),
);

showsPartOf('DocumentInfo', 'knowledge.DocumentInfo');
