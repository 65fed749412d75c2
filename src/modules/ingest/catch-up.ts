import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../catalog/store/index.js';
import { ConsumerBacklog } from './consumer-backlog.js';
import { ConsumerProgress, type Caught } from './consumer-progress.js';
import { Courtesy } from './courtesy.js';

const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 50;

type Standing = Awaited<ReturnType<ConsumerBacklog['standing']>>;

/** A consumer that was through with everything when the database was asked last. */
interface Quiet {
  published: number;
  /** It was so the time before, and nothing had been published since. */
  lasting: boolean;
}

/**
 * Waits until a consumer has done what was committed before, by whatever process. A process that is alone on its log
 * knows that from memory; with several of them the database is asked, once for all who ask at the same moment, and
 * again while something is on its way.
 */
@Injectable()
export class CatchUp {
  private readonly asking = new Map<string, Promise<Standing>>();
  private readonly toAsk = new Map<string, Promise<Standing>>();
  private readonly quiet = new Map<string, Quiet>();

  constructor(
    private readonly database: Database,
    private readonly backlog: ConsumerBacklog,
    private readonly progress: ConsumerProgress,
    private readonly courtesy: Courtesy,
  ) {}

  /** Whether no other process can write or consume: SQLite has one. */
  get alone(): boolean {
    return this.database.dialect.name === 'sqlite';
  }

  /**
   * Answers as {@link ConsumerProgress.reached} does.
   * @param worthIt rejects when waiting is in vain; asked again and again where other processes may be at work
   */
  wait(consumer: string, timeoutMs: number, worthIt?: () => Promise<void>): Promise<Caught> {
    return this.courtesy.hurry(async () => {
      if (!this.alone) return this.asked(consumer, timeoutMs, worthIt);
      // Readers may see a commit before this process has been told of it.
      await this.database.answering();
      return this.progress.reached(consumer, this.progress.latest, timeoutMs);
    });
  }

  /**
   * Whether the consumer was through with everything when the database was asked last, and nothing has been written
   * since: what depends on it is then as it would be after {@link wait}, also if it was looked at before this resolves.
   * Undefined when that is not to be expected: where there is only one process, or something was written of late.
   * The database is asked by what this answers.
   */
  unchanged(consumer: string): (() => Promise<boolean>) | undefined {
    const before = this.quiet.get(consumer);
    if (before?.lasting !== true) return undefined;
    return async () => {
      const { moving, published } = await this.standing(consumer);
      return moving === Infinity && published === before.published;
    };
  }

  private async asked(consumer: string, timeoutMs: number, worthIt?: () => Promise<void>): Promise<Caught> {
    const deadline = performance.now() + timeoutMs;
    let standing = await this.standing(consumer);
    const upTo = standing.latest;
    for (let pause = FIRST_LOOK_MS; standing.moving <= upTo; pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)) {
      if (performance.now() >= deadline) return 'late';
      await setTimeout(pause);
      await worthIt?.();
      standing = await this.standing(consumer);
    }
    return 'up';
  }

  /** As it is after this call: a question that is under way already does not count. */
  private standing(consumer: string): Promise<Standing> {
    const waiting = this.toAsk.get(consumer);
    if (waiting !== undefined) return waiting;
    const next = this.askAfter(consumer, this.asking.get(consumer));
    this.toAsk.set(consumer, next);
    return next;
  }

  private async askAfter(consumer: string, before: Promise<Standing> | undefined): Promise<Standing> {
    await before?.catch(() => undefined);
    this.toAsk.delete(consumer);
    const question = this.backlog.standing(consumer);
    this.asking.set(consumer, question);
    this.note(consumer, await question);
    return question;
  }

  private note(consumer: string, { moving, published }: Standing): void {
    const lasting = this.quiet.get(consumer)?.published === published;
    // Changes that are committed and not published count as moving: so no commit is left out.
    if (moving === Infinity) this.quiet.set(consumer, { published, lasting });
    else this.quiet.delete(consumer);
  }
}
