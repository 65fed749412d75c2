import { Field, InputType } from '@nestjs/graphql';
import { Long, ResourceRefInput } from '../graphql/index.js';
import { OwnershipUpdate } from '../ownership/graphql.js';

@InputType('DescriptionUpdateInput', { description: 'A description, and what it describes.' })
export class DescriptionUpdateInput extends ResourceRefInput {
  @Field(() => String, { description: 'The description; markdown is kept as it is.' })
  description!: string;
}

@InputType('DatasetEditablePropertiesUpdate', { description: 'What people write about a dataset.' })
export class DatasetEditablePropertiesUpdate {
  @Field(() => String, { description: 'The description; markdown is kept as it is.' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'What it is called; stays as it is when absent.' })
  name?: string | null;
}

@InputType('InstitutionalMemoryMetadataUpdate', {
  description: 'A link in a list that replaces the links there were.',
})
export class InstitutionalMemoryMetadataUpdate {
  @Field(() => String, { description: 'An http, https, ftp or mailto address.' })
  url!: string;

  @Field(() => String, { nullable: true, description: 'What is found there.' })
  description?: string | null;

  @Field(() => String, { description: 'URN of the user it comes from.' })
  author!: string;

  @Field(() => Long, {
    nullable: true,
    description: 'When it was made, epoch milliseconds; now when absent.',
  })
  createdAt?: number | null;
}

@InputType('InstitutionalMemoryUpdate', { description: 'Links that replace those there were.' })
export class InstitutionalMemoryUpdate {
  @Field(() => [InstitutionalMemoryMetadataUpdate], { description: 'All links; an empty list removes them.' })
  elements!: InstitutionalMemoryMetadataUpdate[];
}

@InputType('DatasetDeprecationUpdate', { description: 'Whether a dataset should still be used.' })
export class DatasetDeprecationUpdate {
  @Field(() => Boolean, { description: 'Whether it should no longer be used.' })
  deprecated!: boolean;

  @Field(() => Long, { nullable: true, description: 'When it will be gone, epoch milliseconds.' })
  decommissionTime?: number | null;

  @Field(() => String, { nullable: true, description: 'What users should know.' })
  note?: string | null;

  @Field(() => String, { nullable: true, description: 'Accepted and ignored: it is the user of the token.' })
  actor?: string | null;
}

@InputType('TagUpdate', { description: 'A tag by its URN.' })
export class TagUpdate {
  @Field(() => String, { description: 'URN of the tag.' })
  urn!: string;

  @Field(() => String, { nullable: true, description: 'Accepted and ignored: updateTag renames a tag.' })
  name?: string | null;
}

@InputType('TagAssociationUpdate', { description: 'A tag in a list of tags.' })
export class TagAssociationUpdate {
  @Field(() => TagUpdate, { description: 'The tag; it must exist.' })
  tag!: TagUpdate;
}

@InputType('GlobalTagsUpdate', { description: 'Tags that replace those there were.' })
export class GlobalTagsUpdate {
  @Field(() => [TagAssociationUpdate], { description: 'All tags; an empty list removes them.' })
  tags!: TagAssociationUpdate[];
}

@InputType('EditableSchemaFieldInfoUpdate', { description: 'What people write about one column.' })
export class EditableSchemaFieldInfoUpdate {
  @Field(() => String, { description: 'Path of the column.' })
  fieldPath!: string;

  @Field(() => String, { nullable: true, description: 'Its description; stays as it is when absent.' })
  description?: string | null;

  @Field(() => GlobalTagsUpdate, { nullable: true, description: 'Its tags; stay as they are when absent.' })
  globalTags?: GlobalTagsUpdate | null;
}

@InputType('EditableSchemaMetadataUpdate', {
  description: 'What people write about columns; those that are not named stay as they are.',
})
export class EditableSchemaMetadataUpdate {
  @Field(() => [EditableSchemaFieldInfoUpdate], { description: 'The columns.' })
  editableSchemaFieldInfo!: EditableSchemaFieldInfoUpdate[];
}

@InputType('DatasetUpdateInput', {
  description: 'Changes to a dataset; parts that are absent stay as they are.',
})
export class DatasetUpdateInput {
  @Field(() => OwnershipUpdate, { nullable: true, description: 'Its owners.' })
  ownership?: OwnershipUpdate | null;

  @Field(() => DatasetDeprecationUpdate, { nullable: true, description: 'Whether it should still be used.' })
  deprecation?: DatasetDeprecationUpdate | null;

  @Field(() => InstitutionalMemoryUpdate, { nullable: true, description: 'Links to its documentation.' })
  institutionalMemory?: InstitutionalMemoryUpdate | null;

  @Field(() => GlobalTagsUpdate, { nullable: true, description: 'An older name of tags.' })
  globalTags?: GlobalTagsUpdate | null;

  @Field(() => GlobalTagsUpdate, { nullable: true, description: 'Its tags.' })
  tags?: GlobalTagsUpdate | null;

  @Field(() => EditableSchemaMetadataUpdate, { nullable: true, description: 'Its columns.' })
  editableSchemaMetadata?: EditableSchemaMetadataUpdate | null;

  @Field(() => DatasetEditablePropertiesUpdate, { nullable: true, description: 'Its name and description.' })
  editableProperties?: DatasetEditablePropertiesUpdate | null;
}

@InputType('BatchDatasetUpdateInput', { description: 'A dataset, and the changes to it.' })
export class BatchDatasetUpdateInput {
  @Field(() => String, { description: 'URN of the dataset.' })
  urn!: string;

  @Field(() => DatasetUpdateInput, { description: 'The changes.' })
  update!: DatasetUpdateInput;
}
