import { changeEvents, type AuditLog, type AuditRecord } from '../../../catalog/audit/index.js';
import type { ProposalOutcome } from '../../../catalog/change/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { currentRequest, outsideRequests, type RequestScope } from '../../../catalog/schedule/index.js';
import type { Dialect, Transaction } from '../../../catalog/store/index.js';
import { NO_TRACING, type Tracing } from '../../../catalog/tracing/index.js';
import type { Published } from '../../change-log/index.js';
import { ConflictQueue } from './conflict-queue.js';
import type { ProposalProcessor } from './proposal-processor.js';
import type { Submission } from './submission.js';
import type { Flushed, LoggedChange, Publish } from './unit-of-work-flush.js';
import { UnitOfWork } from './unit-of-work.js';

/** The most submissions, and proposals, of one transaction. */
const MAX_SUBMISSIONS = 64;
const MAX_PROPOSALS = 2_000;
/** Characters of values after which a transaction carries out no further submission: it holds them all in memory. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * The limits of a transaction, and how many run at the same time. A further transaction begins only when `worthwhile`
 * proposals wait: with fewer, sharing the next flush to disk is faster than a flush of one's own (measured with 16
 * writers of one proposal each). SQLite runs one transaction at a time: a second one is carried out while the disk
 * takes the first.
 */
const PARALLEL = { proposals: 400, transactions: 4, worthwhile: 200 };
const SERIAL = { proposals: MAX_PROPOSALS, transactions: 2, worthwhile: 200 };

/**
 * On a server every statement is a round trip. After a transaction of at least `writers` submissions, the next one
 * waits up to `ms` for their clients: most of them send again at once, and then share one transaction.
 */
const GATHER = { writers: 4, ms: 2 };

/** Gets notified of writes. */
export interface WriteListener {
  /** When a submission comes, and again when it is settled. */
  busy?(): void;
  /**
   * After each commit that changed something, before it is answered, with its changes and the number of the newest.
   * Servers do not tell that number.
   */
  committed(newestChange: number | undefined, changes: readonly LoggedChange[]): void;
  /** Before a transaction writes its changes: it may publish them. One of the next two then tells how that ended. */
  publish?: Publish;
  /** Called instead of {@link committed} after a transaction that published its changes. */
  published?(published: Published, changes: readonly LoggedChange[]): void;
  revoked?(published: Published): void;
  /** After each transaction, with the submissions in it, and how often it had to be tried. */
  wrote?(seconds: number, submissions: number, tries: number): void;
}

interface Pending extends Submission {
  /** The request that waits. A submission is not written when its deadline passes before it begins. */
  request: RequestScope | undefined;
  /** `traceparent` of the request. */
  parent: string | undefined;
  resolve(outcomes: ProposalOutcome[]): void;
  reject(error: unknown): void;
}

interface Done {
  submission: Pending;
  outcomes: ProposalOutcome[];
  changes: readonly LoggedChange[];
}

type Settled = Done | { submission: Pending; error: unknown };

/**
 * Group commit: submissions that wait at the same moment share a transaction, and with it one flush to disk. A single
 * submission does not wait for others. Each submission is still all or nothing: one that is refused is rolled back in
 * memory before anything is written, and when the database itself fails, each is retried in a transaction of its own.
 */
export class GroupCommit {
  private readonly queue = new ConflictQueue<Pending>();
  /** Transactions under way. */
  private running = 0;
  private readonly parallel: boolean;
  private readonly limits: typeof PARALLEL;
  /** Set while the next transaction waits for so many writers. */
  private gathering: { writers: number; go(): void } | undefined;

  constructor(
    private readonly audit: Pick<AuditLog, 'transaction' | 'records'>,
    dialect: Dialect,
    private readonly processor: ProposalProcessor,
    private readonly listener: WriteListener,
    private readonly clock: () => number = Date.now,
    private readonly tracing: Tracing = NO_TRACING,
  ) {
    this.parallel = dialect.name !== 'sqlite';
    this.limits = this.parallel ? PARALLEL : SERIAL;
  }

  submit(submission: Submission): Promise<ProposalOutcome[]> {
    this.listener.busy?.();
    return new Promise((resolve, reject) => {
      const request = currentRequest();
      this.queue.add({ ...submission, request, parent: this.tracing.current(), resolve, reject });
      if (this.gathering && this.queue.length >= this.gathering.writers) this.gathering.go();
      while (this.running < this.wanted) {
        this.running += 1;
        // Requests that have arrived but are not read yet join: they are read before this comes back.
        setImmediate(() => void outsideRequests(() => this.drain()));
      }
    });
  }

  /** How many transactions the waiting proposals are worth. */
  private get wanted(): number {
    if (this.queue.length === 0) return 0;
    const worth = Math.floor(this.queue.proposals / this.limits.worthwhile);
    return Math.min(this.limits.transactions, Math.max(1, worth));
  }

  private async drain(): Promise<void> {
    while (this.running <= this.wanted) {
      const { batch, release } = this.queue.take(MAX_SUBMISSIONS, this.limits.proposals);
      // All that wait conflict with running transactions: the last of those takes them.
      if (batch.length === 0) break;
      let rest: readonly Pending[] = [];
      try {
        rest = await this.commit(batch);
      } catch (error) {
        // An unavailable database is no fault of a submission, and it may have committed: each is refused, none retried.
        const unavailable = error instanceof CatalogError && error.kind === 'unavailable';
        if (unavailable || batch.length === 1) for (const each of batch) each.reject(error);
        else for (const each of batch) await this.commit([each]).catch((e: unknown) => each.reject(e));
      }
      release();
      this.queue.putBack(rest);
      this.listener.busy?.();
      await this.gather(batch.length);
    }
    this.running -= 1;
  }

  /** Waits until requests that have arrived are read, and the clients just answered have sent their next. */
  private async gather(answered: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const writers = answered + this.queue.length;
    if (!this.parallel || this.running > 1 || answered < GATHER.writers) return;
    if (this.queue.proposals >= PARALLEL.worthwhile) return;
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

  /**
   * Writes the submissions in one transaction and answers them only after it has committed.
   * @returns those that did not fit into it
   */
  private commit(submissions: readonly Pending[]): Promise<readonly Pending[]> {
    const parents = submissions.map(({ parent }) => parent);
    const attributes = { 'catalog.submissions': submissions.length };
    return this.tracing.shared(parents, { name: 'commit', attributes }, () => this.write(submissions));
  }

  private async write(submissions: readonly Pending[]): Promise<readonly Pending[]> {
    const now = this.clock();
    const start = performance.now();
    let tries = 0;
    let published: Published | undefined;
    const publish: Publish = async (tx, changes) => (published = await this.listener.publish?.(tx, changes));
    const work = async (tx: Transaction, record: (record: AuditRecord) => void) => {
      tries += 1;
      const written = await this.process(new UnitOfWork(tx), tx, submissions, now, publish);
      if (this.audit.records)
        for (const result of written.settled) if ('changes' in result) record(this.auditOf(result));
      return written;
    };
    const survives = submissions.every((each) => each.survives === 'process') ? 'process' : 'power';
    const { settled, changes, newest } = await this.audit
      .transaction(work, { survives })
      .catch((error: unknown) => {
        if (published) this.listener.revoked?.(published);
        throw error;
      });
    if (published) this.listener.published?.(published, changes);
    else if (changes.length > 0) this.listener.committed(newest, changes);
    this.listener.wrote?.((performance.now() - start) / 1000, settled.length, tries);
    for (const result of settled) {
      if ('error' in result) result.submission.reject(result.error);
      else result.submission.resolve(result.outcomes);
    }
    return submissions.slice(settled.length);
  }

  private async process(
    work: UnitOfWork,
    tx: Transaction,
    submissions: readonly Pending[],
    now: number,
    publish: Publish,
  ): Promise<Flushed & { settled: Settled[] }> {
    const proposals = submissions.flatMap((each) => each.proposals);
    await work.load(submissions, now, this.processor.alsoChanges(proposals));
    await work.headsOf(this.processor.mentions(proposals));
    const settled: Settled[] = [];
    for (const submission of submissions) {
      if (work.characters >= MAX_CHARACTERS) break;
      work.begin();
      try {
        submission.request?.throwIfEnded();
        const before = work.changes.length;
        const outcomes = await this.processor.process(work, submission, now);
        await submission.settle?.(tx, outcomes);
        const changes = work.changes.slice(before);
        if (submission.parent !== undefined) for (const change of changes) change.trace = submission.parent;
        settled.push({ submission, outcomes, changes });
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        work.rollback();
        await submission.refused?.(tx, error);
        settled.push({ submission, error });
      }
    }
    return { settled, ...(await work.flush(publish)) };
  }

  private auditOf({ submission, changes }: Done): AuditRecord {
    const { principal, origin } = submission;
    return { actor: principal.actor, origin, events: changeEvents(changes, this.processor.keyOf) };
  }
}
