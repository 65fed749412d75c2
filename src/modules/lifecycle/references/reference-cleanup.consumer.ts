import { Injectable, Logger } from '@nestjs/common';
import {
  ChangeLogConsumer,
  type ChangeLogEntry,
  type ChangeLogHeading,
} from '../../../catalog/change/index.js';
import { EntityStateReader } from '../../../catalog/store/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { CLEAR_REFERENCES } from '../../ingest/index.js';
import { ReferencesService } from './references.service.js';

/**
 * Clears the references to what was deleted with the wish that nothing points to it any more, behind the request.
 * The wish stands in the change log, so neither a crash nor a lost queue forgets it; what is done twice finds
 * nothing left. Deletions by the other doors leave references where they are: they have `deleteReferences`.
 */
@Injectable()
export class ReferenceCleanup extends ChangeLogConsumer {
  readonly name = 'reference-cleanup';
  private readonly logger = new Logger(ReferenceCleanup.name);

  constructor(
    private readonly references: ReferencesService,
    private readonly states: EntityStateReader,
  ) {
    super();
  }

  override wants({ runId, changeType }: ChangeLogHeading): boolean {
    return runId === CLEAR_REFERENCES && changeType === 'DELETE';
  }

  async consume(deletions: readonly ChangeLogEntry[]): Promise<void> {
    const states = await this.states.states([...new Set(deletions.map(({ urn }) => urn))]);
    for (const { urn, actor } of deletions) {
      // Somebody made it again in the meantime: what refers to it now means the new one.
      if (states.get(urn)?.exists) continue;
      const report = await this.references.remove({ actor, role: 'EDITOR' }, parseUrn(urn), false);
      for (const { urn: holder, aspect, reason } of report.left ?? [])
        this.logger.warn(`${aspect} of ${holder} still refers to ${urn}: ${reason}`);
    }
  }
}
