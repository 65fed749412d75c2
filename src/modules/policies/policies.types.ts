import { Field, InputType, ObjectType } from '@nestjs/graphql';
import { Entity } from '../graphql/index.js';
import { ListedPage, ListInput } from '../search/graphql.js';

@InputType('ListPoliciesInput', { description: 'Which policies to list.' })
export class ListPoliciesInput extends ListInput {}

@ObjectType('ListPoliciesResult', { description: 'A page of policies.' })
export class ListPoliciesResult extends ListedPage {
  @Field(() => [Entity], { description: 'Each of the type DataHubPolicy.' }) policies!: Entity[];
}
