import { Field, ObjectType } from '@nestjs/graphql';
import { Asset, Needs } from './asset.js';
import {
  AuditStamp,
  auditStamp,
  CustomPropertiesEntry,
  customProperties,
  keyParts,
  ResolvedAuditStamp,
  resolvedStamp,
  UNKNOWN_PLATFORM,
} from './common.js';
import type { Stored } from '../model-types/record-views.js';
import { Entity, optional, typeNamed, type EntityContext } from './entity.js';

/** What most tools report about their things. */
@ObjectType({ isAbstract: true })
export abstract class Described {
  @Field(() => String, optional) name!: string;
  @Field(() => String, {
    nullable: true,
    description: 'What people wrote in the catalog; otherwise what the platform reports.',
  })
  description!: string | null;
  @Field(() => [CustomPropertiesEntry], optional) customProperties!: CustomPropertiesEntry[];
  @Field(() => String, optional) externalUrl!: string | null;
  @Field(() => AuditStamp, optional) created!: AuditStamp | null;
  @Field(() => AuditStamp, optional) lastModified!: AuditStamp | null;
}

/** {@link Described}, of what clients expect to have a name. */
@ObjectType({ isAbstract: true })
export abstract class Named extends Described {
  @Field(() => String, { description: 'What it is called; otherwise the id in its URN.' })
  declare name: string;
}

/** What people wrote about something. */
@ObjectType({ isAbstract: true })
export abstract class EditableDescription {
  @Field(() => String, optional) description!: string | null;
}

/** What people wrote about something, with the rest of the record. */
export function editableDescription(
  value: { description?: string } | undefined,
  urn: string,
): (EditableDescription & Stored) | null {
  return value ? { description: value.description ?? null, stored: value, owner: urn } : null;
}

/** When something was made, and who did it. */
@ObjectType({ isAbstract: true })
export abstract class DescribedWithMaker extends Named {
  @Field(() => ResolvedAuditStamp, { nullable: true, description: 'When it was made, and who did it.' })
  createdOn!: ResolvedAuditStamp | null;
}

/** {@link described} with who made it. */
export function describedWithMaker(
  reported: Reported | undefined,
  urn: string,
  context: EntityContext,
): (DescribedWithMaker & Stored) | null {
  const shown = described(reported, undefined, urn);
  return shown && { ...shown, createdOn: resolvedStamp(reported?.created, context) };
}

interface Reported {
  name?: string;
  title?: string;
  description?: string;
  customProperties?: Record<string, string>;
  externalUrl?: string;
  created?: { time: number; actor?: string };
  lastModified?: { time: number; actor?: string };
}

/** The properties as reported, with the description that people wrote; null when there is neither. */
export function described(
  reported: Reported | undefined,
  editable: { description?: string } | undefined,
  urn: string,
): (Described & Stored) | null {
  if (!reported && editable?.description === undefined) return null;
  return {
    name: reported?.name ?? reported?.title ?? keyParts(urn).at(-1) ?? '',
    description: editable?.description ?? reported?.description ?? null,
    customProperties: customProperties(reported?.customProperties, urn),
    externalUrl: reported?.externalUrl ?? null,
    created: auditStamp(reported?.created),
    lastModified: auditStamp(reported?.lastModified),
    stored: reported,
    owner: urn,
  };
}

/** What lies on a data platform: named by the first part of its key, or by its dataPlatformInstance. */
@ObjectType({ isAbstract: true })
export abstract class PlatformAsset extends Asset {
  @Needs('dataPlatformInstance')
  @Field(() => typeNamed('DataPlatform'), { nullable: true, description: 'The platform it lies on.' })
  platform(): Entity | null {
    const named = this.platformOfKey() ?? this.value('dataPlatformInstance')?.platform;
    return this.context.entity(named) ?? null;
  }

  /** URN of the platform that the key names. */
  protected platformOfKey(): string | undefined {
    return undefined;
  }
}

/** What clients expect on each type that always has a platform, see {@link PlacedAsset}. */
export const PLATFORM = {
  description: 'The platform it lies on, `urn:li:dataPlatform:unknown` where nothing says which.',
} as const;

/** {@link PlatformAsset}, of what clients expect to have a platform. */
@ObjectType({ isAbstract: true })
export abstract class PlacedAsset extends PlatformAsset {
  @Field(() => typeNamed('DataPlatform'), PLATFORM)
  override platform(): Entity {
    return super.platform() ?? this.context.entity(UNKNOWN_PLATFORM);
  }
}

/** The URN of a platform, given as such or as its name. */
export function platformUrn(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.startsWith('urn:li:dataPlatform:') ? text : `urn:li:dataPlatform:${text}`;
}
