import { Field, ObjectType } from '@nestjs/graphql';
import { Asset, AssetField, Entity, optional } from '../graphql/index.js';

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

/** The places of any asset in the browse trees. */
export abstract class BrowsePathsOfAsset extends Asset {
  @AssetField('browsePaths', () => [BrowsePath], {
    nullable: true,
    description: 'Its places in the older browse tree.',
  })
  browsePaths(): BrowsePath[] | null {
    const value = this.value('browsePaths');
    return value
      ? value.paths.map((path) => ({ path: path.split('/').filter((part) => part !== '') }))
      : null;
  }

  @AssetField('browsePathsV2', () => BrowsePathV2, {
    nullable: true,
    description: 'Its place in the browse tree.',
  })
  browsePathV2(): BrowsePathV2 | null {
    const value = this.value('browsePathsV2');
    if (!value) return null;
    return {
      path: value.path.map(({ id, urn }) => ({ name: id, entity: this.context.entity(urn) ?? null })),
    };
  }
}
