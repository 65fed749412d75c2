import type { Model } from '../../catalog/model/index.js';
import { simpleColumnPath, tryParseUrn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { ServiceError, type ServiceClient } from '../service-client.js';
import { readText } from './cells.js';
import { CsvCatalog, type AspectWrite } from './csv-catalog.js';
import type { RowMode, RowPlan } from './csv-field.js';
import { CsvError, readCsv, type CsvHead, type CsvRow } from './csv-file.js';
import { actorOf, CsvTable, definitionsOf, isProperty, RESOURCE, SUBRESOURCE } from './csv-table.js';
import { Draft, schemaColumns, type Subject } from './draft.js';

/** Rows that are compared at a time, and aspects that are written at once. */
const ROWS = 200;

export interface CsvImportOptions extends RowMode {
  /** Nothing is written. */
  readonly dryRun: boolean;
  /** Whether the changes of a row that is not refused are named. */
  readonly changed?: (line: number, urn: string, change: string) => void;
  readonly refused: (line: number, column: string, message: string) => void;
}

/** What an import of a table did, or would do. */
export interface CsvReport {
  rows: number;
  /** Rows that say something new, and those that are refused. */
  changed: number;
  refused: number;
  /** Rows that leave out something that stays. */
  kept: number;
}

type PlannedWrite = AspectWrite & { lines: ReadonlySet<number> };

/** Takes a table into a running service: only what differs is written, each aspect over the version that was compared. */
export class CsvImport {
  private readonly catalog: CsvCatalog;
  private readonly report: CsvReport = { rows: 0, changed: 0, refused: 0, kept: 0 };
  /** Things that a row was about. */
  private readonly seen = new Map<string, number>();
  private table!: CsvTable;

  constructor(
    private readonly client: ServiceClient,
    private readonly model: Model,
    private readonly options: CsvImportOptions,
  ) {
    this.catalog = new CsvCatalog(client);
  }

  /** @throws CsvError, ServiceError */
  async run(path: string): Promise<CsvReport> {
    let head: CsvHead | undefined;
    let batch: CsvRow[] = [];
    for await (const row of readCsv(path, (begin) => (head = begin))) {
      this.table ??= await this.open(head!);
      batch.push(row);
      if (batch.length < ROWS) continue;
      await this.take(batch);
      batch = [];
    }
    if (batch.length > 0) await this.take(batch);
    else if (this.report.rows === 0) await this.open(head!);
    return this.report;
  }

  private async open({ columns, delimiter }: CsvHead): Promise<CsvTable> {
    const known = CsvTable.of(this.model, new Map(), { delimiter, actor: '' }).headers;
    const properties = columns.filter(isProperty);
    const strange = columns.filter(
      (name) => ![RESOURCE, SUBRESOURCE, ...known, ...properties].includes(name),
    );
    if (!columns.includes(RESOURCE)) throw new CsvError(`line 1: there is no column "${RESOURCE}"`);
    if (strange.length > 0)
      throw new CsvError(
        `line 1: the column "${strange[0]}" is not known. Known are ${[RESOURCE, SUBRESOURCE, ...known].join(', ')}, ` +
          'and URNs of structured properties',
      );
    const definitions = await definitionsOf(this.catalog, properties);
    const missing = properties.find((urn) => !definitions.has(urn));
    if (missing !== undefined) throw new CsvError(`line 1: ${missing} does not exist`);
    const actor = await actorOf(this.client);
    return CsvTable.of(this.model, definitions, { delimiter, actor }).of(columns);
  }

  private async take(rows: readonly CsvRow[]): Promise<void> {
    this.report.rows += rows.length;
    const named = rows.map((row) => ({ row, urn: readText((row.cells.get(RESOURCE) ?? '').trim()) }));
    const readable = named.filter(({ row, urn }) => this.isReadable(row, urn));
    const drafts = await this.draftsOf(readable);
    const subjects = readable.flatMap(({ row, urn }) => {
      const subject = this.subjectOf(row, urn, drafts.get(urn));
      return subject ? [{ row, subject }] : [];
    });
    const mentions = subjects.flatMap(({ row, subject }) =>
      this.table.fields.flatMap((field) => field.mentions(cellsOf(row, field.headers), subject)),
    );
    await this.catalog.lookUp(mentions, (type) => this.model.entities.get(type)?.key.name);
    for (const { row, subject } of subjects) this.plan(row, subject);
    if (this.options.dryRun) return;
    await this.write([...drafts.values()].flatMap((draft) => draft.writes()));
  }

  private isReadable({ line, cells }: CsvRow, urn: string): boolean {
    const type = tryParseUrn(urn)?.type;
    if (type === undefined) return this.refuse(line, RESOURCE, `"${urn}" is no URN`);
    if (!this.model.entities.has(type)) return this.refuse(line, RESOURCE, `there is no entity type ${type}`);
    const key = `${urn}\n${cells.get(SUBRESOURCE) ?? ''}`;
    const before = this.seen.get(key);
    if (before !== undefined && this.options.override)
      return this.refuse(line, RESOURCE, `line ${before} is about the same: give one row for each thing`);
    this.seen.set(key, line);
    return true;
  }

  private async draftsOf(rows: ReadonlyArray<{ row: CsvRow; urn: string }>): Promise<Map<string, Draft>> {
    const columns = rows.some(({ row }) => (row.cells.get(SUBRESOURCE) ?? '') !== '');
    const urns = [...new Set(rows.map(({ urn }) => urn))];
    if (urns.length === 0) return new Map();
    const found = await this.catalog.read(urns, (type) => this.table.aspectsOf(type, columns));
    return new Map(
      [...found].map(([urn, entity]) => [
        urn,
        new Draft(this.model.entities.get(tryParseUrn(urn)!.type)!, entity),
      ]),
    );
  }

  private subjectOf({ line, cells }: CsvRow, urn: string, draft: Draft | undefined): Subject | undefined {
    if (draft === undefined) {
      this.refuse(line, RESOURCE, `${urn} does not exist`);
      return undefined;
    }
    const path = readText(cells.get(SUBRESOURCE) ?? '');
    if (path === '') return { draft };
    const columns = schemaColumns(draft);
    const column =
      columns.find(({ fieldPath }) => fieldPath === path) ??
      columns.find(({ fieldPath }) => simpleColumnPath(fieldPath) === path);
    if (column !== undefined) return { draft, column: column.fieldPath };
    this.refuse(line, SUBRESOURCE, `${urn} has no column "${path}"`);
    return undefined;
  }

  /** What a refused row says beside is not taken either. */
  private plan(row: CsvRow, { draft, column }: Subject): void {
    const { line } = row;
    const subject = { draft: draft.fork(), column };
    const plan: RowPlan = { changes: [], faults: [], kept: false };
    const change = { line, plan, exists: (urn: string) => this.catalog.exists(urn) };
    for (const field of this.table.fields) {
      const cells = cellsOf(row, field.headers);
      const empty = cells.every((cell) => cell === '');
      if (field.fits(subject)) {
        const before = field.cells(subject);
        if (cells.some((cell, i) => cell !== before[i])) field.apply(subject, cells, this.options, change);
      } else if (!empty) {
        const what = subject.column === undefined ? withArticle(subject.draft.spec.name) : 'a column';
        plan.faults.push({ column: field.headers[0]!, message: `${what} has none of this` });
      }
    }
    for (const { column, message } of plan.faults) this.options.refused(line, column, message);
    if (plan.faults.length > 0) this.report.refused += 1;
    else if (plan.changes.length > 0) this.report.changed += 1;
    if (plan.faults.length > 0) return;
    draft.adopt(subject.draft);
    if (plan.kept) this.report.kept += 1;
    for (const text of plan.changes) this.options.changed?.(line, named(subject), text);
  }

  /** All at once; when one is refused, each entity for itself, so that every refusal has its line. */
  private async write(writes: readonly PlannedWrite[]): Promise<void> {
    if (writes.length === 0) return;
    try {
      await this.catalog.write(writes);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status === undefined || error.status >= 500) throw error;
      const [first] = writes;
      const lines = [...new Set(writes.flatMap((write) => [...write.lines]))];
      if (writes.every(({ urn }) => urn === first!.urn)) {
        for (const line of lines) this.refuse(line, RESOURCE, error.message);
        this.report.changed -= lines.length;
        return;
      }
      for (const group of Map.groupBy(writes, ({ urn }) => urn).values()) await this.write(group);
    }
  }

  private refuse(line: number, column: string, message: string): false {
    this.options.refused(line, column, message);
    this.report.refused += 1;
    return false;
  }
}

const cellsOf = ({ cells }: CsvRow, headers: readonly string[]): string[] =>
  headers.map((header) => cells.get(header) ?? '');

const named = ({ draft, column }: Subject): string =>
  column === undefined ? draft.urn : `${draft.urn} ${column}`;
