import { Field, Int, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { ancestors } from '../types/ancestors.js';
import { Asset } from '../types/asset.js';
import { keyParts, ResolvedAuditStamp, resolvedStamp } from '../types/common.js';
import { PlacedAsset } from '../types/described.js';
import { showsPartOf, showsRecord, type Stored } from '../model-types/record-views.js';
import { Entity, EntityObject, optional, typeNamed } from '../types/entity.js';

@ObjectType('DocumentInfo', { description: 'Title of a document.' })
export class DocumentInfo {
  @Field(() => String, { nullable: true, description: 'Its title.' }) title!: string | null;
  @Field(() => ResolvedAuditStamp, { description: 'When it was created.' }) created!: ResolvedAuditStamp;
  @Field(() => ResolvedAuditStamp, { description: 'When it was last changed.' })
  lastModified!: ResolvedAuditStamp;
}

@ObjectType('ParentDocumentsResult', { description: 'The documents above a document.' })
export class ParentDocumentsResult {
  @Field(() => Int, { description: 'How many.' }) count!: number;
  @Field(() => [typeNamed('Document')], { description: 'The nearest one first.' }) documents!: Entity[];
}

@EntityObject('document', 'A text.')
export class Document extends PlacedAsset {
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

  @Field(() => ParentDocumentsResult, { nullable: true, description: 'All documents above it.' })
  parentDocuments(): ParentDocumentsResult {
    const documents = ancestors(this, (entity) => {
      const value = entity.latest('documentInfo') as model.DocumentInfo | undefined;
      return this.context.entity(value?.parentDocument?.document);
    });
    return { count: documents.length, documents };
  }

  @Field(() => String, optional)
  subType(): string | null {
    return this.value('subTypes')?.typeNames[0] ?? null;
  }
}

@EntityObject('application', 'An application of the business, and what belongs to it.')
export class Application extends Asset {}

@ObjectType('ApplicationProperties', { description: 'Name and description of an application.' })
export class ApplicationProperties {
  @Field(() => String, { description: 'What it is called; otherwise its id.' }) name!: string;
}

showsRecord(
  'application.ApplicationProperties',
  'ApplicationProperties',
  (value: model.ApplicationProperties, _context, owner): ApplicationProperties & Stored => ({
    name: value.name ?? keyParts(owner)[0] ?? '',
    stored: value,
    owner,
  }),
  ApplicationProperties,
);
showsPartOf('ApplicationProperties', 'application.ApplicationProperties', true);

showsPartOf('DocumentInfo', 'knowledge.DocumentInfo', true);
