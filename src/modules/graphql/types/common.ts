import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { tryParseUrn } from '../../../catalog/urn/index.js';
import { showsPartOf, showsRecord, type Stored } from '../model-types/record-views.js';
import { FabricType } from './enums.js';
import { Entity, optional, typeNamed, type EntityContext } from './entity.js';
import { Long } from './scalars.js';

@ObjectType('AuditStamp', { description: 'When something happened, and by whom.' })
export class AuditStamp {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) time!: number;
  @Field(() => String, { nullable: true, description: 'URN of the user.' }) actor!: string | null;
}

/** In the place of a stamp that clients need and nothing has. */
export const UNKNOWN_STAMP: AuditStamp = { time: 0, actor: null };

export const LAST_MODIFIED = 'When it was last changed, and by whom; time 0 where nothing says it.';

/** In the place of a platform that clients need and nothing names. */
export const UNKNOWN_PLATFORM = 'urn:li:dataPlatform:unknown';

showsRecord('common.AuditStamp', 'AuditStamp');
showsPartOf('AuditStamp', 'common.AuditStamp');

@ObjectType('ResolvedAuditStamp', { description: 'When something happened, and who did it.' })
export class ResolvedAuditStamp {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) time!: number;
  @Field(() => typeNamed('CorpUser'), { nullable: true, description: 'The user.' }) actor!: Entity | null;
}

interface Stamp {
  time: number;
  actor?: string;
}

export function resolvedStamp(stamp: Stamp, context: EntityContext): ResolvedAuditStamp;
export function resolvedStamp(stamp: Stamp | undefined, context: EntityContext): ResolvedAuditStamp | null;
export function resolvedStamp(stamp: Stamp | undefined, context: EntityContext): ResolvedAuditStamp | null {
  return stamp ? { time: stamp.time, actor: ofType(context.entity(stamp.actor), 'corpuser') } : null;
}

export function auditStamp(stamp: Stamp | undefined): AuditStamp | null {
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
  @Field(() => Entity) actor!: Entity;
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

/** Null for an entity of another kind: fields of one type cannot show it. */
export function ofType(entity: Entity | undefined, entityName: string): Entity | null {
  return entity?.entityName === entityName ? entity : null;
}

@ObjectType('SubTypes', { description: 'Kinds of an entity within its platform.' })
export class SubTypes {
  @Field(() => [String], optional) typeNames!: string[];
}

showsRecord('common.SubTypes', 'SubTypes');

/** The parts of a tuple URN's id; the whole id of any other. */
export function keyParts(urn: string): readonly string[] {
  return tryParseUrn(urn)?.parts ?? [];
}

/**
 * The environment in the third of the {@link keyParts} of a URN like `urn:li:dataset:(platform,name,PROD)`. The model knows no other
 * than these, so it is PROD, the default of the field's tools, only for URNs that could not be stored.
 */
export function fabricIn([, , origin = '']: readonly string[]): FabricType {
  return Object.hasOwn(FabricType, origin) ? (origin as FabricType) : 'PROD';
}
