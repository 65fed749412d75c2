import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { tryParseUrn } from '../../../catalog/urn/index.js';
import { showsPartOf, showsRecord, type Stored } from '../model-types/record-views.js';
import { Entity, optional, typeNamed, type EntityContext } from './entity.js';
import { Long } from './scalars.js';

@ObjectType('AuditStamp', { description: 'When something happened, and by whom.' })
export class AuditStamp {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) time!: number;
  @Field(() => String, { nullable: true, description: 'URN of the user.' }) actor!: string | null;
}

showsRecord('common.AuditStamp', 'AuditStamp');
showsPartOf('AuditStamp', 'common.AuditStamp');

@ObjectType('ResolvedAuditStamp', { description: 'When something happened, and who did it.' })
export class ResolvedAuditStamp {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) time!: number;
  @Field(() => typeNamed('CorpUser'), { nullable: true, description: 'The user.' }) actor!: Entity | null;
}

export function resolvedStamp(
  stamp: { time: number; actor?: string } | undefined,
  context: EntityContext,
): ResolvedAuditStamp | null {
  return stamp ? { time: stamp.time, actor: ofType(context.entity(stamp.actor), 'corpuser') } : null;
}

export function auditStamp(stamp: { time: number; actor?: string } | undefined): AuditStamp | null {
  return stamp ? { time: stamp.time, actor: stamp.actor ?? null } : null;
}

@ObjectType('CustomPropertiesEntry', { description: 'One further property.' })
export class CustomPropertiesEntry {
  @Field(() => String) key!: string;
  @Field(() => String, optional) value!: string | null;
  @Field(() => String, { description: 'URN of the entity that has it.' }) associatedUrn!: string;
}

export function customProperties(
  map: Readonly<Record<string, string>> | undefined,
  urn: string,
): CustomPropertiesEntry[] {
  return Object.entries(map ?? {}).map(([key, value]) => ({ key, value, associatedUrn: urn }));
}

@ObjectType('MetadataAttribution', { description: 'How an attachment came to be.' })
export class MetadataAttribution {
  @Field(() => Long) time!: number;
  @Field(() => Entity, optional) actor!: Entity | null;
  @Field(() => Entity, optional) source!: Entity | null;
}

export function attribution(
  value: model.MetadataAttribution | undefined,
  context: EntityContext,
): (MetadataAttribution & Stored) | null {
  if (!value) return null;
  return {
    time: value.time,
    actor: context.entity(value.actor),
    source: context.entity(value.source) ?? null,
    stored: value,
  };
}

showsRecord('common.MetadataAttribution', 'MetadataAttribution', attribution);
showsPartOf('MetadataAttribution', 'common.MetadataAttribution');

@ObjectType('TagAssociation', { description: 'A tag on an entity or a column.' })
export class TagAssociation {
  @Field(() => typeNamed('Tag')) tag!: Entity;
  @Field(() => String, { description: 'URN of what carries the tag.' }) associatedUrn!: string;
  @Field(() => String, optional) context!: string | null;
  @Field(() => MetadataAttribution, optional) attribution!: MetadataAttribution | null;
}

@ObjectType('GlobalTags', { description: 'The tags of an entity or a column.' })
export class GlobalTags {
  @Field(() => [TagAssociation], optional) tags!: TagAssociation[];
}

export function globalTags(
  value: model.GlobalTags | undefined,
  urn: string,
  context: EntityContext,
): GlobalTags | null {
  if (!value) return null;
  return {
    tags: value.tags.map((association) => ({
      tag: context.entity(association.tag),
      associatedUrn: urn,
      context: association.context ?? null,
      attribution: attribution(association.attribution, context),
    })),
  };
}

showsRecord('common.GlobalTags', 'GlobalTags', (value: model.GlobalTags, context, owner) =>
  globalTags(value, owner, context),
);

@ObjectType('GlossaryTermAssociation', { description: 'A glossary term on an entity or a column.' })
export class GlossaryTermAssociation {
  @Field(() => typeNamed('GlossaryTerm')) term!: Entity;
  @Field(() => typeNamed('CorpUser'), { nullable: true, description: 'Who attached it.' })
  actor!: Entity | null;
  @Field(() => String, { description: 'URN of what carries the term.' }) associatedUrn!: string;
  @Field(() => String, optional) context!: string | null;
  @Field(() => MetadataAttribution, optional) attribution!: MetadataAttribution | null;
}

@ObjectType('GlossaryTerms', { description: 'The glossary terms of an entity or a column.' })
export class GlossaryTerms {
  @Field(() => [GlossaryTermAssociation], optional) terms!: GlossaryTermAssociation[];
}

export function glossaryTerms(
  value: model.GlossaryTerms | undefined,
  urn: string,
  context: EntityContext,
): GlossaryTerms | null {
  if (!value) return null;
  return {
    terms: value.terms.map((association) => ({
      term: context.entity(association.urn),
      actor: ofType(context.entity(association.actor), 'corpuser'),
      associatedUrn: urn,
      context: association.context ?? null,
      attribution: attribution(association.attribution, context),
    })),
  };
}

showsRecord('common.GlossaryTerms', 'GlossaryTerms', (value: model.GlossaryTerms, context, owner) =>
  glossaryTerms(value, owner, context),
);

/** Null for an entity of another kind: fields of one type cannot show it. */
export function ofType(entity: Entity | undefined, entityName: string): Entity | null {
  return entity?.entityName === entityName ? entity : null;
}

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
    })),
  };
}

showsRecord(
  'common.InstitutionalMemory',
  'InstitutionalMemory',
  (value: model.InstitutionalMemory, context, owner) => institutionalMemory(value, owner, context),
);
showsRecord('common.Status', 'Status');
showsPartOf('Status', 'common.Status');
showsRecord('common.SubTypes', 'SubTypes');

@ObjectType('Status', { description: 'Whether an entity was soft-deleted.' })
export class Status {
  @Field(() => Boolean, { description: 'Soft-deleted entities are hidden from search, and readable by URN.' })
  removed!: boolean;
}

@ObjectType('Deprecation', { description: 'That an entity should no longer be used.' })
export class Deprecation {
  @Field(() => Boolean) deprecated!: boolean;
  @Field(() => Long, { nullable: true, description: 'When it will be switched off, in epoch milliseconds.' })
  decommissionTime!: number | null;
  @Field(() => String, optional) note!: string | null;
  @Field(() => String, { nullable: true, description: 'URN of who said so.' }) actor!: string | null;
  @Field(() => Entity, optional) actorEntity!: Entity | null;
  @Field(() => Entity, { nullable: true, description: 'What to use instead.' }) replacement!: Entity | null;
}

export function deprecation(
  value: model.Deprecation | undefined,
  context: EntityContext,
): Deprecation | null {
  if (!value) return null;
  return {
    deprecated: value.deprecated,
    decommissionTime: value.decommissionTime ?? null,
    note: value.note,
    actor: value.actor,
    actorEntity: context.entity(value.actor),
    replacement: context.entity(value.replacement) ?? null,
  };
}

showsRecord('common.Deprecation', 'Deprecation', deprecation);

@ObjectType('DomainAssociation', { description: 'The domain that an entity belongs to.' })
export class DomainAssociation {
  @Field(() => typeNamed('Domain')) domain!: Entity;
  @Field(() => String, { description: 'URN of the entity.' }) associatedUrn!: string;
}

@ObjectType('SubTypes', { description: 'Kinds of an entity within its platform.' })
export class SubTypes {
  @Field(() => [String], optional) typeNames!: string[];
}

@ObjectType('BrowsePath', { description: 'One path to an entity in the older browse tree.' })
export class BrowsePath {
  @Field(() => [String], { description: 'The parts of the path, from the top down.' }) path!: string[];
}

@ObjectType('BrowsePathEntry', { description: 'One step of a browse path.' })
export class BrowsePathEntry {
  @Field(() => String) name!: string;
  @Field(() => Entity, optional) entity!: Entity | null;
}

@ObjectType('BrowsePathV2', { description: 'The path to an entity in the browse tree.' })
export class BrowsePathV2 {
  @Field(() => [BrowsePathEntry]) path!: BrowsePathEntry[];
}

/** The parts of a tuple URN's id; the whole id of any other. */
export function keyParts(urn: string): readonly string[] {
  return tryParseUrn(urn)?.parts ?? [];
}
