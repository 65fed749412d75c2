import { Injectable } from '@nestjs/common';
import { AspectActions } from '../../catalog/extension/aspect-actions.js';
import { RestliAction } from '../../catalog/extension/documented.js';
import { EntityActions } from '../../catalog/extension/entity-actions.js';
import { refuse } from '../../catalog/errors/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import { IngestService } from './ingest.service.js';
import { ProposalParser } from './proposal-parser.js';
import { SnapshotParser } from './snapshot.js';
import { parseSystemMetadata } from './system-metadata-parser.js';

/**
 * `POST /aspects?action=ingestProposal | ingestProposalBatch`. `async` is checked but makes no difference: every
 * write is durable and readable before it is answered, which is all that either mode promises.
 */
@Injectable()
export class IngestAspectActions extends AspectActions {
  @RestliAction({
    resource: 'aspects',
    action: 'ingestProposal',
    summary: 'Writes one aspect of one entity, creating the entity when it is new.',
    parameters: { proposal: '{entityType, entityUrn, changeType, aspectName, aspect: {value, contentType}}' },
    answer: 'the URN of the entity',
  })
  @RestliAction({
    resource: 'aspects',
    action: 'ingestProposalBatch',
    summary: 'Carries out several proposals in order: all of them or none.',
    parameters: { proposals: 'list of proposals' },
    answer: 'success',
  })
  readonly actions: AspectActions['actions'] = {
    ingestProposal: async (principal, body) => {
      const parameters = Parameters.of(body, ['proposal', 'async']);
      parameters.flag('async');
      const proposal = this.parser.parse(parameters.get('proposal'), '/proposal');
      await this.ingest.submit(principal, [proposal]);
      return proposal.urn.text;
    },
    ingestProposalBatch: async (principal, body) => {
      const parameters = Parameters.of(body, ['proposals', 'async']);
      parameters.flag('async');
      const raw = parameters.list('proposals');
      await this.ingest.submit(
        principal,
        raw.map((proposal, index) => this.parser.parse(proposal, `/proposals/${index}`)),
      );
      return 'success';
    },
  };

  constructor(
    private readonly parser: ProposalParser,
    private readonly ingest: IngestService,
  ) {
    super();
  }
}

/** `POST /entities?action=ingest | batchIngest`: snapshots. */
@Injectable()
export class IngestEntityActions extends EntityActions {
  @RestliAction({
    resource: 'entities',
    action: 'ingest',
    summary: 'Writes the aspects of one snapshot.',
    parameters: {
      entity: '{value: {<snapshot record>: {urn, aspects}}}',
      systemMetadata: 'where the write comes from',
    },
    answer: 'nothing',
    deprecated: true,
  })
  @RestliAction({
    resource: 'entities',
    action: 'batchIngest',
    summary: 'Writes the aspects of several snapshots: all of them or none.',
    parameters: { entities: 'list of snapshots', systemMetadata: 'one entry for each snapshot' },
    answer: 'nothing',
    deprecated: true,
  })
  readonly actions: EntityActions['actions'] = {
    ingest: async (principal, body) => {
      const parameters = Parameters.of(body, ['entity', 'systemMetadata']);
      const systemMetadata = parseSystemMetadata(parameters.get('systemMetadata'), '/systemMetadata');
      await this.ingest.submit(
        principal,
        this.parser.parse(parameters.get('entity'), systemMetadata, '/entity'),
      );
      return undefined;
    },
    batchIngest: async (principal, body) => {
      const parameters = Parameters.of(body, ['entities', 'systemMetadata']);
      const entities = parameters.list('entities');
      const given = parameters.get('systemMetadata') === undefined ? [] : parameters.list('systemMetadata');
      if (given.length > 0 && given.length !== entities.length) {
        throw refuse(
          'PARAMETER_INVALID',
          'systemMetadata must have one entry for each of entities',
          '/systemMetadata',
        );
      }
      const proposals = entities.flatMap((entity, index) => {
        const systemMetadata = parseSystemMetadata(given[index], `/systemMetadata/${index}`);
        return this.parser.parse(entity, systemMetadata, `/entities/${index}`);
      });
      await this.ingest.submit(principal, proposals);
      return undefined;
    },
  };

  constructor(
    private readonly parser: SnapshotParser,
    private readonly ingest: IngestService,
  ) {
    super();
  }
}
