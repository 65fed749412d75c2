import { Field, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { AuditStamp, enumOf, Long, optional } from '../graphql/index.js';
import { CATEGORIES } from './change-event.js';

/** Those of the service, and further ones that clients know. */
export const ChangeCategoryType = enumOf([...CATEGORIES, 'PARENT', 'RELATED_ENTITIES']);
export type ChangeCategoryType = keyof typeof ChangeCategoryType;
const never = { description: 'Never reported: accepted because clients ask for it.' };
registerEnumType(ChangeCategoryType, {
  name: 'ChangeCategoryType',
  description: 'What a change is about.',
  valuesMap: { PARENT: never, RELATED_ENTITIES: never, ASSET_MEMBERSHIP: never },
});

export const ChangeOperationType = enumOf(['ADD', 'MODIFY', 'REMOVE']);
export type ChangeOperationType = keyof typeof ChangeOperationType;
registerEnumType(ChangeOperationType, { name: 'ChangeOperationType', description: 'How something changed.' });

@InputType('GetTimelineInput', { description: 'Whose history is wanted.' })
export class GetTimelineInput {
  @Field(() => String, { description: 'URN of the entity.' }) urn!: string;
  @Field(() => [ChangeCategoryType], { nullable: true, description: 'All of them when absent.' })
  changeCategories?: ChangeCategoryType[] | null;
}

@ObjectType('TimelineParameterEntry', { description: 'A detail of a change.' })
export class TimelineParameterEntry {
  @Field(() => String, optional) key!: string;
  @Field(() => String, optional) value!: string;
}

@ObjectType('ChangeEvent', { description: 'One thing that changed.' })
export class ChangeEvent {
  @Field(() => String, { description: 'URN of the entity, or of the column.' }) urn!: string;
  @Field(() => ChangeCategoryType, optional) category!: ChangeCategoryType | null;
  @Field(() => ChangeOperationType, optional) operation!: ChangeOperationType | null;
  @Field(() => String, { nullable: true, description: 'What came, went or changed.' })
  modifier!: string | null;
  @Field(() => [TimelineParameterEntry], optional) parameters!: TimelineParameterEntry[];
  @Field(() => AuditStamp, optional) auditStamp!: AuditStamp | null;
  @Field(() => String, { nullable: true, description: 'In words.' }) description!: string | null;
}

@ObjectType('ChangeTransaction', { description: 'What changed at one moment.' })
export class ChangeTransaction {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) timestampMillis!: number;
  @Field(() => String, { description: 'The version that the entity has from then on.' })
  lastSemanticVersion!: string;
  @Field(() => String, { description: 'Names the moment.' }) versionStamp!: string;
  @Field(() => ChangeOperationType, { description: 'MODIFY where there are changes of several kinds.' })
  changeType!: ChangeOperationType;
  @Field(() => String, { nullable: true, description: 'URN of the user.' }) actor!: string | null;
  @Field(() => [ChangeEvent], optional) changes!: ChangeEvent[];
}

@ObjectType('GetTimelineResult', { description: 'The history of an entity.' })
export class GetTimelineResult {
  @Field(() => [ChangeTransaction], { description: 'In the order of time.' })
  changeTransactions!: ChangeTransaction[];
}

@ObjectType('SemanticVersionStruct', { description: 'A version of a schema.' })
export class SemanticVersionStruct {
  @Field(() => String, optional) semanticVersion!: string;
  @Field(() => Long, { nullable: true, description: 'Since when, epoch milliseconds.' })
  semanticVersionTimestamp!: number;
  @Field(() => String, { nullable: true, description: 'Names the moment.' }) versionStamp!: string;
}

@InputType('GetSchemaVersionListInput', { description: 'Whose versions are wanted.' })
export class GetSchemaVersionListInput {
  @Field(() => String, { description: 'URN of the dataset.' }) datasetUrn!: string;
}

@ObjectType('GetSchemaVersionListResult', { description: 'The versions of a schema.' })
export class GetSchemaVersionListResult {
  @Field(() => SemanticVersionStruct, optional) latestVersion!: SemanticVersionStruct | null;
  @Field(() => [SemanticVersionStruct], { nullable: true, description: 'The newest first.' })
  semanticVersionList!: SemanticVersionStruct[];
}

@InputType('GetSchemaBlameInput', { description: 'Whose columns are wanted.' })
export class GetSchemaBlameInput {
  @Field(() => String, { description: 'URN of the dataset.' }) datasetUrn!: string;
  @Field(() => String, { nullable: true, description: 'As of this version; the latest when absent.' })
  version?: string | null;
}

@ObjectType('SchemaFieldChange', { description: 'The last change of a column.' })
export class SchemaFieldChange {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) timestampMillis!: number;
  @Field(() => String, { description: 'The version that it made.' }) lastSemanticVersion!: string;
  @Field(() => String, { description: 'Names the moment.' }) versionStamp!: string;
  @Field(() => ChangeOperationType) changeType!: ChangeOperationType;
  @Field(() => String, { nullable: true, description: 'In words.' }) lastSchemaFieldChange!: string;
}

@ObjectType('SchemaFieldBlame', { description: 'A column, and its last change.' })
export class SchemaFieldBlame {
  @Field(() => String, { description: 'Path of the column.' }) fieldPath!: string;
  @Field(() => SchemaFieldChange) schemaFieldChange!: SchemaFieldChange;
}

@ObjectType('GetSchemaBlameResult', { description: 'The columns of a version, each with its last change.' })
export class GetSchemaBlameResult {
  @Field(() => SemanticVersionStruct, optional) version!: SemanticVersionStruct | null;
  @Field(() => [SchemaFieldBlame], optional) schemaFieldBlameList!: SchemaFieldBlame[];
}
