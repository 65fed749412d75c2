import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Asset,
  AssetField,
  attribution,
  Entity,
  MetadataAttribution,
  ofType,
  optional,
  showsRecord,
  typeNamed,
  type EntityContext,
} from '../graphql/index.js';

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

/** The terms of any asset. */
export abstract class TermsOfAsset extends Asset {
  @AssetField('glossaryTerms', () => GlossaryTerms, {
    nullable: true,
    description: 'Its glossary terms; null before the first one.',
  })
  glossaryTerms(): GlossaryTerms | null {
    return glossaryTerms(this.value('glossaryTerms'), this.urnText, this.context);
  }
}
