import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../catalog/queue/index.js';
import type { Removal } from './removal.repository.js';

export const REMOVAL_QUEUE = 'property-removal';

/** The jobs of removals. What is left to do stands in the database, not in the jobs. */
@Injectable()
export class RemovalQueue {
  constructor(private readonly queue: JobQueue) {}

  /** Has the part of a removal that begins after `lastHolder` carried out. */
  async enqueue(changeId: number, lastHolder = 0): Promise<void> {
    await this.queue.enqueue(REMOVAL_QUEUE, [
      { id: jobOf({ changeId, lastHolder }), payload: { change: changeId } },
    ]);
  }

  /** Reasons of the removals that failed or were suspended, by change: they wait for an administrator. */
  async failures(removals: readonly Removal[]): Promise<Map<number, string>> {
    const open = removals.filter(({ state }) => state !== 'done');
    if (open.length === 0) return new Map();
    const reasons = await this.queue.failures(REMOVAL_QUEUE, open.map(jobOf));
    return new Map(
      open.flatMap((removal) => {
        const reason = reasons.get(jobOf(removal));
        return reason === undefined ? [] : [[removal.changeId, reason]];
      }),
    );
  }
}

/** One job for each part of a removal: where it begins tells them apart. */
function jobOf({ changeId, lastHolder }: Pick<Removal, 'changeId' | 'lastHolder'>): string {
  return `${changeId}:${lastHolder}`;
}
