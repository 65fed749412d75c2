import { Field, InputType, ObjectType } from '@nestjs/graphql';
import { Entity, EntityObject, keyParts, NarrowEntity } from '../graphql/index.js';
import { ListedPage, ListInput } from '../search/graphql.js';

@EntityObject(
  'dataHubPolicy',
  'A rule of the catalog saying who may do what on which entities.',
  'DataHubPolicy',
)
export class DataHubPolicy extends NarrowEntity {
  @Field(() => String, { description: 'What it is called; otherwise its id.' })
  name(): string {
    return this.value('dataHubPolicyInfo')?.displayName ?? keyParts(this.urnText)[0] ?? '';
  }
}

@InputType('ListPoliciesInput', { description: 'Which policies to list.' })
export class ListPoliciesInput extends ListInput {}

@ObjectType('ListPoliciesResult', { description: 'A page of policies.' })
export class ListPoliciesResult extends ListedPage {
  @Field(() => [Entity], { description: 'Each of the type DataHubPolicy.' }) policies!: Entity[];
}
