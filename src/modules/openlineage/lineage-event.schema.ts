import type { JsonSchema } from '../../catalog/model/index.js';

/** A part of an event by its properties. OpenLineage lets producers add others, and null stands for what is unknown. */
const part = (required: readonly string[], properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      required.includes(name) ? schema : orNull(schema),
    ]),
  ),
});
const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type as string, 'null'],
  ...(schema.enum && { enum: [...schema.enum, null] }),
});
const text: JsonSchema = { type: 'string', minLength: 1 };
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const inputField = part(['namespace', 'name', 'field'], {
  namespace: text,
  name: text,
  field: text,
  transformations: listOf(part(['type'], { type: text, subtype: { type: 'string' } })),
});

const field = part(['name'], { name: text, type: { type: 'string' }, description: { type: 'string' } });

const dataset = part(['namespace', 'name'], {
  namespace: text,
  name: text,
  facets: part([], {
    schema: part([], { fields: listOf(field) }),
    symlinks: part([], {
      identifiers: listOf(
        part(['namespace', 'name'], { namespace: text, name: text, type: { type: 'string' } }),
      ),
    }),
    columnLineage: part([], {
      fields: {
        type: 'object',
        additionalProperties: part(['inputFields'], {
          inputFields: listOf(inputField),
          transformationType: { type: 'string' },
        }),
      },
    }),
  }),
});

const job = part(['namespace', 'name'], {
  namespace: text,
  name: text,
  facets: part([], {
    documentation: part([], { description: { type: 'string' } }),
    jobType: part([], { processingType: { type: 'string' }, jobType: { type: 'string' } }),
    sql: part(['query'], { query: { type: 'string' } }),
  }),
});

const run = part(['runId'], {
  runId: { ...text, format: 'uuid' },
  facets: part([], {
    processing_engine: part([], { name: { type: 'string' }, version: { type: 'string' } }),
    parent: part(['run'], { run: part(['runId'], { runId: text }) }),
  }),
});

export const EVENT_TYPES = ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] as const;

/** What is read of an event of OpenLineage 2: of a run, a job or a dataset. */
export const LINEAGE_EVENT: JsonSchema = {
  ...part(['eventTime', 'producer'], {
    eventTime: { type: 'string', format: 'date-time' },
    producer: text,
    schemaURL: { type: 'string' },
    eventType: { type: 'string', enum: [...EVENT_TYPES] },
    run,
    job,
    dataset,
    inputs: listOf(dataset),
    outputs: listOf(dataset),
  }),
  description:
    'An event of OpenLineage 2: of a run (`run` and `job`), a job (`job`) or a dataset (`dataset`).',
};
