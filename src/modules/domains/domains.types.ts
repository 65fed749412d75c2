import { Field, Int, ObjectType } from '@nestjs/graphql';
import {
  ancestors,
  keyParts,
  DescribedWithMaker,
  describedWithMaker,
  Asset,
  AssetField,
  attribution,
  MetadataAttribution,
  showsPartOf,
  Entity,
  EntityObject,
  typeNamed,
} from '../graphql/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';

@ObjectType('DomainAssociation', { description: 'The domain that an entity belongs to.' })
export class DomainAssociation {
  @Field(() => typeNamed('Domain')) domain!: Entity;
  @Field(() => String, { description: 'URN of the entity.' }) associatedUrn!: string;
  @Field(() => MetadataAttribution, { nullable: true, description: 'How it came to belong to it.' })
  attribution!: MetadataAttribution | null;
}

/** The domain of any asset. */
export abstract class DomainOfAsset extends Asset {
  @AssetField('domains', () => DomainAssociation, {
    nullable: true,
    description: 'The domain it belongs to.',
  })
  domain(): DomainAssociation | null {
    const value = this.value('domains');
    const urn = value?.domains[0];
    if (urn === undefined) return null;
    const association = value?.domainAssociations?.find(({ domain }) => domain === urn);
    return {
      domain: this.context.entity(urn),
      associatedUrn: this.urnText,
      attribution: attribution(association?.attribution, this.context),
    };
  }
}

@ObjectType('DomainProperties', { description: 'Name and description of a domain.' })
export class DomainProperties extends DescribedWithMaker {}

@ObjectType('ParentDomainsResult', { description: 'The domains above a domain.' })
export class ParentDomainsResult {
  @Field(() => Int, { description: 'How many.' }) count!: number;
  @Field(() => [Entity], { description: 'The nearest one first.' })
  domains!: Entity[];
}

@EntityObject('domain', 'A field of business that entities belong to.')
export class Domain extends Asset {
  @Field(() => String, { description: 'The last part of its URN.' })
  get id(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => String, { nullable: true, description: 'What it is called; otherwise its id.' })
  name(): string | null {
    return this.value('domainProperties')?.name ?? keyParts(this.urnText)[0] ?? null;
  }

  @Field(() => DomainProperties, { nullable: true, description: 'Name and description.' })
  properties(): DomainProperties | null {
    return describedWithMaker(this.value('domainProperties'), this.urnText, this.context);
  }

  @Field(() => typeNamed('Domain'), { nullable: true, description: 'The domain above it.' })
  parentDomain(): Entity | null {
    return this.context.entity(this.value('domainProperties')?.parentDomain) ?? null;
  }

  @Field(() => ParentDomainsResult, { nullable: true, description: 'All domains above it.' })
  parentDomains(): ParentDomainsResult {
    const domains = ancestors(this, (domain) => {
      const value = domain.latest('domainProperties') as AspectValues['domainProperties'] | undefined;
      return this.context.entity(value?.parentDomain);
    });
    return { count: domains.length, domains };
  }
}

showsPartOf('DomainProperties', 'domain.DomainProperties');
