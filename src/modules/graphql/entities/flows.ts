import { Field, ObjectType } from '@nestjs/graphql';
import { keyParts } from '../types/common.js';
import {
  described,
  Named,
  EditableDescription,
  editableDescription,
  PlacedAsset,
  platformUrn,
} from '../types/described.js';
import { Asset } from '../types/asset.js';
import { showsPartOf, type Stored } from '../model-types/record-views.js';
import { Entity, EntityObject, optional, typeNamed } from '../types/entity.js';

@ObjectType('DataFlowProperties', { description: 'Name and description of a data flow.' })
export class DataFlowProperties extends Named {
  @Field(() => String, optional) project!: string | null;
}

@ObjectType('DataFlowEditableProperties', { description: 'What people wrote about a data flow.' })
export class DataFlowEditableProperties extends EditableDescription {}

@EntityObject('dataFlow', 'A pipeline: jobs that run together.')
export class DataFlow extends PlacedAsset {
  @Field(() => String)
  get orchestrator(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => String)
  get flowId(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => String)
  get cluster(): string {
    return keyParts(this.urnText)[2] ?? '';
  }

  @Field(() => DataFlowProperties, {
    nullable: true,
    description: 'Name, description and further properties.',
  })
  properties(): DataFlowProperties | null {
    const [value, editable] = this.values('dataFlowInfo', 'editableDataFlowProperties');
    const shown = described(value, editable, this.urnText);
    return shown && { ...shown, project: value?.project ?? null };
  }

  @Field(() => DataFlowEditableProperties, { nullable: true, description: 'What people wrote about it.' })
  editableProperties(): DataFlowEditableProperties | null {
    return editableDescription(this.value('editableDataFlowProperties'), this.urnText);
  }

  protected override platformOfKey(): string | undefined {
    return platformUrn(keyParts(this.urnText)[0]);
  }
}

@ObjectType('DataJobProperties', { description: 'Name and description of a data job.' })
export class DataJobProperties extends Named {}

@ObjectType('DataJobInputOutput', { description: 'What a data job reads and writes.' })
export class DataJobInputOutput {
  @Field(() => [typeNamed('Dataset')], optional) inputDatasets!: Entity[];
  @Field(() => [typeNamed('Dataset')], optional) outputDatasets!: Entity[];
  @Field(() => [typeNamed('DataJob')], optional) inputDatajobs!: Entity[];
}

@ObjectType('DataJobEditableProperties', { description: 'What people wrote about a data job.' })
export class DataJobEditableProperties extends EditableDescription {}

@EntityObject('dataJob', 'One job of a pipeline.')
export class DataJob extends Asset {
  @Field(() => String)
  get jobId(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => typeNamed('DataPlatform'), { nullable: true, description: 'The platform of its pipeline.' })
  get platform(): Entity | null {
    const [flow = ''] = keyParts(this.urnText);
    return this.context.entity(platformUrn(keyParts(flow)[0])) ?? null;
  }

  @Field(() => typeNamed('DataFlow'), { nullable: true, description: 'The pipeline it belongs to.' })
  get dataFlow(): Entity | null {
    return this.context.entity(keyParts(this.urnText)[0]) ?? null;
  }

  @Field(() => DataJobProperties, {
    nullable: true,
    description: 'Name, description and further properties.',
  })
  properties(): DataJobProperties | null {
    const [value, editable] = this.values('dataJobInfo', 'editableDataJobProperties');
    return described(value, editable, this.urnText);
  }

  @Field(() => DataJobEditableProperties, { nullable: true, description: 'What people wrote about it.' })
  editableProperties(): DataJobEditableProperties | null {
    return editableDescription(this.value('editableDataJobProperties'), this.urnText);
  }

  @Field(() => DataJobInputOutput, { nullable: true, description: 'What it reads and writes.' })
  inputOutput(): (DataJobInputOutput & Stored) | null {
    const value = this.value('dataJobInputOutput');
    if (!value) return null;
    const entities = (
      type: string,
      urns: readonly string[] = [],
      edges: ReadonlyArray<{ destinationUrn: string }> = [],
    ) =>
      [...new Set([...urns, ...edges.map((edge) => edge.destinationUrn)])]
        .map((urn) => this.context.entity(urn))
        .filter((entity) => entity.entityName === type);
    return {
      inputDatasets: entities('dataset', value.inputDatasets, value.inputDatasetEdges),
      outputDatasets: entities('dataset', value.outputDatasets, value.outputDatasetEdges),
      inputDatajobs: entities('dataJob', value.inputDatajobs, value.inputDatajobEdges),
      stored: value,
      owner: this.urnText,
    };
  }
}

showsPartOf('DataFlowProperties', 'datajob.DataFlowInfo');
showsPartOf('DataJobInputOutput', 'datajob.DataJobInputOutput', true);
showsPartOf('DataJobProperties', 'datajob.DataJobInfo');
showsPartOf('DataFlowEditableProperties', 'datajob.EditableDataFlowProperties', true);
showsPartOf('DataJobEditableProperties', 'datajob.EditableDataJobProperties', true);
