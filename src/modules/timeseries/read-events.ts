import { readJson } from '../../catalog/json/index.js';
import { charactersIn } from '../entities/index.js';
import type { RequestContext } from '../graphql/index.js';
import type { EventQuery, TimeseriesService } from './timeseries.service.js';

/**
 * Reads events, some at a time, and answers what `show` makes of their values.
 * @throws CatalogError GRAPHQL_TOO_COSTLY where they are more than an operation may hold
 */
export async function readEvents<Value, Shown>(
  context: RequestContext,
  service: TimeseriesService,
  show: (value: Value) => Shown,
  query: EventQuery,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for await (const events of service.portions(context.principal, query)) {
    context.hold(charactersIn(events));
    for (const { value } of events) {
      const turn = context.slices.pace();
      if (turn) await turn;
      shown.push(show(readJson(value) as Value));
    }
  }
  return shown;
}
