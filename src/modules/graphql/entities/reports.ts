import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { AuditStamp, keyParts, LAST_MODIFIED, UNKNOWN_STAMP } from '../types/common.js';
import {
  Described,
  described,
  EditableDescription,
  editableDescription,
  Named,
  PlacedAsset,
  platformUrn,
} from '../types/described.js';
import { showsPartOf, type Stored } from '../model-types/record-views.js';
import { Entity, EntityObject, typeNamed } from '../types/entity.js';

/** Both report when they were made and changed in one record. */
@ObjectType({ isAbstract: true })
abstract class Report extends Named {
  @Field(() => AuditStamp, { description: 'When it was made, and by whom; time 0 where nothing says it.' })
  declare created: AuditStamp;
  @Field(() => AuditStamp, { description: LAST_MODIFIED }) declare lastModified: AuditStamp;
}

@ObjectType('ChartProperties', { description: 'Name and description of a chart.' })
export class ChartProperties extends Report {}

@ObjectType('ChartInfo', { description: 'Name, description and inputs of a chart.' })
export class ChartInfo extends Described {
  @Field(() => [Entity], { nullable: true, description: 'What it is made from.' }) inputs!: Entity[];
}

@ObjectType('DashboardProperties', { description: 'Name and description of a dashboard.' })
export class DashboardProperties extends Report {}

@ObjectType('DashboardInfo', { description: 'Name, description and charts of a dashboard.' })
export class DashboardInfo extends Described {
  @Field(() => [typeNamed('Chart')], { nullable: true, description: 'The charts on it.' }) charts!: Entity[];
}

function report(
  info: model.ChartInfo | model.DashboardInfo | undefined,
  editable: { description?: string } | undefined,
  urn: string,
): (Report & Stored) | null {
  const shown = described(info && { ...info, ...info.lastModified }, editable, urn);
  return (
    shown && {
      ...shown,
      created: shown.created ?? UNKNOWN_STAMP,
      lastModified: shown.lastModified ?? UNKNOWN_STAMP,
    }
  );
}

/** What a reporting tool shows. */
@ObjectType({ isAbstract: true })
abstract class OfTool extends PlacedAsset {
  @Field(() => String)
  get tool(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  protected override platformOfKey(): string | undefined {
    return platformUrn(keyParts(this.urnText)[0]);
  }
}

@ObjectType('ChartEditableProperties', { description: 'What people wrote about a chart.' })
export class ChartEditableProperties extends EditableDescription {}

@EntityObject('chart', 'A chart of a reporting tool.')
export class Chart extends OfTool {
  @Field(() => String)
  get chartId(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => ChartProperties, { nullable: true, description: 'Name, description and further properties.' })
  properties(): ChartProperties | null {
    const [value, editable] = this.ownAndEditable();
    return report(value, editable, this.urnText);
  }

  @Field(() => ChartInfo, { nullable: true, description: 'The properties, and what the chart is made from.' })
  info(): ChartInfo | null {
    const [value, editable] = this.ownAndEditable();
    const shown = report(value, editable, this.urnText);
    const inputs = [
      ...(value?.inputs ?? []).map((input) => input.string),
      ...(value?.inputEdges ?? []).map((edge) => edge.destinationUrn),
    ];
    return shown && { ...shown, inputs: [...new Set(inputs)].map((urn) => this.context.entity(urn)) };
  }

  @Field(() => ChartEditableProperties, { nullable: true, description: 'What people wrote about it.' })
  editableProperties(): ChartEditableProperties | null {
    return editableDescription(this.value('editableChartProperties'), this.urnText);
  }

  private ownAndEditable() {
    return this.values('chartInfo', 'editableChartProperties');
  }
}

@ObjectType('DashboardEditableProperties', { description: 'What people wrote about a dashboard.' })
export class DashboardEditableProperties extends EditableDescription {}

@EntityObject('dashboard', 'A page of charts.')
export class Dashboard extends OfTool {
  @Field(() => String)
  get dashboardId(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => DashboardProperties, {
    nullable: true,
    description: 'Name, description and further properties.',
  })
  properties(): DashboardProperties | null {
    const [value, editable] = this.ownAndEditable();
    return report(value, editable, this.urnText);
  }

  @Field(() => DashboardInfo, { nullable: true, description: 'The properties, and the charts on it.' })
  info(): DashboardInfo | null {
    const [value, editable] = this.ownAndEditable();
    const shown = report(value, editable, this.urnText);
    const charts = [
      ...(value?.charts ?? []),
      ...(value?.chartEdges ?? []).map((edge) => edge.destinationUrn),
    ];
    return shown && { ...shown, charts: [...new Set(charts)].map((urn) => this.context.entity(urn)) };
  }

  @Field(() => DashboardEditableProperties, { nullable: true, description: 'What people wrote about it.' })
  editableProperties(): DashboardEditableProperties | null {
    return editableDescription(this.value('editableDashboardProperties'), this.urnText);
  }

  private ownAndEditable() {
    return this.values('dashboardInfo', 'editableDashboardProperties');
  }
}

showsPartOf('ChartProperties', 'chart.ChartInfo');
showsPartOf('ChartInfo', 'chart.ChartInfo');
showsPartOf('DashboardProperties', 'dashboard.DashboardInfo');
showsPartOf('DashboardInfo', 'dashboard.DashboardInfo');
showsPartOf('ChartEditableProperties', 'chart.EditableChartProperties', true);
showsPartOf('DashboardEditableProperties', 'dashboard.EditableDashboardProperties', true);
