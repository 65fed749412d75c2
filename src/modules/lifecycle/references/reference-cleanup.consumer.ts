import { Injectable, Logger } from '@nestjs/common';
import {
  ChangeLogConsumer,
  type ChangeLogEntry,
  type ChangeLogHeading,
} from '../../../catalog/change/index.js';
import { Model } from '../../../catalog/model/index.js';
import { EntityStateReader } from '../../../catalog/store/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { CleanupRepository, type ReferenceCleanupRow } from '../../ingest/index.js';
import { ReferencesService } from './references.service.js';

/** Its name as a consumer of the change log. */
export const CLEANUP_CONSUMER = 'reference-cleanup';

export interface CleanupReport {
  /** How many references there were when they were last looked for. */
  total?: number;
  /** References that stay, and why. */
  left?: unknown[];
  /** The entity came to life again before: what refers to it now means the new one. */
  recreated?: true;
}

/** How long it can be asked what became of a clean-up. */
const LIFE_MS = 7 * 86_400_000;

/**
 * Removes the references to permanently deleted entities, behind the request, by whatever surface they were
 * deleted: the model says of which kinds. What is to be done stands in rows that were written with the deletion, so
 * neither a crash nor a lost queue forgets it; what is done twice finds nothing left.
 */
@Injectable()
export class ReferenceCleanup extends ChangeLogConsumer {
  readonly name = CLEANUP_CONSUMER;
  private readonly logger = new Logger(ReferenceCleanup.name);

  constructor(
    private readonly model: Model,
    private readonly references: ReferencesService,
    private readonly cleanups: CleanupRepository,
    private readonly states: EntityStateReader,
  ) {
    super();
  }

  override wants({ entityType, aspect, changeType }: ChangeLogHeading): boolean {
    if (changeType !== 'DELETE') return false;
    const entity = this.model.entities.get(entityType);
    return entity?.clearReferences === true && entity.key.name === aspect;
  }

  async consume(deletions: readonly ChangeLogEntry[]): Promise<void> {
    const pending = await this.cleanups.pending([...new Set(deletions.map(({ urn }) => urn))]);
    for (const cleanup of pending) await this.cleanups.finish(cleanup, await this.clear(cleanup));
    await this.cleanups.sweep(Date.now() - LIFE_MS);
  }

  private async clear({ urn, actor }: ReferenceCleanupRow): Promise<CleanupReport> {
    if ((await this.states.states([urn])).get(urn)?.exists) return { recreated: true };
    const { total, left } = await this.references.remove({ actor, role: 'ADMIN' }, parseUrn(urn), false);
    for (const { urn: holder, aspect, reason } of left ?? [])
      this.logger.warn(`${aspect} of ${holder} still refers to ${urn}: ${reason}`);
    return { total, ...(left && { left }) };
  }
}
