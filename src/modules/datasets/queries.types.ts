import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Entity,
  EntityObject,
  GenericEntity,
  keyParts,
  ResolvedAuditStamp,
  resolvedStamp,
  showsAspect,
  showsPartOf,
  showsRecord,
  typeNamed,
  type Stored,
} from '../graphql/index.js';

@EntityObject('query', 'A query that was run or saved, and what it reads.', 'QueryEntity')
export class QueryEntity extends GenericEntity {}

@ObjectType('QueryProperties', { description: 'What a query says, and where it comes from.' })
export class QueryProperties {
  @Field(() => ResolvedAuditStamp, { description: 'When it was made, and who did it.' })
  createdOn!: ResolvedAuditStamp;
}

showsRecord(
  'query.QueryProperties',
  'QueryProperties',
  (value: model.QueryProperties, context, owner): QueryProperties & Stored => ({
    createdOn: resolvedStamp(value.created, context),
    stored: value,
    owner,
  }),
  QueryProperties,
);
showsPartOf('QueryProperties', 'query.QueryProperties', true);

@ObjectType('QuerySubject', { description: 'What a query is about.' })
export class QuerySubject {
  @Field(() => Entity, { description: 'The dataset or the column.' }) entity!: Entity;
  @Field(() => typeNamed('Dataset'), { nullable: true, description: 'The dataset, also of a column.' })
  dataset!: Entity | null;
  @Field(() => typeNamed('SchemaFieldEntity'), { nullable: true, description: 'The column, if it is one.' })
  schemaField!: Entity | null;
}

showsAspect('querySubjects', [QuerySubject], ({ subjects }: model.QuerySubjects, context): QuerySubject[] =>
  subjects.map(({ entity: urn }) => {
    const entity = context.entity(urn);
    const isColumn = entity.entityName === 'schemaField';
    const dataset = isColumn ? context.entity(keyParts(urn)[0]) : entity;
    return {
      entity,
      dataset: dataset?.entityName === 'dataset' ? dataset : null,
      schemaField: isColumn ? entity : null,
    };
  }),
);
