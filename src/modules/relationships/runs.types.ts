import { Field, Int, ObjectType } from '@nestjs/graphql';
import { DataProcessInstance, Entity } from '../graphql/index.js';

@ObjectType('DataProcessInstanceResult', { description: 'A page of runs.' })
export class DataProcessInstanceResult {
  @Field(() => Int, { nullable: true, description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { nullable: true, description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { nullable: true, description: 'How many there are.' }) total!: number;
  @Field(() => [DataProcessInstance], { nullable: 'itemsAndList', description: 'The runs.' })
  runs!: Entity[];
}
