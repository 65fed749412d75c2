import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import {
  Asset,
  AssetField,
  Entity,
  Long,
  optional,
  showsPartOf,
  showsRecord,
  type EntityContext,
} from '../../graphql/index.js';

@ObjectType('Status', { description: 'Whether an entity was soft-deleted.' })
export class Status {
  @Field(() => Boolean, { description: 'Soft-deleted entities are hidden from search, and readable by URN.' })
  removed!: boolean;
}

showsRecord('common.Status', 'Status');
showsPartOf('Status', 'common.Status');

@ObjectType('Deprecation', { description: 'That an entity should no longer be used.' })
export class Deprecation {
  @Field(() => Boolean) deprecated!: boolean;
  @Field(() => Long, { nullable: true, description: 'When it will be switched off, in epoch milliseconds.' })
  decommissionTime!: number | null;
  @Field(() => String, optional) note!: string | null;
  @Field(() => String, { nullable: true, description: 'URN of who said so.' }) actor!: string | null;
  @Field(() => Entity, optional) actorEntity!: Entity | null;
  @Field(() => Entity, { nullable: true, description: 'What to use instead.' }) replacement!: Entity | null;
}

export function deprecation(
  value: model.Deprecation | undefined,
  context: EntityContext,
): Deprecation | null {
  if (!value) return null;
  return {
    deprecated: value.deprecated,
    decommissionTime: value.decommissionTime ?? null,
    note: value.note,
    actor: value.actor,
    actorEntity: context.entity(value.actor),
    replacement: context.entity(value.replacement) ?? null,
  };
}

showsRecord('common.Deprecation', 'Deprecation', deprecation);

/** The marks of any asset. */
export abstract class MarksOfAsset extends Asset {
  @AssetField('status', () => Status, { nullable: true, description: 'Whether it was soft-deleted.' })
  status(): Status | null {
    const status = this.value('status');
    return status ? { removed: status.removed } : null;
  }

  @AssetField('deprecation', () => Deprecation, {
    nullable: true,
    description: 'Whether it should no longer be used.',
  })
  deprecation(): Deprecation | null {
    return deprecation(this.value('deprecation'), this.context);
  }
}
