import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AccessPolicies, type Principal, type Role } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { SuspectTurns } from '../../catalog/queue/index.js';
import { outsideRequests, PeriodicJob, type RequestOrigin } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import type { Transaction } from '../../catalog/store/index.js';
import { IngestService } from '../ingest/index.js';
import { EntityNames } from '../entities/index.js';
import type { ReceiptState } from './entities/write-receipt.row.js';
import { givesWay } from './receipt-turn.js';
import { itemsDone, restoreProposals, type ReceiptOutcome } from './stored-proposals.js';
import { WriteReceiptRepository, type PendingReceipt, type SentBy } from './write-receipt.repository.js';

/** Writes carried out in one go. */
const BATCH = 64;
const LEASE_MS = 30_000;
/** How often to look for writes that other processes accepted. */
const POLL_MS = 1_000;
/** After a failure of ours. */
const REST_MS = 500;
/** A write that failed, or crashed its process, this often is suspended. */
const MAX_ATTEMPTS = 3;
/** How often to look for receipts whose time is over. */
const SWEEP_MS = 15 * 60_000;
/** How long the receipt of a settled write is kept. */
const RECEIPT_LIFE_MS = 7 * 86_400_000;

/** Thrown inside a transaction: this write is not to be carried out now, or not by this worker. */
class NotNow extends CatalogError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'not now');
  }
}

/**
 * Carries out accepted writes in the order of their acceptance. What was done is marked in the transaction of the
 * write itself, so each is carried out exactly once, whenever the process dies. A try is counted before it begins: a
 * write that crashes the process is tried alone, then last or in turns with what comes all the time, and suspended after
 * {@link MAX_ATTEMPTS} attempts. Receipts of settled writes are deleted after {@link RECEIPT_LIFE_MS}.
 */
@Injectable()
export class ReceiptWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly logger = new Logger(ReceiptWorker.name);
  private started = false;
  private woken = false;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Writes whose last try does not count. */
  private innocent: PendingReceipt[] = [];
  private readonly turns = new SuspectTurns();
  private readonly retention = new PeriodicJob(
    () => this.receipts.sweep(Date.now() - RECEIPT_LIFE_MS),
    (error) => this.logger.warn(`old receipts could not be removed: ${String(error)}`),
  );
  /** The writes that a transaction has settled. */
  private readonly settledIn = new WeakMap<Transaction, Set<number>>();

  constructor(
    private readonly receipts: WriteReceiptRepository,
    private readonly ingest: IngestService,
    private readonly names: EntityNames,
    private readonly policies: AccessPolicies,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.started = true;
    this.wake();
    this.retention.start(SWEEP_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    await Promise.all([this.running, this.retention.stop()]);
  }

  /** To be called when a write was accepted. */
  wake(): void {
    this.woken = true;
    if (this.started) this.running ??= outsideRequests(() => this.run());
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let pause: number | undefined;
    while (this.started && this.woken) {
      this.woken = false;
      try {
        pause = await this.pass();
      } catch (error) {
        this.logger.warn(`accepted writes could not be carried out: ${String(error)}`);
        pause = REST_MS;
      }
      if (pause !== undefined) break;
      // On a database that answers at once nothing else would have a turn until the last write is carried out.
      await nextTurn();
    }
    this.running = undefined;
    const next = pause ?? (this.receipts.shared ? POLL_MS : undefined);
    if (this.started && next !== undefined) this.timer = setTimeout(() => this.wake(), next).unref();
  }

  /** Carries out the next writes; answers how long to rest, if at all, before the next look. */
  private async pass(): Promise<number | undefined> {
    await this.giveBack();
    const pending = await this.take();
    if (pending === undefined) return POLL_MS;
    const renewal = setInterval(
      () => void this.receipts.renew(this.id, pending, LEASE_MS).catch(() => undefined),
      LEASE_MS / 3,
    ).unref();
    const done = await this.turns.take(pending.some(givesWay), () =>
      Promise.all(pending.map((receipt, i) => this.carryOut(receipt, pending.slice(0, i)))),
    );
    clearInterval(renewal);
    this.innocent.push(...pending.filter((_, i) => done[i] === 'later'));
    await this.giveBack();
    if (pending.length > 0) this.woken = true;
    // Trying again at once what could not be settled would only keep the processor busy.
    const idle = pending.length > 0 && !done.includes('settled');
    return idle || done.includes('failed') ? REST_MS : undefined;
  }

  private async take(): Promise<PendingReceipt[] | undefined> {
    const lastFirst = this.turns.goesNext();
    const pending = await this.receipts.take(this.id, BATCH, LEASE_MS, lastFirst);
    if (pending === undefined || pending.length === 0) return pending;
    if (lastFirst && !pending.some(givesWay)) this.turns.noneWaits();
    return pending;
  }

  /** Tries that do not count, also those that could not be given back because the database was unavailable. */
  private async giveBack(): Promise<void> {
    if (this.innocent.length === 0) return;
    await this.receipts.giveBack(this.id, this.innocent);
    this.innocent = [];
  }

  /** @param before those of the same turn that are carried out before it. */
  private async carryOut(
    receipt: PendingReceipt,
    before: readonly PendingReceipt[],
  ): Promise<'settled' | 'later' | 'failed'> {
    const { id } = receipt;
    /** What the transaction refused, and whether that is written down. */
    const refusal: { error?: CatalogError; settled: boolean } = { settled: false };
    try {
      if (receipt.attempts >= MAX_ATTEMPTS) {
        await this.suspend(
          receipt,
          `the process ended ${receipt.attempts} times while it carried out this write`,
        );
        return 'settled';
      }
      const { caller, origin } = senderOf(receipt);
      const principal = await this.policies.applyTo(caller);
      const proposals = restoreProposals(receipt.proposals, this.names);
      // A write of nothing has no transaction to settle it in.
      if (proposals.length === 0) {
        const message = 'there was nothing to write';
        await this.reject(receipt, new CatalogError('PROPOSAL_MALFORMED', message));
        return 'settled';
      }
      await this.ingest.submit(principal, proposals, {
        trace: receipt.trace,
        origin,
        settle: async (tx, outcomes) => {
          // A write before it may have failed a moment ago: then this one waits, too.
          if (await this.receipts.anyPending(tx, before)) throw new NotNow();
          const outcome: ReceiptOutcome = { items: itemsDone(outcomes) };
          if (!(await this.settle(tx, id, 'COMMITTED', outcome))) throw new NotNow();
        },
        refused: async (tx, error) => {
          const final = isRejection(error) && this.cameAfter(tx, before);
          refusal.error = error;
          refusal.settled = final && (await this.settle(tx, id, 'REJECTED', rejection(receipt, error)));
        },
      });
      return 'settled';
    } catch (error) {
      // What the write needs is unavailable: nothing is wrong with it.
      if (error instanceof CatalogError && error.kind === 'unavailable') return 'later';
      if (error instanceof CatalogError && isRejection(error)) {
        if (error === refusal.error) return refusal.settled ? 'settled' : 'later';
        await this.reject(receipt, error);
        return 'settled';
      }
      this.logger.warn(`accepted write ${id} failed: ${String(error)}`);
      if (receipt.attempts + 1 >= MAX_ATTEMPTS)
        await this.suspend(receipt, 'internal error; the log of the service has more');
      return 'failed';
    }
  }

  private async suspend(receipt: PendingReceipt, message: string): Promise<void> {
    this.logger.error(`accepted write ${receipt.id} is suspended: ${message}`);
    const { items } = readJson(receipt.outcome) as ReceiptOutcome;
    const error = { code: 'INTERNAL' as const, message, errors: [] };
    await this.receipts.suspend(this.id, receipt.id, { items, error });
  }

  private async reject(receipt: PendingReceipt, error: CatalogError): Promise<void> {
    await this.receipts.reject(this.id, receipt.id, rejection(receipt, error));
  }

  private async settle(
    tx: Transaction,
    id: number,
    state: ReceiptState,
    outcome: ReceiptOutcome,
  ): Promise<boolean> {
    if (!(await this.receipts.settle(tx, this.id, id, state, outcome))) return false;
    const settled = this.settledIn.get(tx);
    if (settled) settled.add(id);
    else this.settledIn.set(tx, new Set([id]));
    return true;
  }

  /**
   * Whether a transaction has settled these writes before it came to the next one. Only then has that one been judged by
   * what they left: one of them may wait, or another transaction may be carrying it out.
   */
  private cameAfter(tx: Transaction, before: readonly PendingReceipt[]): boolean {
    const settled = this.settledIn.get(tx);
    return before.every(({ id }) => settled?.has(id) === true);
  }
}

/** Whether an error says that the write is wrong, not that it cannot be carried out now. */
function isRejection(error: CatalogError): boolean {
  return error.kind !== 'internal' && error.kind !== 'unavailable';
}

function rejection({ outcome }: PendingReceipt, { code, message, errors }: CatalogError): ReceiptOutcome {
  const { items } = readJson(outcome) as ReceiptOutcome;
  return { items, error: { code, message, errors } };
}

/** Who sent a write, by what the token said then, and from where. */
function senderOf({ actor, role, origin: sentBy }: PendingReceipt): {
  caller: Principal;
  origin: RequestOrigin | undefined;
} {
  const { groups, ...origin } = sentBy === null ? {} : (readJson(sentBy) as SentBy);
  return {
    caller: { actor, role: role as Role, ...(groups && { groups }) },
    origin: origin.address === undefined ? undefined : (origin as RequestOrigin),
  };
}
