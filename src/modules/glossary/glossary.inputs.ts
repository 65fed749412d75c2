import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Entity, typeNamed } from '../graphql/index.js';

@InputType('CreateGlossaryEntityInput', { description: 'A new glossary term or folder.' })
export class CreateGlossaryEntityInput {
  @Field(() => String, { nullable: true, description: 'The last part of its URN; a UUID when absent.' })
  id?: string | null;

  @Field(() => String, { description: 'What it is called; no two on one level share a name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it means.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'URN of the folder it lies in; the top when absent.' })
  parentNode?: string | null;
}

@InputType('UpdateParentNodeInput', { description: 'A new place in the glossary.' })
export class UpdateParentNodeInput {
  @Field(() => String, { nullable: true, description: 'URN of the folder; the top when absent.' })
  parentNode?: string | null;

  @Field(() => String, { description: 'URN of the glossary term or folder.' })
  resourceUrn!: string;
}

const TermRelationshipType = { isA: 'isA', hasA: 'hasA' } as const;
type TermRelationshipType = keyof typeof TermRelationshipType;
registerEnumType(TermRelationshipType, {
  name: 'TermRelationshipType',
  description: 'How a glossary term relates to another.',
  valuesMap: {
    isA: { description: 'It is a kind of the other, and inherits from it.' },
    hasA: { description: 'It contains the other.' },
  },
});

@InputType('RelatedTermsInput', { description: 'Glossary terms that a term relates to.' })
export class RelatedTermsInput {
  @Field(() => String, { description: 'URN of the term.' })
  urn!: string;

  @Field(() => [String], { description: 'URNs of the terms it relates to.' })
  termUrns!: string[];

  @Field(() => TermRelationshipType, { description: 'How it relates to them.' })
  relationshipType!: TermRelationshipType;
}

@InputType('GetRootGlossaryEntitiesInput', { description: 'A page of the top of the glossary.' })
export class GetRootGlossaryEntitiesInput {
  @Field(() => Int, { description: 'How many to skip.' })
  start!: number;

  @Field(() => Int, { description: 'How many to list.' })
  count!: number;
}

@ObjectType('GetRootGlossaryTermsResult', { description: 'Glossary terms that lie in no folder.' })
export class GetRootGlossaryTermsResult {
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int) total!: number;
  @Field(() => [typeNamed('GlossaryTerm')]) terms!: Entity[];
}

@ObjectType('GetRootGlossaryNodesResult', { description: 'Glossary folders that lie in no other.' })
export class GetRootGlossaryNodesResult {
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int) total!: number;
  @Field(() => [typeNamed('GlossaryNode')]) nodes!: Entity[];
}
