import { Injectable } from '@nestjs/common';
import { proposalHeaders } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { mapInSlices } from '../../catalog/schedule/index.js';
import { batchIngest, ingest, ingestProposal, ingestProposalBatch } from './ingest.routes.js';
import { IngestService } from './ingest.service.js';
import { ProposalParser } from './proposal-parser.js';
import { SnapshotParser } from './snapshot.js';
import { parseSystemMetadata } from './system-metadata-parser.js';

/** Writes of the aspect API: proposals, and snapshots, the older form of several of them. */
@Injectable()
export class IngestActions extends Actions {
  readonly actions = [
    serve(ingestProposal, async (principal, values, headers) => {
      const proposal = await this.proposals.parseInTurns(
        values.proposal,
        '/proposal',
        proposalHeaders(headers),
      );
      await this.ingest.submit(principal, [proposal]);
      return proposal.urn.text;
    }),
    serve(ingestProposalBatch, async (principal, { proposals }) => {
      const parsed = await mapInSlices(proposals, (proposal, index) =>
        this.proposals.parseInTurns(proposal, `/proposals/${index}`),
      );
      await this.ingest.submit(principal, parsed);
      return 'success';
    }),
    serve(ingest, async (principal, values) => {
      const systemMetadata = parseSystemMetadata(values.systemMetadata, '/systemMetadata');
      await this.ingest.submit(principal, this.snapshots.parse(values.entity, systemMetadata, '/entity'));
    }),
    serve(batchIngest, async (principal, { entities, systemMetadata: given = [] }) => {
      if (given.length > 0 && given.length !== entities.length) {
        throw refuse(
          'PARAMETER_INVALID',
          'systemMetadata must have one entry for each of entities',
          '/systemMetadata',
        );
      }
      const proposals = await mapInSlices(entities, (entity, index) => {
        const systemMetadata = parseSystemMetadata(given[index], `/systemMetadata/${index}`);
        return this.snapshots.parse(entity, systemMetadata, `/entities/${index}`);
      });
      await this.ingest.submit(principal, proposals.flat());
    }),
  ];

  constructor(
    private readonly proposals: ProposalParser,
    private readonly snapshots: SnapshotParser,
    private readonly ingest: IngestService,
  ) {
    super();
  }
}
