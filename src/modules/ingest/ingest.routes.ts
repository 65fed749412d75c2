import { action, documented, flag, listOf, parsed } from '../../catalog/route/index.js';
import { proposalExample, proposalSchema, snapshotExample, snapshotSchema } from './proposal.schemas.js';

const async = flag('taken for older clients: a write is durable and readable before it is answered');

export const ingestProposal = action({
  resource: 'aspects',
  action: 'ingestProposal',
  needs: 'write',
  summary: 'Writes one aspect of one entity, creating the entity when it is new',
  parameters: {
    proposal: parsed(
      '{entityType, entityUrn, changeType, aspectName, aspect: {value, contentType}}',
      proposalSchema,
    ),
    async,
  },
  required: ['proposal'],
  answer: 'the URN of the entity',
  protocolVersion: true,
  conditions: true,
  example: (source) => ({ proposal: proposalExample(source, 'dataset') }),
});

export const ingestProposalBatch = action({
  resource: 'aspects',
  action: 'ingestProposalBatch',
  needs: 'write',
  summary: 'Carries out several proposals in order: all of them or none',
  parameters: {
    proposals: documented(listOf('list of proposals', {}), (schemas) => ({
      type: 'array',
      items: proposalSchema(schemas),
    })),
    async,
  },
  required: ['proposals'],
  answer: 'success',
  protocolVersion: true,
  example: (source) => ({ proposals: [proposalExample(source, 'dataset')] }),
});

export const ingest = action({
  resource: 'entities',
  action: 'ingest',
  needs: 'write',
  summary: 'Writes the aspects of one snapshot',
  parameters: {
    entity: parsed('{value: {<snapshot record>: {urn, aspects}}}', snapshotSchema),
    systemMetadata: parsed('where the write comes from', (schemas) => ({
      anyOf: [schemas.common('SystemMetadataInput'), { type: 'null' }],
    })),
  },
  required: ['entity'],
  answer: 'nothing',
  example: (source) => ({ entity: snapshotExample(source, 'tag') }),
  deprecated: true,
});

export const batchIngest = action({
  resource: 'entities',
  action: 'batchIngest',
  needs: 'write',
  summary: 'Writes the aspects of several snapshots: all of them or none',
  parameters: {
    entities: documented(listOf('list of snapshots', {}), (schemas) => ({
      type: 'array',
      items: snapshotSchema(schemas),
    })),
    systemMetadata: documented(listOf('one entry for each snapshot, or none', {}), (schemas) => ({
      type: 'array',
      items: { anyOf: [schemas.common('SystemMetadataInput'), { type: 'null' }] },
    })),
  },
  required: ['entities'],
  answer: 'nothing',
  example: (source) => ({ entities: [snapshotExample(source, 'tag')] }),
  deprecated: true,
});

/** Writes of aspects, in the order in which they are shown. */
export const INGEST_ROUTES = [ingestProposal, ingestProposalBatch];

/** Writes of snapshots. */
export const SNAPSHOT_ROUTES = [ingest, batchIngest];
