import type { Type } from '@nestjs/common';
import { Field, InputType } from '@nestjs/graphql';
import { OwnershipUpdate } from '../ownership/graphql.js';
import { GlobalTagsUpdate } from './datasets.inputs.js';

/** What people may change of an asset; parts that are absent stay as they are. */
export interface AssetUpdate {
  ownership?: OwnershipUpdate | null;
  globalTags?: GlobalTagsUpdate | null;
  tags?: GlobalTagsUpdate | null;
  editableProperties?: { description: string } | null;
}

/** The input for one type of assets, and the one for what people write about it: both have names of their own. */
function updateInputs(type: string, word: string): Type<AssetUpdate> {
  @InputType(`${type}EditablePropertiesUpdate`, { description: `What people write about a ${word}.` })
  class EditableProperties {
    @Field(() => String, { description: 'The description; markdown is kept as it is.' })
    description!: string;
  }

  @InputType(`${type}UpdateInput`, {
    description: `Changes to a ${word}; parts that are absent stay as they are.`,
  })
  class UpdateInput implements AssetUpdate {
    @Field(() => OwnershipUpdate, { nullable: true, description: 'Its owners.' })
    ownership?: OwnershipUpdate | null;
    @Field(() => GlobalTagsUpdate, { nullable: true, description: 'An older name of tags.' })
    globalTags?: GlobalTagsUpdate | null;
    @Field(() => GlobalTagsUpdate, { nullable: true, description: 'Its tags.' })
    tags?: GlobalTagsUpdate | null;
    @Field(() => EditableProperties, { nullable: true, description: 'Its description.' })
    editableProperties?: EditableProperties | null;
  }

  return UpdateInput;
}

export const ChartUpdateInput = updateInputs('Chart', 'chart');
export const DashboardUpdateInput = updateInputs('Dashboard', 'dashboard');
export const DataFlowUpdateInput = updateInputs('DataFlow', 'data flow');
export const DataJobUpdateInput = updateInputs('DataJob', 'data job');
