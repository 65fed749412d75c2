import type { JsonSchema } from '../../catalog/model/index.js';
import { closed, type SharedSchemas } from '../../catalog/route/index.js';

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});
const time: JsonSchema = {
  type: 'integer',
  format: 'int64',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Epoch milliseconds.',
};

/** What system metadata holds, as clients may send it too. */
const systemMetadata: Record<string, JsonSchema> = {
  lastObserved: { ...time, description: 'When a client last saw this value, epoch milliseconds.' },
  runId: text('The run that wrote the value first.'),
  lastRunId: text('The run that wrote the value last.'),
  pipelineName: text('The pipeline of the run.'),
  registryName: text('Name of the model that the client knew.'),
  registryVersion: text('Its version.'),
  schemaVersion: { ...time, description: 'The version of the schema that the value was made for.' },
  properties: { type: 'object', additionalProperties: { type: 'string' } },
};

/** What stands beside a value: where it came from, who wrote it, and under which conditions it is written. */
export const METADATA_SCHEMAS = {
  SystemMetadata: (schemas) => ({
    type: 'object',
    description: 'Where a value came from.',
    properties: {
      ...systemMetadata,
      version: text('Counts the values of the aspect from 1.'),
      aspectCreated: schemas.common('AuditStampOfWrite'),
      aspectModified: schemas.common('AuditStampOfWrite'),
    },
  }),
  SystemMetadataInput: () => ({
    ...closed(
      Object.fromEntries(
        Object.entries(systemMetadata).map(([name, member]) => [
          name,
          { ...member, type: [member['type'] as string, 'null'] },
        ]),
      ),
    ),
    description: 'Where the value comes from.',
  }),
  AuditStampOfWrite: () => ({
    ...closed({ time, actor: text('URN of the user.') }, ['time', 'actor']),
    description: 'Who wrote it, and when.',
  }),
  WriteConditions: () => ({
    type: 'object',
    description:
      'Conditions of the write: If-Version-Match, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since. A request that writes one aspect may carry them as its own headers.',
    additionalProperties: { type: 'string' },
  }),
} satisfies SharedSchemas;
