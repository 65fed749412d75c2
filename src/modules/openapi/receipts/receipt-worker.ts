import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Role } from '../../../catalog/auth/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { IngestService } from '../../ingest/index.js';
import { EntityNames } from '../request/entity-names.js';
import { itemsDone, restoreProposals, type ReceiptOutcome } from './stored-proposals.js';
import { WriteReceiptRepository, type PendingReceipt } from './write-receipt.repository.js';

/** Writes carried out in one go. */
const BATCH = 64;
const LEASE_MS = 30_000;
/** How often to look for writes that other processes accepted. */
const POLL_MS = 1_000;
/** After a failure of ours. */
const REST_MS = 500;
/** A write that fails this often for no reason of its own gives way to those behind it. */
const MAX_ATTEMPTS = 5;

/** Thrown inside a transaction: this write is not to be carried out now, or not by this worker. */
class NotNow extends CatalogError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'not now');
  }
}

/**
 * Carries out accepted writes in the order of their acceptance. What was done is marked in the transaction of the
 * write itself, so each is carried out exactly once, whenever the process dies.
 */
@Injectable()
export class ReceiptWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly logger = new Logger(ReceiptWorker.name);
  private started = false;
  private rung = false;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly receipts: WriteReceiptRepository,
    private readonly ingest: IngestService,
    private readonly names: EntityNames,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.started = true;
    this.ring();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    await this.running;
  }

  /** To be called when a write was accepted. */
  ring(): void {
    this.rung = true;
    if (this.started) this.running ??= this.run();
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let pause: number | undefined;
    while (this.started && this.rung) {
      this.rung = false;
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
    if (this.started && next !== undefined) this.timer = setTimeout(() => this.ring(), next).unref();
  }

  /** Carries out the next writes; answers how long to rest, if at all, before the next look. */
  private async pass(): Promise<number | undefined> {
    const pending = await this.receipts.take(this.id, BATCH, LEASE_MS);
    if (pending === undefined) return POLL_MS;
    const done = await Promise.all(pending.map((receipt) => this.carryOut(receipt)));
    if (pending.length > 0) this.rung = true;
    // Trying again at once what could not be settled would only keep the processor busy.
    const idle = pending.length > 0 && !done.includes('settled');
    return idle || done.includes('failed') ? REST_MS : undefined;
  }

  private async carryOut(receipt: PendingReceipt): Promise<'settled' | 'later' | 'failed'> {
    const { id } = receipt;
    try {
      const principal = { actor: receipt.actor, role: receipt.role as Role };
      const proposals = restoreProposals(receipt.proposals, this.names);
      // A write of nothing has no transaction to settle it in.
      if (proposals.length === 0) {
        const message = 'there was nothing to write';
        await this.reject(receipt, new CatalogError('PROPOSAL_MALFORMED', message));
        return 'settled';
      }
      await this.ingest.submit(principal, proposals, {
        settle: async (tx, outcomes) => {
          // A write before it may have failed a moment ago: then this one waits, too.
          if (await this.receipts.hasEarlier(tx, id)) throw new NotNow();
          const outcome: ReceiptOutcome = { items: itemsDone(outcomes) };
          if (!(await this.receipts.settle(tx, this.id, id, 'COMMITTED', outcome))) throw new NotNow();
        },
      });
      return 'settled';
    } catch (error) {
      if (error instanceof NotNow) return 'later';
      if (error instanceof CatalogError && error.kind !== 'unavailable' && error.kind !== 'internal') {
        await this.reject(receipt, error);
        return 'settled';
      }
      this.logger.warn(`accepted write ${id} failed: ${String(error)}`);
      await this.receipts.failed(id);
      if (receipt.attempts + 1 >= MAX_ATTEMPTS) {
        const message = 'internal error; the log of the service has more';
        await this.reject(receipt, new CatalogError('INTERNAL', message));
      }
      return 'failed';
    }
  }

  private async reject(receipt: PendingReceipt, error: CatalogError): Promise<void> {
    const { items } = JSON.parse(receipt.outcome) as ReceiptOutcome;
    const { code, message, errors } = error;
    await this.receipts.reject(this.id, receipt.id, { items, error: { code, message, errors } });
  }
}
