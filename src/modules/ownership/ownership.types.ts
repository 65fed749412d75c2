import { Field, ObjectType } from '@nestjs/graphql';
import { Asset, EntityObject, optional } from '../graphql/index.js';

@ObjectType('OwnershipTypeInfo', { description: 'Name and description of a kind of ownership.' })
export class OwnershipTypeInfo {
  @Field(() => String, optional) name!: string | null;
  @Field(() => String, optional) description!: string | null;
}

@EntityObject('ownershipType', 'A kind of ownership that people defined.')
export class OwnershipTypeEntity extends Asset {
  @Field(() => OwnershipTypeInfo, { nullable: true, description: 'Name and description.' })
  info(): OwnershipTypeInfo | null {
    const value = this.value('ownershipTypeInfo');
    return value ? { name: value.name, description: value.description ?? null } : null;
  }
}
