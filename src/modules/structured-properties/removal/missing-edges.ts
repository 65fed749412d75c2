import { Injectable } from '@nestjs/common';
import { EdgeBackfill } from '../../ingest/index.js';
import { VALUES_ASPECT } from '../property-definition.js';
import { RemovalQueue } from './removal-queue.js';
import { RemovalRepository } from './removal.repository.js';
import { UnreadableValues } from './unreadable-values.js';

/**
 * Adds relationships that older versions of the service did not make. A removal finds the holders of a property by
 * the relationship of each value, so values without one would stay forever. A removal that was finished without them
 * is continued.
 */
@Injectable()
export class MissingEdges {
  constructor(
    private readonly backfill: EdgeBackfill,
    private readonly repository: RemovalRepository,
    private readonly unreadable: UnreadableValues,
    private readonly removals: RemovalQueue,
  ) {}

  /** Answers how many relationships were missing. */
  async add(): Promise<number> {
    const targets = await this.backfill.add(VALUES_ASPECT);
    if (targets.length > 0) await this.goOn(new Set(targets));
    return targets.length;
  }

  private async goOn(targets: ReadonlySet<string>): Promise<void> {
    for (const property of (await this.unreadable.count()).keys()) {
      if (!targets.has(property)) continue;
      const changeId = await this.repository.again(property, Date.now());
      if (changeId !== undefined) await this.removals.enqueue(changeId);
    }
  }
}
