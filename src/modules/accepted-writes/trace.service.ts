import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { readTraceId } from '../../catalog/change/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { IndexBarrier } from '../../catalog/search/index.js';
import { EntityReader, type StoredEntity } from '../entities/index.js';
import type { ReceiptItem, ReceiptOutcome } from './stored-proposals.js';
import { WriteReceiptRepository, type Receipt } from './write-receipt.repository.js';

/** How long a question waits for the index before it says "not yet". */
const SEARCHABLE_MS = 500;

/** Words that existing clients know; all but PENDING mean that there is nothing more to wait for. */
type WriteStatus = 'PENDING' | 'ACTIVE_STATE' | 'HISTORIC_STATE' | 'NO_OP' | 'ERROR';

interface StorageStatus {
  writeStatus: WriteStatus;
  writeMessage?: string;
}

export interface AspectTrace {
  success: boolean;
  primaryStorage: StorageStatus;
  searchStorage: StorageStatus;
}

export interface ReceiptAnswer {
  traceId: string;
  state: string;
  /** Whether searches find what it wrote; only of one that is carried out. */
  searchable: boolean;
  submittedAtMillis: number;
  settledAtMillis?: number;
  items: ReceiptItem[];
  error?: ReceiptOutcome['error'];
}

/** What became of accepted writes. */
@Injectable()
export class TraceService {
  constructor(
    private readonly receipts: WriteReceiptRepository,
    private readonly reader: EntityReader,
    private readonly barrier: IndexBarrier,
  ) {}

  async receipt(principal: Principal, trace: string): Promise<ReceiptAnswer> {
    const receipt = await this.find(principal, trace);
    const { items, error } = readJson(receipt.outcome) as ReceiptOutcome;
    const settledAt = Number(receipt.settled_at);
    return {
      traceId: receipt.trace,
      state: receipt.state,
      searchable: receipt.state === 'COMMITTED' && (await this.searchable()),
      submittedAtMillis: Number(receipt.submitted_at),
      ...(settledAt > 0 && { settledAtMillis: settledAt }),
      items,
      ...(error && { error }),
    };
  }

  /** @param asked names of aspects by URN. */
  async trace(
    principal: Principal,
    trace: string,
    asked: ReadonlyMap<string, readonly string[]>,
    onlyErrors: boolean,
  ): Promise<Record<string, Record<string, AspectTrace>>> {
    const receipt = await this.find(principal, trace);
    const outcome = readJson(receipt.outcome) as ReceiptOutcome;
    const committed = receipt.state === 'COMMITTED';
    const searchable = committed && (await this.searchable());
    const urns = [...asked.keys()].filter((urn) => outcome.items.some((item) => item.urn === urn));
    const entities = committed ? await this.reader.stored(principal, urns) : new Map<string, StoredEntity>();
    const answer: Record<string, Record<string, AspectTrace>> = {};
    for (const [urn, names] of asked) {
      const aspects: Record<string, AspectTrace> = {};
      for (const name of names) {
        const item = outcome.items.find(
          (i) => i.urn === urn && i.aspect.toLowerCase() === name.toLowerCase(),
        );
        const status = statusOf(receipt, outcome, item, searchable, entities.get(urn));
        if (!onlyErrors || !status.success) aspects[name] = status;
      }
      if (!onlyErrors || Object.keys(aspects).length > 0) answer[urn] = aspects;
    }
    return answer;
  }

  private async find(principal: Principal, trace: string): Promise<Receipt> {
    authorize(principal, 'read');
    const receipt = await this.receipts.find(readTraceId(trace));
    if (receipt && (await this.tellable(principal, receipt))) return receipt;
    throw refuse('RECEIPT_NOT_FOUND', `no write with the trace ${trace} is known, or not any more`);
  }

  /** Callers from whom policies hide entities are told of their own writes, and of those to what they may read. */
  private async tellable(principal: Principal, { actor, outcome }: Receipt): Promise<boolean> {
    if (!readsInPart(principal) || actor === principal.actor) return true;
    const urns = new Set((readJson(outcome) as ReceiptOutcome).items.map(({ urn }) => urn));
    return (await this.reader.tellable(principal, urns)).size === urns.size;
  }

  private async searchable(): Promise<boolean> {
    try {
      await this.barrier.reached(SEARCHABLE_MS);
      return true;
    } catch (error) {
      if (error instanceof CatalogError && error.kind === 'unavailable') return false;
      throw error;
    }
  }
}

function statusOf(
  { state }: Receipt,
  { error }: ReceiptOutcome,
  item: ReceiptItem | undefined,
  searchable: boolean,
  entity: StoredEntity | undefined,
): AspectTrace {
  if (item === undefined) return failed('this write had no such aspect');
  if (state === 'REJECTED' || state === 'FAILED') return failed(error?.message ?? 'rejected');
  const primary: WriteStatus = state === 'PENDING' ? 'PENDING' : writeStatusOf(item, entity);
  return {
    success: true,
    primaryStorage: { writeStatus: primary },
    searchStorage: { writeStatus: searchable ? primary : 'PENDING' },
  };
}

/** Whether what was written is still the current value. */
function writeStatusOf(
  { aspect, version, changed }: ReceiptItem,
  entity: StoredEntity | undefined,
): WriteStatus {
  if (changed === false) return 'NO_OP';
  const now = entity?.aspects.get(aspect)?.version ?? 0;
  // Events have no versions, each stands for itself.
  return now === version || (now === 0 && entity !== undefined) ? 'ACTIVE_STATE' : 'HISTORIC_STATE';
}

function failed(message: string): AspectTrace {
  const status: StorageStatus = { writeStatus: 'ERROR', writeMessage: message };
  return { success: false, primaryStorage: status, searchStorage: status };
}
