import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Entity,
  EntityObject,
  NarrowEntity,
  ResolvedAuditStamp,
  resolvedStamp,
  showsPartOf,
  showsRecord,
  type Stored,
} from '../graphql/index.js';

@EntityObject('versionSet', 'The set of entities that are versions of one another.')
export class VersionSet extends NarrowEntity {
  @Field(() => Entity, { nullable: true, description: 'The latest of its versions.' })
  latestVersion(): Entity | null {
    const properties = this.latest('versionSetProperties') as model.VersionSetProperties | undefined;
    return this.context.entity(properties?.latest) ?? null;
  }
}

@ObjectType('VersionProperties', { description: 'The place of an entity in a set of versions.' })
export class VersionProperties {
  @Field(() => ResolvedAuditStamp, { nullable: true, description: 'When the version was recorded.' })
  created!: ResolvedAuditStamp | null;
  @Field(() => ResolvedAuditStamp, {
    nullable: true,
    description: 'When the version came to be in its own system.',
  })
  createdInSource!: ResolvedAuditStamp | null;
}

showsRecord(
  'common.VersionProperties',
  'VersionProperties',
  (value: model.VersionProperties, context, owner): VersionProperties & Stored => ({
    created: resolvedStamp(value.metadataCreatedTimestamp, context),
    createdInSource: resolvedStamp(value.sourceCreatedTimestamp, context),
    stored: value,
    owner,
  }),
  VersionProperties,
);
showsPartOf('VersionProperties', 'common.VersionProperties', true);
