import type { ProposalOutcome } from '../../../catalog/change/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import type { Database } from '../../../catalog/store/index.js';
import type { ProposalWriter, WriteUnit } from './proposal-writer.js';
import { WriteSession } from './write-session.js';

/** The most submissions, and proposals, that share one transaction. */
const MAX_UNITS = 64;
const MAX_PROPOSALS = 2_000;

/** Who is told of writes. */
export interface WriteListener {
  /** When a submission comes, and again when it is settled. */
  busy?(): void;
  /** After each commit that changed something, before it is answered, with the newest change in it. */
  committed(newestChange: number): void;
  /** After each transaction, with the submissions in it, and how often it had to be tried. */
  wrote?(seconds: number, submissions: number, tries: number): void;
}

interface Pending extends WriteUnit {
  resolve(outcomes: ProposalOutcome[]): void;
  reject(error: unknown): void;
}

type Settled = { unit: Pending; outcomes: ProposalOutcome[] } | { unit: Pending; error: unknown };

/**
 * Lets submissions that wait at the same moment share one transaction: one flush to disk instead of one each,
 * while a lone submission waits for nobody. Each is still all or nothing by itself: one that is refused is undone
 * in memory before anything is written, and when the database itself fails, they are tried again one by one.
 */
export class WriteBatcher {
  private readonly waiting: Pending[] = [];
  private running = false;

  constructor(
    private readonly database: Database,
    private readonly writer: ProposalWriter,
    private readonly listener: WriteListener,
    private readonly clock: () => number = Date.now,
  ) {}

  submit(unit: WriteUnit): Promise<ProposalOutcome[]> {
    this.listener.busy?.();
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...unit, resolve, reject });
      if (this.running) return;
      this.running = true;
      // Requests that have arrived but are not read yet join: they are read before this comes back.
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.commit(batch);
      } catch (error) {
        if (batch.length === 1) batch[0]?.reject(error);
        else for (const unit of batch) await this.commit([unit]).catch((e: unknown) => unit.reject(e));
      }
      this.listener.busy?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.running = false;
  }

  private takeBatch(): Pending[] {
    let units = 0;
    let proposals = 0;
    for (const unit of this.waiting) {
      proposals += unit.proposals.length;
      if (units > 0 && (units >= MAX_UNITS || proposals > MAX_PROPOSALS)) break;
      units += 1;
    }
    return this.waiting.splice(0, units);
  }

  /** Writes the units in one transaction and settles them only after it has committed. */
  private async commit(units: Pending[]): Promise<void> {
    const first = units[0];
    if (first === undefined) return;
    const now = this.clock();
    const start = performance.now();
    let tries = 0;
    const { settled, newest } = await this.database.transaction(async (tx) => {
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
      return { settled: results, newest: await session.flush() };
    });
    if (newest > 0) this.listener.committed(newest);
    this.listener.wrote?.((performance.now() - start) / 1000, units.length, tries);
    for (const result of settled) {
      if ('error' in result) result.unit.reject(result.error);
      else result.unit.resolve(result.outcomes);
    }
  }
}
