import { Injectable, type Type } from '@nestjs/common';
import {
  Args,
  ArgsType,
  Context,
  Field,
  Int,
  ObjectType,
  Parent,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import {
  anyValueOf,
  Chart,
  Dashboard,
  DataFlow,
  DataJob,
  Entity,
  RequestContext,
  Searches,
  typeNamed,
} from '../graphql/index.js';
import { ListedPage, listEntities } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import {
  Incident,
  IncidentPriority,
  IncidentStage,
  IncidentState,
  storedPriority,
} from './incident.types.js';

@ArgsType()
class IncidentsArgs {
  @Field(() => IncidentState, { nullable: true, description: 'Only those in this state.' })
  state?: string | null;
  @Field(() => IncidentStage, { nullable: true, description: 'Only those at this stage.' })
  stage?: string | null;
  @Field(() => IncidentPriority, { nullable: true, description: 'Only those of this priority.' })
  priority?: IncidentPriority | null;
  @Field(() => [String], { nullable: true, description: 'URNs; only those that one of them works on.' })
  assigneeUrns?: string[] | null;
  @Field(() => Int, { nullable: true, description: 'How many to leave out, default 0.' })
  start?: number | null;
  @Field(() => Int, { nullable: true, description: 'How many to list, at most 1000, default 20.' })
  count?: number | null;
}

@ObjectType('EntityIncidentsResult', { description: 'A page of the incidents of an asset.' })
class EntityIncidentsResult extends ListedPage {
  @Field(() => [Incident], { description: 'The incidents, those that began last first.' })
  incidents!: Entity[];
}

const INCIDENTS = { nullable: true, description: 'Problems reported on it.' } as const;

@Injectable()
abstract class Incidents {
  constructor(private readonly search: SearchService) {}

  protected async page(
    entity: Entity,
    context: RequestContext,
    { state, stage, priority, assigneeUrns, start, count }: IncidentsArgs,
  ): Promise<EntityIncidentsResult> {
    const filters = [
      ...anyValueOf('entities', [entity.urn]),
      ...anyValueOf('state', state ? [state] : null),
      ...anyValueOf('stage', stage ? [stage] : null),
      ...anyValueOf('priority', priority ? [String(storedPriority(priority))] : null),
      ...anyValueOf('assignees', assigneeUrns),
    ];
    const asked = {
      start: start ?? null,
      count: count ?? null,
      filters,
      sort: { field: 'created', sortOrder: 'DESCENDING' as const },
    };
    const { urns, ...page } = await listEntities(this.search, context, 'incident', asked);
    return { ...page, incidents: urns.map((urn) => context.entity(urn)) };
  }
}

/** A resolver of the field for one type. */
function incidentsOf(type: () => object): Type<Incidents> {
  @Resolver(type)
  class IncidentsOfType extends Incidents {
    @Searches('list')
    @ResolveField(() => EntityIncidentsResult, INCIDENTS)
    incidents(
      @Parent() asset: Entity,
      @Context() context: RequestContext,
      @Args() args: IncidentsArgs,
    ): Promise<EntityIncidentsResult> {
      return this.page(asset, context, args);
    }
  }
  return IncidentsOfType;
}

export const DatasetIncidents = incidentsOf(() => typeNamed('Dataset'));
export const ChartIncidents = incidentsOf(() => Chart);
export const DashboardIncidents = incidentsOf(() => Dashboard);
export const DataFlowIncidents = incidentsOf(() => DataFlow);
export const DataJobIncidents = incidentsOf(() => DataJob);
export const MLModelIncidents = incidentsOf(() => typeNamed('MLModel'));
export const MLFeatureIncidents = incidentsOf(() => typeNamed('MLFeature'));
export const MLFeatureTableIncidents = incidentsOf(() => typeNamed('MLFeatureTable'));
export const SchemaFieldIncidents = incidentsOf(() => typeNamed('SchemaFieldEntity'));
