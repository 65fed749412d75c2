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
import { showsAspect, showsRecord } from '../model-types/record-views.js';
import { Entity, optional, typeNamed, type EntityContext } from './entity.js';
import { OwnershipType } from './enums.js';
import { StructuredProperties, structuredProperties } from './structured-property.js';

export const OwnerType = createUnionType({
  name: 'OwnerType',
  description: 'Who can own something.',
  types: () => [typeNamed('CorpUser'), typeNamed('CorpGroup')] as const,
  resolveType: (owner: Entity) => owner.constructor as Type<Entity>,
});

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

showsRecord('common.Ownership', 'Ownership', (value: model.Ownership, context, owner) =>
  ownership(value, owner, context),
);

/** What entities have in common: who owns them, and what is said about them. */
@ObjectType({ isAbstract: true })
export abstract class Asset extends Entity {
  @Field(() => Ownership, { nullable: true, description: 'Who owns it.' })
  ownership(): Ownership | null {
    return ownership(this.value('ownership'), this.urnText, this.context);
  }

  @Field(() => GlobalTags, { nullable: true, description: 'Its tags; null before the first one.' })
  tags(): GlobalTags | null {
    return globalTags(this.value('globalTags'), this.urnText, this.context);
  }

  @Field(() => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  globalTags(): GlobalTags | null {
    return this.tags();
  }

  @Field(() => GlossaryTerms, {
    nullable: true,
    description: 'Its glossary terms; null before the first one.',
  })
  glossaryTerms(): GlossaryTerms | null {
    return glossaryTerms(this.value('glossaryTerms'), this.urnText, this.context);
  }

  @Field(() => InstitutionalMemory, { nullable: true, description: 'Links to its documentation.' })
  institutionalMemory(): InstitutionalMemory | null {
    return institutionalMemory(this.value('institutionalMemory'), this.urnText, this.context);
  }

  @Field(() => Status, { nullable: true, description: 'Whether it was soft-deleted.' })
  status(): Status | null {
    const status = this.value('status');
    return status ? { removed: status.removed } : null;
  }

  @Field(() => Deprecation, { nullable: true, description: 'Whether it should no longer be used.' })
  deprecation(): Deprecation | null {
    return deprecation(this.value('deprecation'), this.context);
  }

  @Field(() => DomainAssociation, { nullable: true, description: 'The domain it belongs to.' })
  domain(): DomainAssociation | null {
    const domain = this.context.entity(this.value('domains')?.domains[0]);
    return domain ? { domain, associatedUrn: this.urnText } : null;
  }

  @Field(() => SubTypes, { nullable: true, description: 'Its kinds within its platform.' })
  subTypes(): SubTypes | null {
    const value = this.value('subTypes');
    return value ? { typeNames: value.typeNames } : null;
  }

  @Field(() => [BrowsePath], { nullable: true, description: 'Its places in the older browse tree.' })
  browsePaths(): BrowsePath[] | null {
    const value = this.value('browsePaths');
    return value
      ? value.paths.map((path) => ({ path: path.split('/').filter((part) => part !== '') }))
      : null;
  }

  @Field(() => BrowsePathV2, { nullable: true, description: 'Its place in the browse tree.' })
  browsePathV2(): BrowsePathV2 | null {
    const value = this.value('browsePathsV2');
    if (!value) return null;
    return {
      path: value.path.map(({ id, urn }) => ({ name: id, entity: this.context.entity(urn) ?? null })),
    };
  }

  @Field(() => StructuredProperties, {
    nullable: true,
    description: 'Values of properties that people defined.',
  })
  structuredProperties(): StructuredProperties | null {
    return structuredProperties(this.value('structuredProperties'), this.urnText, this.context);
  }

  @Field(() => typeNamed('Container'), { nullable: true, description: 'The container it lies in.' })
  container(): Entity | null {
    return this.context.entity(this.value('container')?.container) ?? null;
  }

  @Field(() => typeNamed('DataPlatformInstance'), optional)
  dataPlatformInstance(): Entity | null {
    const value = this.value('dataPlatformInstance');
    return this.context.entity(value?.instance) ?? null;
  }
}

@ObjectType('ApplicationAssociation', { description: 'An application that an entity belongs to.' })
export class ApplicationAssociation {
  @Field(() => typeNamed('Application'), { description: 'The application.' }) application!: Entity;
  @Field(() => String, { description: 'URN of the entity.' }) associatedUrn!: string;
}

showsAspect(
  'applications',
  [ApplicationAssociation],
  ({ applications }: model.Applications, context, owner): ApplicationAssociation[] =>
    applications
      .map((urn) => ({ application: context.entity(urn), associatedUrn: owner }))
      .filter(({ application }) => application.entityName === 'application'),
);

/** The logical asset is an entity, where the model keeps an edge to it. */
showsAspect('logicalParent', Entity, ({ parent }: model.LogicalParent, context) =>
  context.entity(parent?.destinationUrn),
);
