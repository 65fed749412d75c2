import { Field } from '@nestjs/graphql';
import { Entity, EntityObject } from '../types/entity.js';
import { NarrowEntity } from '../types/generic-entity.js';

@EntityObject('dataProcessInstance', 'One run of a data job, a data flow or a training.')
export class DataProcessInstance extends NarrowEntity {
  @Field(() => Entity, { nullable: true, description: 'The job or the flow that it is a run of.' })
  parentTemplate(): Entity | null {
    return this.context.entity(this.value('dataProcessInstanceRelationships')?.parentTemplate) ?? null;
  }
}
