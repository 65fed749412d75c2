import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Asset,
  AssetField,
  attribution,
  Entity,
  EntityObject,
  keyParts,
  MetadataAttribution,
  optional,
  showsRecord,
  typeNamed,
  type EntityContext,
} from '../graphql/index.js';

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

/** The tags of any asset. */
export abstract class TagsOfAsset extends Asset {
  @AssetField('globalTags', () => GlobalTags, {
    nullable: true,
    description: 'Its tags; null before the first one.',
  })
  tags(): GlobalTags | null {
    return globalTags(this.value('globalTags'), this.urnText, this.context);
  }

  @AssetField('globalTags', () => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  globalTags(): GlobalTags | null {
    return this.tags();
  }
}

@ObjectType('TagProperties', { description: 'Name, description and colour of a tag.' })
export class TagProperties {
  @Field(() => String) name!: string;
  @Field(() => String, optional) description!: string | null;
  @Field(() => String, { nullable: true, description: 'A hexadecimal code.' }) colorHex!: string | null;
}

@EntityObject('tag', 'A label that can be put on entities and columns.')
export class Tag extends Asset {
  @Field(() => String, { description: 'What it is called; otherwise the name in its URN.' })
  name(): string {
    return this.value('tagProperties')?.name ?? keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => TagProperties, { nullable: true, description: 'Name, description and colour.' })
  properties(): TagProperties | null {
    const value = this.value('tagProperties');
    if (!value) return null;
    return { name: value.name, description: value.description ?? null, colorHex: value.colorHex ?? null };
  }

  @Field(() => String, { nullable: true, deprecationReason: 'Use properties.description.' })
  description(): string | null {
    return this.value('tagProperties')?.description ?? null;
  }
}
