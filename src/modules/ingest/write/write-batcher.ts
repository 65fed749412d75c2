import type { ProposalOutcome } from '../../../catalog/change/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import type { Database, Transaction } from '../../../catalog/store/index.js';
import type { ProposalWriter, WriteUnit } from './proposal-writer.js';
import { WaitingLine } from './waiting-line.js';
import { WriteSession } from './write-session.js';

/** The most submissions, and proposals, that share one transaction. */
const MAX_UNITS = 64;
const MAX_PROPOSALS = 2_000;

/**
 * Where transactions run at once (a server), the same for each of them, and how many there are at most. A further one
 * begins only when so many proposals wait: below that, sharing the next flush to disk is faster than a flush of one's
 * own (measured with 16 writers of one proposal each). On SQLite there is one transaction at a time: a second one is
 * carried out while the disk takes the first.
 */
const PARALLEL = { proposals: 400, transactions: 4, worthwhile: 200 };
const SERIAL = { proposals: MAX_PROPOSALS, transactions: 2, worthwhile: 200 };

/**
 * On a server every statement is a round trip: from so many writers on, those who got their answers just now are
 * waited for, so long at most, because most of them come back at once and then share one transaction.
 */
const GATHER = { writers: 4, ms: 2 };

/** Who is told of writes. */
export interface WriteListener {
  /** When a submission comes, and again when it is settled. */
  busy?(): void;
  /**
   * After each commit that changed something, before it is answered, with the newest change in it; a server does not say
   * which that is.
   */
  committed(newestChange: number | undefined): void;
  /** After each transaction, with the submissions in it, and how often it had to be tried. */
  wrote?(seconds: number, submissions: number, tries: number): void;
}

interface Pending extends WriteUnit {
  resolve(outcomes: ProposalOutcome[]): void;
  reject(error: unknown): void;
}

type Settled = { unit: Pending; outcomes: ProposalOutcome[] } | { unit: Pending; error: unknown };

/**
 * Lets submissions that wait at the same moment share transactions: one flush to disk instead of one each,
 * while a lone submission waits for nobody. Each is still all or nothing by itself: one that is refused is undone
 * in memory before anything is written, and when the database itself fails, they are tried again one by one.
 */
export class WriteBatcher {
  private readonly waiting = new WaitingLine<Pending>();
  /** Transactions under way. */
  private running = 0;
  private readonly parallel: boolean;
  private readonly limits: typeof PARALLEL;
  /** Set while the next transaction waits for so many writers. */
  private gathering: { writers: number; go(): void } | undefined;

  constructor(
    private readonly database: Database,
    private readonly writer: ProposalWriter,
    private readonly listener: WriteListener,
    private readonly clock: () => number = Date.now,
  ) {
    this.parallel = database.dialect.name !== 'sqlite';
    this.limits = this.parallel ? PARALLEL : SERIAL;
  }

  submit(unit: WriteUnit): Promise<ProposalOutcome[]> {
    this.listener.busy?.();
    return new Promise((resolve, reject) => {
      this.waiting.add({ ...unit, resolve, reject });
      if (this.gathering && this.waiting.length >= this.gathering.writers) this.gathering.go();
      while (this.running < this.wanted) {
        this.running += 1;
        // Requests that have arrived but are not read yet join: they are read before this comes back.
        setImmediate(() => void this.drain());
      }
    });
  }

  /** How many transactions the waiting are worth. */
  private get wanted(): number {
    if (this.waiting.length === 0) return 0;
    const worth = Math.floor(this.waiting.proposals / this.limits.worthwhile);
    return Math.min(this.limits.transactions, Math.max(1, worth));
  }

  private async drain(): Promise<void> {
    while (this.running <= this.wanted) {
      const { batch, release } = this.waiting.take(MAX_UNITS, this.limits.proposals);
      // All that wait write what other transactions hold: whoever ends last takes them.
      if (batch.length === 0) break;
      try {
        await this.commit(batch);
      } catch (error) {
        // No submission is to blame for a database that is unavailable, and what it did last may not be known.
        const unavailable = error instanceof CatalogError && error.kind === 'unavailable';
        if (unavailable || batch.length === 1) for (const unit of batch) unit.reject(error);
        else for (const unit of batch) await this.commit([unit]).catch((e: unknown) => unit.reject(e));
      }
      release();
      this.listener.busy?.();
      await this.gather(batch.length);
    }
    this.running -= 1;
  }

  /** Resolves when the requests that have arrived are read, and those that are about to come are there as well. */
  private async gather(answered: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const writers = answered + this.waiting.length;
    if (!this.parallel || this.running > 1 || answered < GATHER.writers) return;
    if (this.waiting.proposals >= PARALLEL.worthwhile) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.gathering = undefined;
        resolve();
      };
      const timer = setTimeout(go, GATHER.ms);
      this.gathering = { writers, go };
    });
  }

  /** Writes the units in one transaction and settles them only after it has committed. */
  private async commit(units: Pending[]): Promise<void> {
    const first = units[0];
    if (first === undefined) return;
    const now = this.clock();
    const start = performance.now();
    let tries = 0;
    const work = async (tx: Transaction) => {
      tries += 1;
      const session = new WriteSession(tx);
      await session.load(
        units.flatMap((unit) => unit.proposals),
        now,
        first.principal.actor,
      );
      await session.headsOf(this.writer.mentions(units.flatMap((unit) => unit.proposals)));
      const results: Settled[] = [];
      for (const unit of units) {
        session.beginUnit();
        try {
          const outcomes = await this.writer.write(session, unit, now);
          await unit.settle?.(tx, outcomes);
          results.push({ unit, outcomes });
        } catch (error) {
          if (!(error instanceof CatalogError)) throw error;
          session.rollbackUnit();
          results.push({ unit, error });
        }
      }
      return { settled: results, ...(await session.flush()) };
    };
    const survives = units.every((unit) => unit.survives === 'process') ? 'process' : 'power';
    const { settled, changes, newest } = await this.database.transaction(work, { survives });
    if (changes > 0) this.listener.committed(newest);
    this.listener.wrote?.((performance.now() - start) / 1000, units.length, tries);
    for (const result of settled) {
      if ('error' in result) result.unit.reject(result.error);
      else result.unit.resolve(result.outcomes);
    }
  }
}
