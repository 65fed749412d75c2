import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Asset,
  AssetField,
  AuditStamp,
  auditStamp,
  Entity,
  optional,
  showsPartOf,
  showsRecord,
  typeNamed,
  type EntityContext,
} from '../graphql/index.js';

@ObjectType('InstitutionalMemoryMetadata', { description: 'A link to documentation.' })
export class InstitutionalMemoryMetadata {
  @Field(() => String) url!: string;
  @Field(() => String, { description: 'Text of the link.' }) label!: string;
  @Field(() => String, { deprecationReason: 'Use label.' }) description!: string;
  @Field(() => typeNamed('CorpUser'), { description: 'Who added it.' }) author!: Entity;
  @Field(() => Entity, { description: 'Who added it.' }) actor!: Entity;
  @Field(() => AuditStamp) created!: AuditStamp;
  @Field(() => AuditStamp, optional) updated!: AuditStamp | null;
  @Field(() => String, { description: 'URN of the entity that has the link.' }) associatedUrn!: string;
}

@ObjectType('InstitutionalMemory', { description: 'Links to documentation.' })
export class InstitutionalMemory {
  @Field(() => [InstitutionalMemoryMetadata]) elements!: InstitutionalMemoryMetadata[];
}

export function institutionalMemory(
  value: model.InstitutionalMemory | undefined,
  urn: string,
  context: EntityContext,
): InstitutionalMemory | null {
  if (!value) return null;
  return {
    elements: value.elements.map((element) => ({
      url: element.url,
      label: element.description,
      description: element.description,
      author: context.entity(element.createStamp.actor),
      actor: context.entity(element.createStamp.actor),
      created: { time: element.createStamp.time, actor: element.createStamp.actor },
      updated: auditStamp(element.updateStamp),
      associatedUrn: urn,
      stored: element,
    })),
  };
}

showsRecord(
  'common.InstitutionalMemory',
  'InstitutionalMemory',
  (value: model.InstitutionalMemory, context, owner) => institutionalMemory(value, owner, context),
);
showsPartOf('InstitutionalMemoryMetadata', 'common.InstitutionalMemoryMetadata', true);

/** The links of any asset. */
export abstract class LinksOfAsset extends Asset {
  @AssetField('institutionalMemory', () => InstitutionalMemory, {
    nullable: true,
    description: 'Links to its documentation.',
  })
  institutionalMemory(): InstitutionalMemory | null {
    return institutionalMemory(this.value('institutionalMemory'), this.urnText, this.context);
  }
}
