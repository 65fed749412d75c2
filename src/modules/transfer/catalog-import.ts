import { changeEvents, type AuditLog, type AuditRecord } from '../../catalog/audit/index.js';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import type { Model } from '../../catalog/model/index.js';
import {
  deleteFact,
  readFact,
  writeFact,
  type Database,
  type Transaction,
} from '../../catalog/store/index.js';
import type { BodyLine, EntityLine, HeaderLine, NumberedLine } from './export-format.js';
import { RestoredBatch, type BatchReport, type Refusal } from './restored-batch.js';

/** Lines and bytes of a transaction; entities are only divided that have several times as many. */
const LINES = 500;
const BYTES = 1024 * 1024;
const TIMES = 4;

/** Name of the fact that says how far an import has come. */
const FACT = 'import';

/** How far an import is, and which. */
interface Place {
  /** Checksum of the file. */
  sha256: string;
  /** The last line that is in the catalog. */
  line: number;
}

export interface ImportOptions {
  /** Nothing is written; every line is looked at, also behind refusals. */
  readonly dryRun: boolean;
  /** Checksum of the file where it is known: an import of it that was interrupted goes on where it ended. */
  readonly sha256?: string | undefined;
  /** How many bytes and lines are read. */
  readonly progress?: (bytes: number, lines: number) => void;
  readonly refused: (refusal: Refusal) => void;
}

/** What an import did, or would do. */
export interface ImportReport extends Omit<BatchReport, 'refusals'> {
  refusals: number;
  /** Lines that an import before this one has brought already. */
  resumed: number;
}

/** Undoes a transaction whose result is wanted all the same. */
class Undone extends Error {
  constructor(readonly report: BatchReport) {
    super('undone');
  }
}

/**
 * Takes an export back as it was written: versions, stamps, history and events. Lines are written in batches, each with how far
 * it comes, so that an import that ended goes on there; what the catalog has already is compared, and refused where it differs.
 */
export class CatalogImport {
  constructor(
    private readonly database: Database,
    private readonly audit: Pick<AuditLog, 'transaction'>,
    private readonly model: Model,
    /** Of the model. */
    private readonly fingerprint: string,
  ) {}

  /** Ends after the first batch with refusals, of which nothing is written. @throws what `lines` throws */
  async run(lines: AsyncIterable<NumberedLine>, options: ImportOptions): Promise<ImportReport> {
    const { sha256, dryRun } = options;
    const report: ImportReport = {
      ...{ entities: 0, aspects: 0, history: 0, events: 0, same: 0, tokens: 0 },
      ...{ refusals: 0, resumed: 0 },
    };
    const place = dryRun || sha256 === undefined ? undefined : await this.place();
    if (place?.sha256 === sha256) report.resumed = place?.line ?? 0;
    let header: HeaderLine | undefined;
    let bytes = 0;
    for await (const batch of batches(lines, report.resumed)) {
      if ('header' in batch) {
        header = batch.header;
        continue;
      }
      const result = await this.write(batch, header?.model !== this.fingerprint, options);
      for (const name of ['entities', 'aspects', 'history', 'events', 'same', 'tokens'] as const)
        report[name] += result[name];
      for (const refusal of result.refusals) options.refused(refusal);
      report.refusals += result.refusals.length;
      bytes += batch.bytes;
      options.progress?.(bytes, batch.lines.at(-1)?.number ?? 0);
      if (result.refusals.length > 0 && !dryRun) return report;
    }
    // Once more with nothing in it, so that everything before survives the loss of power.
    if (!dryRun) await this.database.transaction((tx) => deleteFact(tx, FACT));
    return report;
  }

  private async place(): Promise<Place | undefined> {
    const fact = await readFact(this.database, FACT);
    return fact === undefined ? undefined : (readJson(fact) as Place);
  }

  private async write(
    { lines, current }: Batch,
    validate: boolean,
    { dryRun, sha256 }: ImportOptions,
  ): Promise<BatchReport> {
    const work = async (tx: Transaction, record: (record: AuditRecord) => void): Promise<BatchReport> => {
      const batch = new RestoredBatch(tx, this.model, validate);
      const report = await batch.add(lines, current);
      if (dryRun || report.refusals.length > 0) throw new Undone(report);
      await batch.flush();
      record({
        actor: SYSTEM_PRINCIPAL.actor,
        origin: undefined,
        events: changeEvents(batch.changes, (type) => this.model.findEntity(type)?.key.name),
      });
      const line = lines.at(-1)?.number ?? 0;
      if (sha256 !== undefined) await writeFact(tx, FACT, JSON.stringify({ sha256, line } satisfies Place));
      return report;
    };
    try {
      // The import of this file is repeated after a power loss, and the last transaction waits for the disk.
      return await this.audit.transaction(work, { survives: 'process' });
    } catch (error) {
      if (error instanceof Undone) return error.report;
      throw error;
    }
  }
}

interface Batch {
  lines: Array<NumberedLine<BodyLine>>;
  /** The line of the entity that the first lines belong to. */
  current: EntityLine | undefined;
  bytes: number;
}

/** Groups lines, where it can be by whole entities, and leaves out those up to a number. */
async function* batches(
  all: AsyncIterable<NumberedLine>,
  after: number,
): AsyncGenerator<Batch | { header: HeaderLine }> {
  let batch: Batch = { lines: [], current: undefined, bytes: 0 };
  let entity: EntityLine | undefined;
  for await (const { number, line, bytes } of all) {
    if (line.kind === 'catalog-export') {
      yield { header: line };
      continue;
    }
    if (line.kind === 'end') continue;
    const size = Math.max(batch.lines.length / LINES, batch.bytes / BYTES);
    if (batch.lines.length > 0 && (size >= TIMES || (size >= 1 && line.kind === 'entity'))) {
      yield batch;
      batch = { lines: [], current: entity, bytes: 0 };
    }
    if (line.kind === 'entity') entity = line;
    if (number > after) batch.lines.push({ number, line, bytes });
    else batch.current = entity;
    batch.bytes += bytes;
  }
  if (batch.lines.length > 0) yield batch;
}
