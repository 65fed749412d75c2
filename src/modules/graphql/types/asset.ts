import { Field, ObjectType, createUnionType } from '@nestjs/graphql';
import type { Type } from '@nestjs/common';
import type * as model from '../../../catalog/model/generated/aspects.js';
import {
  AuditStamp,
  auditStamp,
  BrowsePath,
  BrowsePathV2,
  Deprecation,
  deprecation,
  DomainAssociation,
  GlobalTags,
  globalTags,
  GlossaryTerms,
  glossaryTerms,
  InstitutionalMemory,
  institutionalMemory,
  MetadataAttribution,
  attribution,
  Status,
  SubTypes,
} from './common.js';
import { Entity, optional, typeNamed, type EntityContext } from './entity.js';
import { OwnershipType } from './enums.js';
import { StructuredProperties, structuredProperties } from './structured-property.js';

export const OwnerType = createUnionType({
  name: 'OwnerType',
  description: 'Who can own something.',
  types: () => [typeNamed('CorpUser'), typeNamed('CorpGroup')] as const,
  resolveType: (owner: Entity) => owner.constructor as Type<Entity>,
});

@ObjectType({ description: 'One owner.' })
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

@ObjectType({ description: 'The owners of an entity.' })
export class Ownership {
  @Field(() => [Owner], optional) owners!: Owner[];
  @Field(() => AuditStamp, optional) lastModified!: AuditStamp | null;
}

const OWNERS = new Set(['corpuser', 'corpGroup']);

export function ownership(
  value: model.Ownership | undefined,
  urn: string,
  context: EntityContext,
): Ownership | null {
  if (!value) return null;
  return {
    owners: value.owners.flatMap((owner) => {
      const entity = context.entity(owner.owner);
      if (!OWNERS.has(entity.entityName)) return [];
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
    lastModified: auditStamp(value.lastModified),
  };
}

/** What entities have in common: who owns them, and what is said about them. */
@ObjectType({ isAbstract: true })
export abstract class Asset extends Entity {
  @Field(() => Ownership, { nullable: true, description: 'Who owns it.' })
  async ownership(): Promise<Ownership | null> {
    return ownership(await this.value('ownership'), this.urnText, this.context);
  }

  @Field(() => GlobalTags, { nullable: true, description: 'Its tags; null before the first one.' })
  async tags(): Promise<GlobalTags | null> {
    return globalTags(await this.value('globalTags'), this.urnText, this.context);
  }

  @Field(() => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  async globalTags(): Promise<GlobalTags | null> {
    return this.tags();
  }

  @Field(() => GlossaryTerms, {
    nullable: true,
    description: 'Its glossary terms; null before the first one.',
  })
  async glossaryTerms(): Promise<GlossaryTerms | null> {
    return glossaryTerms(await this.value('glossaryTerms'), this.urnText, this.context);
  }

  @Field(() => InstitutionalMemory, { nullable: true, description: 'Links to its documentation.' })
  async institutionalMemory(): Promise<InstitutionalMemory | null> {
    return institutionalMemory(await this.value('institutionalMemory'), this.urnText, this.context);
  }

  @Field(() => Status, { nullable: true, description: 'Whether it was soft-deleted.' })
  async status(): Promise<Status | null> {
    const status = await this.value('status');
    return status ? { removed: status.removed } : null;
  }

  @Field(() => Deprecation, { nullable: true, description: 'Whether it should no longer be used.' })
  async deprecation(): Promise<Deprecation | null> {
    return deprecation(await this.value('deprecation'), this.context);
  }

  @Field(() => DomainAssociation, { nullable: true, description: 'The domain it belongs to.' })
  async domain(): Promise<DomainAssociation | null> {
    const domain = this.context.entity((await this.value('domains'))?.domains[0]);
    return domain ? { domain, associatedUrn: this.urnText } : null;
  }

  @Field(() => SubTypes, { nullable: true, description: 'Its kinds within its platform.' })
  async subTypes(): Promise<SubTypes | null> {
    const value = await this.value('subTypes');
    return value ? { typeNames: value.typeNames } : null;
  }

  @Field(() => [BrowsePath], { nullable: true, description: 'Its places in the older browse tree.' })
  async browsePaths(): Promise<BrowsePath[] | null> {
    const value = await this.value('browsePaths');
    return value
      ? value.paths.map((path) => ({ path: path.split('/').filter((part) => part !== '') }))
      : null;
  }

  @Field(() => BrowsePathV2, { nullable: true, description: 'Its place in the browse tree.' })
  async browsePathV2(): Promise<BrowsePathV2 | null> {
    const value = await this.value('browsePathsV2');
    if (!value) return null;
    return {
      path: value.path.map(({ id, urn }) => ({ name: id, entity: this.context.entity(urn) ?? null })),
    };
  }

  @Field(() => StructuredProperties, {
    nullable: true,
    description: 'Values of properties that people defined.',
  })
  async structuredProperties(): Promise<StructuredProperties | null> {
    return structuredProperties(await this.value('structuredProperties'), this.urnText, this.context);
  }

  @Field(() => typeNamed('Container'), { nullable: true, description: 'The container it lies in.' })
  async container(): Promise<Entity | null> {
    return this.context.entity((await this.value('container'))?.container) ?? null;
  }

  @Field(() => typeNamed('DataPlatformInstance'), optional)
  async dataPlatformInstance(): Promise<Entity | null> {
    const value = await this.value('dataPlatformInstance');
    return this.context.entity(value?.instance) ?? null;
  }
}
