import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { Entity, ResourceRefInput, typeNamed } from '../graphql/index.js';
import { OwnerInput } from '../ownership/graphql.js';

@InputType('CreateDomainInput', { description: 'A new domain.' })
export class CreateDomainInput {
  @Field(() => String, { nullable: true, description: 'The last part of its URN; a UUID when absent.' })
  id?: string | null;

  @Field(() => String, { description: 'What it is called; no two on one level share a name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What belongs to it.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'URN of the domain it lies in; the top when absent.' })
  parentDomain?: string | null;

  @Field(() => [OwnerInput], { nullable: true, description: 'Its owners; the caller when absent.' })
  owners?: OwnerInput[] | null;
}

@InputType('MoveDomainInput', { description: 'A new place for a domain.' })
export class MoveDomainInput {
  @Field(() => String, { nullable: true, description: 'URN of the domain to lie in; the top when absent.' })
  parentDomain?: string | null;

  @Field(() => String, { description: 'URN of the domain.' })
  resourceUrn!: string;
}

@InputType('ListDomainsInput', { description: 'A page of the domains on one level.' })
export class ListDomainsInput {
  @Field(() => Int, { nullable: true, description: 'How many to skip, default 0.' })
  start?: number | null;

  @Field(() => Int, { nullable: true, description: 'How many to list, default 20.' })
  count?: number | null;

  @Field(() => String, { nullable: true, description: 'URN of the domain they lie in; the top when absent.' })
  parentDomain?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Text to look for on the level, the best match first; all of it when absent.',
  })
  query?: string | null;
}

@ObjectType('ListDomainsResult', { description: 'Domains on one level.' })
export class ListDomainsResult {
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int) total!: number;
  @Field(() => [typeNamed('Domain')]) domains!: Entity[];
}

@InputType('BatchSetDomainInput', { description: 'Entities, and the domain to put them into.' })
export class BatchSetDomainInput {
  @Field(() => String, { nullable: true, description: 'URN of the domain; out of any when absent.' })
  domainUrn?: string | null;

  @Field(() => [ResourceRefInput], { description: 'The entities, all or none of them.' })
  resources!: ResourceRefInput[];
}
