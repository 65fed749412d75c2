import { route } from '../../catalog/route/index.js';
import { LINEAGE_EVENT } from './lineage-event.schema.js';

/** Where OpenLineage clients send their events. */
export const receiveLineageEvent = route({
  method: 'post',
  path: '/openapi/openlineage/api/v1/lineage',
  operation: 'receiveLineageEvent',
  summary: 'Takes an event of OpenLineage',
  description:
    'Writes the job, its flow, the run, the datasets with their schemas, and the lineage between them, of columns too. ' +
    'Events may repeat and come late. An event without inputs or outputs leaves known lineage as it is.',
  parameters: {},
  body: (schemas) => ({
    schema: schemas.component('LineageEvent', () => LINEAGE_EVENT),
    example: {
      eventType: 'COMPLETE',
      eventTime: '2026-06-14T04:30:00Z',
      producer: 'https://github.com/apache/airflow/tree/providers-openlineage/2.0.0',
      run: { runId: '01a0b5f2-7a20-7c3e-9a70-3a1c9d6f0b11' },
      job: { namespace: 'nightly', name: 'nightly_brew.build_orders' },
      inputs: [{ namespace: 'snowflake://third-kettle', name: 'brew.staging.stg_orders' }],
      outputs: [{ namespace: 'snowflake://third-kettle', name: 'brew.marts.orders' }],
    },
  }),
  answers: () => ({ 200: { description: 'The event is stored.' } }),
  errors: [400, 413],
});
