import type { Meter } from '../../catalog/metrics/index.js';

/** What the engine tells of its work. */
export interface GraphqlMetrics {
  /** `kept`: the answer was there from an earlier time. */
  ran(how: 'compiled' | 'interpreted' | 'kept'): void;
  /** @param units the size of a query that is about to be compiled; undefined when it is too large for that */
  estimated(units: number | undefined): void;
}

export function graphqlMetrics(meter: Meter | undefined, keptBytes: () => Promise<number>): GraphqlMetrics {
  const operations = meter?.counter({
    name: 'catalog_graphql_operations_total',
    help: 'GraphQL operations that were begun, by how they were run',
    labels: ['run'],
  });
  const compilations = meter?.counter({
    name: 'catalog_graphql_compilations_total',
    help: 'GraphQL queries that were looked at for compilation: compiled, or too large and interpreted ever since',
    labels: ['outcome'],
  });
  meter?.gauge(
    {
      name: 'catalog_graphql_documents_bytes',
      help: 'estimated bytes of known documents and compiled queries',
    },
    async () => [{ value: await keptBytes() }],
  );
  return {
    ran: (run) => operations?.(1, { run }),
    estimated: (units) => compilations?.(1, { outcome: units === undefined ? 'too_large' : 'compiled' }),
  };
}
