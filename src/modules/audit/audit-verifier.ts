import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../../catalog/audit/index.js';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { hashOf, hashOfStart } from './audit-chain.js';
import { AuditRepository } from './audit.repository.js';
import type { AuditChainRow } from './entities/audit-chain.row.js';

const PORTION = 500;
/** The most faults that are named. */
const NAMED = 100;

/** What is wrong with the audit log. Records have a chain and a number. */
export interface AuditFault {
  kind: 'changed' | 'missing' | 'unknown chain' | 'missing chain';
  chain: string;
  /** The first and the last record that is concerned. */
  from: number;
  to: number;
  /** Of the record, or the one before what is missing, epoch milliseconds; absent where nothing says it. */
  time?: number;
}

export interface AuditVerdict {
  records: number;
  chains: number;
  faultCount: number;
  faults: AuditFault[];
  /** Records that retention has removed, and the time of the newest of them. */
  removed: number;
  removedUntil?: number;
  /** Where each chain ends: kept elsewhere, they prove later that no record before them has changed. */
  ends: Array<{ chain: string; number: number; hash: string }>;
}

/** How far a chain is checked. */
interface Progress {
  readonly row: AuditChainRow;
  number: number;
  hash: string;
  time: number | undefined;
  /** Hashes of records that other chains go on from, and the one that the table of chains names. */
  readonly hashes: Map<number, string>;
}

/**
 * Checks that no record of the audit log was changed or removed, by the hashes that each record has of the one before it. Reads all
 * of them, while the service runs.
 */
@Injectable()
export class AuditVerifier {
  constructor(
    private readonly repository: AuditRepository,
    @Inject(AuditLog) private readonly log: Pick<AuditLog, 'ends'>,
  ) {}

  /** @throws CatalogError NOT_ALLOWED */
  async verify(principal: Principal): Promise<AuditVerdict> {
    authorize(principal, 'manage');
    // Ends and chains first: records that they name are there then.
    const ends = new Map(this.log.ends().map((end) => [end.chain, end]));
    const chains = (await this.repository.chains()).map((row) => {
      const own = ends.get(row.chain);
      return own !== undefined && own.number > row.number ? { ...row, ...own } : row;
    });
    const check = new Check(chains);
    for (let id = 0; ;) {
      const rows = await this.repository.after(id, PORTION);
      for (const row of rows) check.take(row);
      if (rows.length < PORTION) break;
      id = rows.at(-1)!.id;
      await turn();
    }
    // Chains that were started meanwhile.
    const known = new Set(chains.map(({ chain }) => chain));
    const later = (await this.repository.chains()).filter(({ chain }) => !known.has(chain));
    return check.verdict(new Set(later.map(({ chain }) => chain)));
  }
}

class Check {
  private readonly progress: Map<string, Progress>;
  private readonly faults: AuditFault[] = [];
  private faultCount = 0;
  private records = 0;
  /** Records of chains that nothing is known of. */
  private readonly strange = new Map<string, { from: number; to: number; time: number }>();

  constructor(private readonly chains: readonly AuditChainRow[]) {
    this.progress = new Map(
      chains.map((row) => [
        row.chain,
        {
          row,
          number: row.removed_number,
          hash: row.removed_hash,
          time: row.removed_until || undefined,
          hashes: new Map<number, string>(),
        },
      ]),
    );
    for (const { chain, number } of chains) this.progress.get(chain)?.hashes.set(number, '');
    for (const { parent, parent_number: number } of chains) this.progress.get(parent)?.hashes.set(number, '');
    for (const { row, hashes } of this.progress.values()) {
      const start = hashOfStart(row);
      if (hashes.has(0)) hashes.set(0, start);
      if (hashes.has(row.removed_number)) hashes.set(row.removed_number, row.removed_hash);
      if (row.removed_number === 0 && row.removed_hash !== start) this.fault('changed', row.chain, 0, 0);
    }
  }

  take(row: Parameters<typeof hashOf>[0] & { hash: string }): void {
    this.records += 1;
    const { chain, number, time, hash } = row;
    const at = this.progress.get(chain);
    if (at === undefined) {
      const { from = number } = this.strange.get(chain) ?? {};
      this.strange.set(chain, { from, to: number, time });
      return;
    }
    if (number > at.number + 1) this.fault('missing', chain, at.number + 1, number - 1, at.time);
    // What is behind a gap is checked again from the record after it.
    const follows = number === at.number + 1;
    if (number <= at.number || (follows && hashOf(row, at.hash) !== hash))
      this.fault('changed', chain, number, number, time);
    Object.assign(at, { number, hash, time });
    if (at.hashes.has(number)) at.hashes.set(number, hash);
  }

  verdict(startedMeanwhile: ReadonlySet<string>): AuditVerdict {
    for (const { row, number, time, hashes } of this.progress.values()) {
      if (number < row.number) this.fault('missing', row.chain, number + 1, row.number, time);
      else if (row.number >= row.removed_number && differs(hashes.get(row.number), row.hash))
        this.fault('changed', row.chain, row.number, row.number);
      this.checkParent(row);
    }
    for (const [chain, { from, to, time }] of this.strange)
      if (!startedMeanwhile.has(chain)) this.fault('unknown chain', chain, from, to, time);
    const removed = this.chains.reduce((sum, { removed_number: count }) => sum + count, 0);
    return {
      records: this.records,
      chains: this.chains.length,
      faultCount: this.faultCount,
      faults: this.faults,
      removed,
      ...(removed > 0 && { removedUntil: Math.max(...this.chains.map((row) => row.removed_until)) }),
      ends: [...this.progress.values()].map(({ row, number, hash }) => ({ chain: row.chain, number, hash })),
    };
  }

  /** A chain goes on from a record of another one, which must be what it was, unless retention has removed it. */
  private checkParent({ parent, parent_number: number, parent_hash: hash }: AuditChainRow): void {
    if (parent === '') return;
    const of = this.progress.get(parent);
    if (of === undefined) this.fault('missing chain', parent, 0, number);
    else if (number >= of.row.removed_number && differs(of.hashes.get(number), hash))
      this.fault('changed', parent, number, number);
  }

  private fault(kind: AuditFault['kind'], chain: string, from: number, to: number, time?: number): void {
    this.faultCount += 1;
    if (this.faults.length < NAMED)
      this.faults.push({ kind, chain, from, to, ...(time !== undefined && { time }) });
  }
}

/** A record that was not read is missing, which is said elsewhere. */
const differs = (read: string | undefined, named: string): boolean =>
  read !== undefined && read !== '' && read !== named;
