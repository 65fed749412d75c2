import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import { showsAspect, showsPartOf, type Stored } from '../graphql/index.js';

@ObjectType('Operation', { description: 'One change to the content of a dataset.' })
export class Operation {
  @Field(() => String, { nullable: true, description: 'The part of the dataset that was changed.' })
  partition!: string | null;
}

showsAspect('operation', Operation, (value: model.Operation, _context, owner): Operation & Stored => ({
  partition: value.partitionSpec?.partition ?? null,
  stored: value,
  owner,
}));
showsPartOf('Operation', 'common.Operation', true);
