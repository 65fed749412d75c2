import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../catalog/store/index.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { ConsumerProgress, type Caught } from './consumer-progress.js';
import { BackgroundThrottle, currentRequest, outsideRequests } from '../../catalog/schedule/index.js';

const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 50;

type DeliveryState = Awaited<ReturnType<PendingDeliveries['state']>>;

/** A consumer without pending changes when the database was asked last. */
interface Quiet {
  published: number;
  /** The same was true the time before, and nothing was published in between. */
  lasting: boolean;
}

/**
 * The read-your-writes barrier: waits until a consumer has consumed what any process committed before. A process that is
 * alone on its log knows that from memory. With several processes the database is asked, once for all callers of the same
 * moment, and again while changes are pending.
 */
@Injectable()
export class ConsumerBarrier {
  private readonly asking = new Map<string, Promise<DeliveryState>>();
  private readonly toAsk = new Map<string, Promise<DeliveryState>>();
  private readonly quiet = new Map<string, Quiet>();

  constructor(
    private readonly database: Database,
    private readonly deliveries: PendingDeliveries,
    private readonly progress: ConsumerProgress,
    private readonly throttle: BackgroundThrottle,
  ) {}

  /** Whether no other process can write or consume: SQLite serves one process. */
  get alone(): boolean {
    return this.database.dialect.name === 'sqlite';
  }

  /**
   * Resolves as {@link ConsumerProgress.reached} does.
   * @param probe rejects when waiting is useless; called repeatedly where other processes may be at work
   */
  wait(consumer: string, timeoutMs: number, probe?: () => Promise<void>): Promise<Caught> {
    return this.throttle.awaiting(async () => {
      if (!this.alone) return this.asked(consumer, timeoutMs, probe);
      // Readers may see a commit before its response.
      await this.database.answering();
      return this.progress.reached(consumer, this.progress.latest, timeoutMs);
    });
  }

  /**
   * For callers that read first and check afterwards: the returned function asks the database whether the consumer has
   * consumed everything and nothing was written since the last question. Then what was read is as fresh as after
   * {@link wait}.
   * @returns undefined when that is unlikely: with one process, or after recent writes
   */
  unchanged(consumer: string): (() => Promise<boolean>) | undefined {
    const before = this.quiet.get(consumer);
    if (before?.lasting !== true) return undefined;
    return async () => {
      const { oldestPending, published } = await this.state(consumer);
      return oldestPending === Infinity && published === before.published;
    };
  }

  private async asked(consumer: string, timeoutMs: number, probe?: () => Promise<void>): Promise<Caught> {
    const deadline = performance.now() + timeoutMs;
    let state = await this.state(consumer);
    const upTo = state.latest;
    for (
      let pause = FIRST_LOOK_MS;
      state.oldestPending <= upTo;
      pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)
    ) {
      if (performance.now() >= deadline) return 'timeout';
      await setTimeout(pause);
      await probe?.();
      currentRequest()?.throwIfEnded();
      state = await this.state(consumer);
    }
    return 'caught-up';
  }

  /** The state after this call: a query that is already running does not count. */
  private state(consumer: string): Promise<DeliveryState> {
    const waiting = this.toAsk.get(consumer);
    if (waiting !== undefined) return waiting;
    // For all that wait for it, whatever becomes of the request that asks first.
    const next = outsideRequests(() => this.askAfter(consumer, this.asking.get(consumer)));
    this.toAsk.set(consumer, next);
    return next;
  }

  private async askAfter(
    consumer: string,
    before: Promise<DeliveryState> | undefined,
  ): Promise<DeliveryState> {
    await before?.catch(() => undefined);
    this.toAsk.delete(consumer);
    const question = this.deliveries.state(consumer);
    this.asking.set(consumer, question);
    this.note(consumer, await question);
    return question;
  }

  private note(consumer: string, { oldestPending, published }: DeliveryState): void {
    const lasting = this.quiet.get(consumer)?.published === published;
    // Changes that are committed and not published count as oldestPending: so no commit is left out.
    if (oldestPending === Infinity) this.quiet.set(consumer, { published, lasting });
    else this.quiet.delete(consumer);
  }
}
