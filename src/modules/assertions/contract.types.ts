import { Field, ObjectType } from '@nestjs/graphql';
import { EntityObject, NarrowEntity, optional, showsPartOf, type Stored } from '../graphql/index.js';
import { DataContractState } from './contracts.inputs.js';

@ObjectType('ContractStatus', {
  description: 'Whether a contract is active, and whether it was soft-deleted.',
})
export class ContractStatus implements Stored {
  stored?: object | undefined;
  owner?: string;
  @Field(() => Boolean, { description: 'Soft-deleted entities are hidden from search, and readable by URN.' })
  removed!: boolean;
  @Field(() => DataContractState, { nullable: true, description: 'Null where nothing says so.' })
  state!: keyof typeof DataContractState | null;
}

@EntityObject('dataContract', 'The promises made about a dataset, as assertions.')
export class DataContract extends NarrowEntity {
  // Clients ask for the state where other entities have their soft deletion only.
  @Field(() => ContractStatus, {
    ...optional,
    description: 'Whether it is active, and whether it was soft-deleted.',
  })
  status(): ContractStatus | null {
    const [deletion, contract] = this.values('status', 'dataContractStatus');
    if (!deletion && !contract) return null;
    const { urn: owner } = this;
    return { removed: deletion?.removed ?? false, state: contract?.state ?? null, stored: deletion, owner };
  }
}

showsPartOf('ContractStatus', 'common.Status');
