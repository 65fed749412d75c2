import type { Type } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Dataset } from '../datasets/graphql.js';
import { Chart, Dashboard, DataFlow, DataJob, Entity, RequestContext } from '../graphql/index.js';
import { AssetHealth } from './asset-health.js';
import { Health } from './health.types.js';

const HEALTH = {
  nullable: true,
  description:
    'How it is: by the last results of its assertions, where there are any, and by its incidents, where there were any.',
} as const;

/** A resolver of the field for one type. */
function healthOf(type: () => object): Type<object> {
  @Resolver(type)
  class HealthOfType {
    constructor(private readonly assets: AssetHealth) {}

    @ResolveField(() => [Health], HEALTH)
    async health(@Parent() { urn }: Entity, @Context() context: RequestContext): Promise<Health[]> {
      const loader = context.batched('health', async (urns) => {
        const found = await this.assets.of(context.principal, urns);
        return urns.map((each) => found.get(each) ?? []);
      });
      return loader.load(urn);
    }
  }
  return HealthOfType;
}

export const DatasetHealth = healthOf(() => Dataset);
export const ChartHealth = healthOf(() => Chart);
export const DashboardHealth = healthOf(() => Dashboard);
export const DataFlowHealth = healthOf(() => DataFlow);
export const DataJobHealth = healthOf(() => DataJob);
