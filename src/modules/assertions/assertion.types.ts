import { Field, Int, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import { dataType, SchemaFieldDataType } from '../datasets/graphql.js';
import {
  Entity,
  EntityObject,
  PlacedEntity,
  showsPartOf,
  showsRecord,
  type Stored,
} from '../graphql/index.js';

@EntityObject('assertion', 'A check that data should pass, such as freshness, volume or column values.')
export class Assertion extends PlacedEntity {}

@ObjectType('EntityAssertionsResult', { description: 'A page of the assertions of an asset.' })
export class EntityAssertionsResult {
  @Field(() => Int, { description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many there are.' }) total!: number;
  @Field(() => [Assertion], { description: 'The assertions.' }) assertions!: Entity[];
}

@ObjectType('SchemaAssertionField', { description: 'A column that a schema must have.' })
export class SchemaAssertionField {
  @Field(() => String, { description: 'Its path.' }) path!: string;
  @Field(() => SchemaFieldDataType) type!: SchemaFieldDataType;
  @Field(() => String, { nullable: true, description: 'Its type in the words of the platform.' })
  nativeType!: string | null;
}

@ObjectType('SchemaAssertionInfo', { description: 'The columns that a dataset must have.' })
export class SchemaAssertionInfo {
  @Field(() => [SchemaAssertionField], { description: 'The columns.' }) fields!: SchemaAssertionField[];
}

showsRecord(
  'assertion.SchemaAssertionInfo',
  'SchemaAssertionInfo',
  (value: model.SchemaAssertionInfo, _context, owner): SchemaAssertionInfo & Stored => ({
    fields: value.schema.fields.map(({ fieldPath, type, nativeDataType }) => ({
      path: fieldPath,
      type: dataType(type),
      nativeType: nativeDataType ?? null,
    })),
    stored: value,
    owner,
  }),
  SchemaAssertionInfo,
);
showsPartOf('SchemaAssertionInfo', 'assertion.SchemaAssertionInfo', true);
