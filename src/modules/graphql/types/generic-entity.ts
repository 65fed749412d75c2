import { Field, ObjectType } from '@nestjs/graphql';
import { UNKNOWN_PLATFORM } from './common.js';
import { PLATFORM, PlatformAsset } from './described.js';
import { Entity, EntityObject, typeNamed } from './entity.js';

@EntityObject('', 'An entity of any other kind, also one that a model of your own adds.', 'GenericEntity')
export class GenericEntity extends PlatformAsset {
  @Field(() => String, { description: 'Its kind, as the model names it.' })
  override get entityName(): string {
    return super.entityName;
  }
}

/** For a type with fields of its own beside those that are made from the model: what its entity has no aspect for it lacks. */
@ObjectType({ isAbstract: true })
export abstract class NarrowEntity extends GenericEntity {}

/** {@link NarrowEntity}, of what clients expect to have a platform. */
@ObjectType({ isAbstract: true })
export abstract class PlacedEntity extends NarrowEntity {
  @Field(() => typeNamed('DataPlatform'), PLATFORM)
  override platform(): Entity {
    return super.platform() ?? this.context.entity(UNKNOWN_PLATFORM);
  }
}
