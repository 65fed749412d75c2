import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Asset,
  AssetField,
  attribution,
  AuditStamp,
  auditStamp,
  Entity,
  EntityObject,
  enumOf,
  LAST_MODIFIED,
  MetadataAttribution,
  optional,
  OwnerType,
  showsPartOf,
  showsRecord,
  typeNamed,
  UNKNOWN_STAMP,
  type EntityContext,
  type Stored,
} from '../graphql/index.js';
import { OWNER_TYPES } from './owner-rules.js';

export const OwnershipType = enumOf([
  'TECHNICAL_OWNER',
  'BUSINESS_OWNER',
  'DATA_STEWARD',
  'NONE',
  'CUSTOM',
  'DATAOWNER',
  'DEVELOPER',
  'DELEGATE',
  'PRODUCER',
  'CONSUMER',
  'STAKEHOLDER',
]);
export type OwnershipType = keyof typeof OwnershipType;
registerEnumType(OwnershipType, { name: 'OwnershipType', description: 'Kinds of ownership.' });

export const OwnerEntityType = enumOf(['CORP_USER', 'CORP_GROUP']);
export type OwnerEntityType = keyof typeof OwnerEntityType;
registerEnumType(OwnerEntityType, { name: 'OwnerEntityType', description: 'Who can own something.' });

@ObjectType('Owner', { description: 'One owner.' })
export class Owner {
  @Field(() => OwnerType) owner!: Entity;
  @Field(() => OwnershipType, optional) type!: OwnershipType | null;
  @Field(() => typeNamed('OwnershipTypeEntity'), {
    nullable: true,
    description: 'A kind of ownership of your own.',
  })
  ownershipType!: Entity | null;
  @Field(() => String, { description: 'URN of what is owned.' }) associatedUrn!: string;
  @Field(() => MetadataAttribution, optional) attribution!: MetadataAttribution | null;
}

@ObjectType('Ownership', { description: 'The owners of an entity.' })
export class Ownership {
  @Field(() => [Owner], optional) owners!: Owner[];
  @Field(() => AuditStamp, { description: LAST_MODIFIED }) lastModified!: AuditStamp;
}

export function ownership(
  value: model.Ownership | undefined,
  urn: string,
  context: EntityContext,
): Ownership | null {
  if (!value) return null;
  return {
    owners: value.owners.flatMap((owner) => {
      const entity = context.entity(owner.owner);
      if (!OWNER_TYPES.includes(entity.entityName)) return [];
      return [
        {
          owner: entity,
          type: owner.type,
          ownershipType: context.entity(owner.typeUrn) ?? null,
          associatedUrn: urn,
          attribution: attribution(owner.attribution, context),
        },
      ];
    }),
    lastModified: auditStamp(value.lastModified) ?? UNKNOWN_STAMP,
  };
}

showsRecord('common.Ownership', 'Ownership', (value: model.Ownership, context, owner) =>
  ownership(value, owner, context),
);

/** Who owns any asset. */
export abstract class OwnersOfAsset extends Asset {
  @AssetField('ownership', () => Ownership, { nullable: true, description: 'Who owns it.' })
  ownership(): Ownership | null {
    return ownership(this.value('ownership'), this.urnText, this.context);
  }
}

@ObjectType('OwnershipTypeInfo', { description: 'Name and description of a kind of ownership.' })
export class OwnershipTypeInfo {
  @Field(() => String) name!: string;
  @Field(() => String, optional) description!: string | null;
}

@EntityObject('ownershipType', 'A kind of ownership that people defined.', 'OwnershipTypeEntity')
export class OwnershipTypeEntity extends Asset {
  @Field(() => OwnershipTypeInfo, { nullable: true, description: 'Name and description.' })
  info(): (OwnershipTypeInfo & Stored) | null {
    const value = this.value('ownershipTypeInfo');
    return value
      ? { name: value.name, description: value.description ?? null, stored: value, owner: this.urnText }
      : null;
  }
}

showsPartOf('OwnershipTypeInfo', 'ownership.OwnershipTypeInfo', true);
