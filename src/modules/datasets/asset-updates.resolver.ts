import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext, typeNamed } from '../graphql/index.js';
import {
  ChartUpdateInput,
  DashboardUpdateInput,
  DataFlowUpdateInput,
  DataJobUpdateInput,
  type AssetUpdate,
} from './asset-updates.inputs.js';
import { DatasetUpdatesService } from './dataset-updates.service.js';

const urnOf = (word: string) => ({ type: () => String, description: `URN of the ${word}.` });
const changes = (word: string) => ({
  nullable: true as const,
  description: `Changes several parts of a ${word}.`,
});

/** What people write about charts, dashboards, flows and jobs. */
@Resolver()
export class AssetUpdatesResolver {
  constructor(private readonly updates: DatasetUpdatesService) {}

  @Mutation(() => typeNamed('Chart'), changes('chart'))
  updateChart(
    @Context() context: RequestContext,
    @Args('urn', urnOf('chart')) urn: string,
    @Args('input', { type: () => ChartUpdateInput }) update: AssetUpdate,
  ) {
    return this.update(context, 'chart', urn, update);
  }

  @Mutation(() => typeNamed('Dashboard'), changes('dashboard'))
  updateDashboard(
    @Context() context: RequestContext,
    @Args('urn', urnOf('dashboard')) urn: string,
    @Args('input', { type: () => DashboardUpdateInput }) update: AssetUpdate,
  ) {
    return this.update(context, 'dashboard', urn, update);
  }

  @Mutation(() => typeNamed('DataFlow'), changes('data flow'))
  updateDataFlow(
    @Context() context: RequestContext,
    @Args('urn', urnOf('data flow')) urn: string,
    @Args('input', { type: () => DataFlowUpdateInput }) update: AssetUpdate,
  ) {
    return this.update(context, 'dataFlow', urn, update);
  }

  @Mutation(() => typeNamed('DataJob'), changes('data job'))
  updateDataJob(
    @Context() context: RequestContext,
    @Args('urn', urnOf('data job')) urn: string,
    @Args('input', { type: () => DataJobUpdateInput }) update: AssetUpdate,
  ) {
    return this.update(context, 'dataJob', urn, update);
  }

  private async update(
    context: RequestContext,
    type: 'chart' | 'dashboard' | 'dataFlow' | 'dataJob',
    urn: string,
    update: AssetUpdate,
  ) {
    await this.updates.update(context.principal, [{ type, urn, urnAt: '/urn', update, updateAt: '' }]);
    context.refresh();
    return context.entity(urn);
  }
}
