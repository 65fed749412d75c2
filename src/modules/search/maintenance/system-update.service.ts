import { Injectable, Logger } from '@nestjs/common';
import { authorize, type Principal } from '../../../catalog/auth/index.js';
import { JobQueue } from '../../../catalog/queue/index.js';
import {
  SystemUpdateRepository,
  type SystemUpdate,
  type SystemUpdateInput,
} from './system-update.repository.js';

export const SYSTEM_UPDATE_QUEUE = 'system-update';

/** How often the queue is told again of an update that is not done: it may have lost the job. */
const REDELIVERY_MS = 10_000;

interface SystemUpdateProgress {
  /** Whether it waits for a process, or one carries it out. */
  running: boolean;
  state: SystemUpdate['state'] | 'none';
  /** What was reported from the line asked for on, and the number of the next one. */
  lines: string[];
  next: number;
  /** Why the last update failed. */
  failed?: string;
}

/**
 * Starts and watches updates of what depends on the version and the settings of the service. A process that takes jobs
 * carries them out; any process answers for them.
 */
@Injectable()
export class SystemUpdateService {
  private readonly logger = new Logger(SystemUpdateService.name);
  private enqueuedAt = -Infinity;

  constructor(
    private readonly updates: SystemUpdateRepository,
    private readonly queue: JobQueue,
  ) {}

  /** Begins an update, unless one is waiting or running. @throws CatalogError NOT_ALLOWED */
  async start(principal: Principal, input: SystemUpdateInput): Promise<{ started: boolean }> {
    authorize(principal, 'manage');
    const last = await this.updates.find();
    if (last && isOpen(last) && (await this.failure(last)) === undefined) return { started: false };
    const update = await this.updates.create(last?.id ?? 0, principal.actor, input);
    if (update) await this.enqueue(update);
    return { started: update !== undefined };
  }

  /** @throws CatalogError NOT_ALLOWED */
  async progress(principal: Principal, from: number): Promise<SystemUpdateProgress> {
    authorize(principal, 'manage');
    const update = await this.updates.find();
    if (!update) return { running: false, state: 'none', lines: [], next: 0 };
    const failed = update.failed ?? (await this.failure(update));
    const running = isOpen(update) && failed === undefined;
    if (running && performance.now() - this.enqueuedAt >= REDELIVERY_MS) await this.enqueue(update);
    return {
      running,
      state: failed === undefined ? update.state : 'failed',
      lines: update.lines.slice(Math.max(0, from - update.first)),
      next: update.first + update.lines.length,
      ...(failed !== undefined && { failed }),
    };
  }

  /** Has an update go on that an earlier process did not finish. */
  async resume(): Promise<void> {
    const update = await this.updates.find();
    if (update && isOpen(update)) await this.enqueue(update);
  }

  /**
   * Tells the queue again of an update that is not done, unless it failed and waits for an administrator.
   * @param running the one that this process carries out: its job is in hand here
   */
  async goOnWithLost(running: number | undefined): Promise<void> {
    const update = await this.updates.find();
    if (!update || !isOpen(update) || update.id === running) return;
    if ((await this.failure(update)) === undefined) await this.enqueue(update);
  }

  private async enqueue({ id }: SystemUpdate): Promise<void> {
    this.enqueuedAt = performance.now();
    const job = { id: String(id), payload: { update: id } };
    await this.queue.enqueue(SYSTEM_UPDATE_QUEUE, [job]).catch((error: Error) => {
      // The update is in the database; a process that watches it notifies the queue again.
      this.logger.warn(`the queue could not be told of system update ${id}: ${error.message}`);
    });
  }

  /** Why the queue gave up an update that is not done. */
  private async failure(update: SystemUpdate): Promise<string | undefined> {
    if (!isOpen(update)) return undefined;
    const id = String(update.id);
    return (await this.queue.failures(SYSTEM_UPDATE_QUEUE, [id])).get(id);
  }
}

/** Whether there is still something to do for it. */
export function isOpen({ state }: SystemUpdate): boolean {
  return state === 'waiting' || state === 'running';
}
