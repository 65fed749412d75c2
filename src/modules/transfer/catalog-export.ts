import { setImmediate as nextRound } from 'node:timers/promises';
import type { Database, SqlReader } from '../../catalog/store/index.js';
import type { ModelFacts } from '../../catalog/model/index.js';
import {
  ALL_HEADS,
  headsOfType,
  StoredPages,
  type ClaimRow,
  type DeletedAspectRow,
  type HeadPass,
  type LineForms,
  type LineParts,
  type PageEvent,
  type PageHead,
  type PageValue,
  type WholePage,
} from '../entities/offline.js';
import { exportedTokens } from '../auth/offline.js';
import { ChangesSince } from './changes-since.js';
import { cutGone, readCut, type ExportCut } from './export-cut.js';
import { EXPORT_FORMAT, ExportFileError, type ExportCounts, type ExportSelection } from './export-format.js';
import { BLANK_CHECK } from './line-checksums.js';
import { LineWriter } from './line-writer.js';
import { ExportChecksums } from './export-checksums.js';

/** Parts that may be under way to the file, or the client, while the next is read. */
const AHEAD = 16;

/** Entities that were changed and are looked up at a time. */
const LOST = 500;
/** Bytes of a line that tell its kind. */
const KIND = 40;
type Kind = 'aspect' | 'history' | 'event';
/** What is counted of lines of a kind. */
const COUNT = {
  aspect: 'aspects',
  history: 'history',
  event: 'events',
} as const satisfies Record<Kind, keyof ExportCounts>;
/** Which lines of an interrupted export are counted as what. */
const COUNTED: Readonly<Record<string, keyof ExportCounts>> = {
  entity: 'entities',
  ...COUNT,
};

/** What to write, and what to tell while it is written. */
export interface ExportOptions extends ExportSelection {
  /** Whether the last line names the place in the change feed; without it two catalogs with the same data export the same bytes. */
  readonly cursor: boolean;
  /** This type comes before the others, where what refers to its entities is refused until they are there. */
  readonly first?: string;
  /** URNs of the entities to look among, in pages and in their order; all of the catalog when left out. */
  readonly found?: AsyncIterable<readonly string[]>;
  /** Told before the first line, of an export that can go on later as of its moment. */
  readonly began?: (cut: ExportCut) => Promise<void> | void;
  /** The moment of an export that was interrupted: this one writes the same. */
  readonly cut?: ExportCut;
  /** What that export has written, as whole entities, and the URN of the last of them. Its checks are right. */
  readonly kept?: {
    readonly lines: AsyncIterable<Buffer>;
    readonly after: string;
  };
  /** How many entities there are to come, told once, and how many lines and entities were written. */
  readonly progress?: (written: { total: number; entities: number; lines: number }) => void;
}

/**
 * Writes the catalog as lines of JSON, in the order of the URNs, from one snapshot of the database. Memory does not depend on
 * how much there is: a page of entities is read at a time, and of long histories and time series a part.
 */
export class CatalogExport {
  constructor(
    private readonly database: Database,
    private readonly model: ModelFacts,
  ) {}

  /**
   * Hands the export to `write` in parts of whole lines, one after the other. Each part belongs to `write` until it is settled, and
   * is then filled again.
   * @throws CatalogError CURSOR_EXPIRED when an interrupted export cannot go on; ExportFileError when it had other options
   */
  async run(options: ExportOptions, write: (part: Buffer) => Promise<void>): Promise<ExportCounts> {
    return this.database.snapshot(async (reader) => {
      const written = new ExportRun(reader, this.model, options, write);
      try {
        return await written.run();
      } finally {
        await written.close();
      }
    });
  }
}

/** One export, on its snapshot. */
class ExportRun {
  private readonly writer = new LineWriter();
  private readonly checksums = new ExportChecksums();
  /** Parts that get their checksums or are written, in their order. */
  private readonly underWay: Array<Promise<unknown>> = [];
  private last: Promise<unknown> = Promise.resolve();
  private readonly counts: ExportCounts = {
    entities: 0,
    aspects: 0,
    history: 0,
    events: 0,
    tokens: 0,
  };
  private readonly stored: StoredPages;
  /** Names of aspects that are left out. */
  private readonly without: readonly string[];
  private readonly forms: LineForms;
  /** Who wrote the line before: mostly the same. */
  private actor = { urn: '', json: '""' };
  /** Of an export that goes on. */
  private since: ChangesSince | undefined;

  constructor(
    private readonly reader: SqlReader,
    private readonly model: ModelFacts,
    private readonly options: ExportOptions,
    private readonly write: (part: Buffer) => Promise<void>,
  ) {
    const { entityTypes, urns, history } = options;
    this.stored = new StoredPages(reader, {
      entityTypes,
      urns,
      deleted: history,
    });
    this.without = options.secrets ? [] : model.secrets;
    this.forms = {
      ...LINES,
      ...(!options.history && { history: undefined }),
      ...(!options.timeseries && { event: undefined }),
    };
  }

  async run(): Promise<ExportCounts> {
    const { entityTypes, urns, query, history, timeseries, secrets, tokens, found, kept } = this.options;
    const selection = {
      ...{ entityTypes, urns },
      ...(query !== undefined && { query }),
      ...{ history, timeseries, secrets, tokens },
    };
    const cut = await this.begin();
    const header = {
      kind: 'catalog-export',
      format: EXPORT_FORMAT,
      model: this.model.digest,
      ...selection,
    };
    if (kept) await this.keep(kept.lines, header);
    else this.object(header);
    const total = this.options.progress ? await this.stored.total() : 0;
    const { first } = this.options;
    const passes = first === undefined ? [ALL_HEADS] : [headsOfType(first, '='), headsOfType(first, '<>')];
    if (found) await this.among(found);
    else for (const pass of passes) await this.pass(pass, total);
    if (tokens) await this.tokens();
    const cursor = this.options.cursor ? cut.cursor : undefined;
    this.writer.end(this.counts, cursor, await this.handOn(true));
    await this.handOn(true);
    await this.last;
    return this.counts;
  }

  /** The moment of the export: this one, or that of an export that goes on, where it can. */
  private async begin(): Promise<ExportCut> {
    const { cut, timeseries, tokens, began } = this.options;
    if (cut === undefined) {
      const made = await readCut(this.reader, tokens);
      await began?.(made);
      return made;
    }
    this.since = await ChangesSince.read(this.reader, this.model, cut, timeseries);
    const { lost } = this.since;
    for (let from = 0; from < lost.length; from += LOST) {
      const found = await this.stored.firstOf(lost.slice(from, from + LOST), this.options.kept?.after ?? '');
      if (found) throw cutGone(`events of ${found} were written, or what it had was deleted, since`);
    }
    await began?.(cut);
    return cut;
  }

  /** Takes over what was written before the export was interrupted. */
  private async keep(lines: AsyncIterable<Buffer>, header: object): Promise<void> {
    const first = JSON.stringify(header).slice(0, -1);
    for await (const line of lines) {
      if (this.writer.count === 0 && !line.toString('utf8', 0, Buffer.byteLength(first)).startsWith(first))
        throw new ExportFileError('line 1: the export was begun with other options, or with another model');
      const [, kind = ''] = /^\{"kind":"(\w+)"/.exec(line.toString('latin1', 0, KIND)) ?? [];
      const name = COUNTED[kind];
      if (name !== undefined) this.counts[name] += 1;
      this.writer.copy(line);
      if (this.writer.isFull) await this.handOn();
    }
  }

  async close(): Promise<void> {
    await this.checksums.close();
    // What failed was thrown, or is of no interest after what was.
    await Promise.allSettled(this.underWay);
  }

  /**
   * Has what was collected written with its checksums, beside what comes next.
   * @param last whether to wait for the checksum of all, which is answered
   */
  private async handOn(last = false): Promise<string> {
    while (this.underWay.length >= AHEAD) await this.underWay.shift();
    const checked = this.checksums.fill(this.writer.take(), last);
    const before = this.last;
    const written = checked.then(async ({ bytes }) => {
      await before;
      await this.write(bytes);
      this.writer.reuse(bytes);
    });
    // Thrown where it is waited for.
    written.catch(() => undefined);
    this.underWay.push(written);
    this.last = written;
    return last ? ((await checked).sha256 ?? '') : '';
  }

  private async pass(pass: HeadPass, total: number): Promise<void> {
    const ahead = this.stored.readsAhead;
    for (let after = this.options.kept?.after ?? '', page = this.whole(after, pass); ;) {
      const whole = await page;
      if (whole && ahead) {
        page = this.whole(whole.last, pass);
        // Thrown where it is waited for.
        page.catch(() => undefined);
      }
      const last = whole ? await this.add(whole) : await this.rowsAfter(after, pass);
      if (last === undefined) break;
      // Others of this process have their turn.
      await nextRound();
      if (!whole || !ahead) page = this.whole(last, pass);
      after = last;
      this.options.progress?.({
        total,
        entities: this.counts.entities,
        lines: this.writer.count,
      });
    }
  }

  private async among(found: AsyncIterable<readonly string[]>): Promise<void> {
    for await (const urns of found)
      for (let from = 0; from < urns.length;) {
        const some = urns.slice(from, from + this.stored.size);
        const named = this.stored.named(some);
        const whole = await this.whole('', named);
        await (whole ? this.add(whole) : this.rowsAfter('', named));
        await nextRound();
        from += some.length;
      }
  }

  /** The next page after a URN, where it can be had as a whole. */
  private async whole(after: string, pass: HeadPass): Promise<WholePage | undefined> {
    // What it was at an earlier moment, the database does not tell by itself.
    return this.since === undefined ? this.stored.whole(after, pass, this.forms, this.without) : undefined;
  }

  /** Writes a page. @returns URN of the last of its entities */
  private async add(whole: WholePage): Promise<string> {
    const { counts, writer } = this;
    counts.entities += whole.entities;
    counts.aspects += whole.aspect;
    counts.history += whole.history;
    counts.events += whole.event;
    let count = whole.entities + whole.aspect + whole.history + whole.event;
    for (const part of whole.parts) {
      writer.lines(part, count);
      count = 0;
      if (writer.isFull) await this.handOn();
    }
    whole.release();
    return whole.last;
  }

  /** Writes the next page after a URN row by row. @returns URN of the last of its entities */
  private async rowsAfter(after: string, pass: HeadPass): Promise<string | undefined> {
    const heads = await this.stored.heads(after, pass);
    if (heads.length > 0) await this.rows(heads);
    return heads.at(-1)?.urn;
  }

  /** Writes a page of which this makes the lines, row by row. */
  private async rows(heads: readonly PageHead[]): Promise<void> {
    const ids = heads.map(({ id }) => id);
    const { stored } = this;
    const aspects = await stored.values(ids);
    const deleted = await stored.deleted(ids);
    const names = await stored.names(ids);
    const { history, timeseries } = this.options;
    const histories = history ? await stored.history(ids) : undefined;
    const series = timeseries ? await stored.events(ids) : undefined;
    const past = await this.since?.of(this.reader, ids);
    for (const head of heads) {
      if (past?.isNew(head.id) === true) continue;
      this.object(headOf(head, deleted.get(head.id), names.get(head.id)));
      this.counts.entities += 1;
      if (Number(head.live) !== 1) continue;
      const subject = subjectOf(head);
      for (const row of aspects.get(head.id) ?? []) {
        const then = past ? past.valueOf(row) : row;
        if (then) this.value(subject, 'aspect', then);
      }
      for await (const rows of histories?.(head.id) ?? []) {
        for (const row of rows) if (past?.isLater(row) !== true) this.value(subject, 'history', row);
        if (this.writer.isFull) await this.handOn();
      }
      for await (const rows of series?.(head.id) ?? []) {
        for (const row of rows) this.event(subject, row);
        if (this.writer.isFull) await this.handOn();
      }
      if (this.writer.isFull) await this.handOn();
    }
  }

  private value(subject: string, kind: 'aspect' | 'history', row: PageValue): void {
    if (this.without.includes(row.aspect)) return;
    const { aspect, version } = row;
    this.writer.line(
      `{"kind":"${kind}",${subject},"aspectName":"${aspect}","version":${Number(version)}${this.content(row)}`,
    );
    this.counts[COUNT[kind]] += 1;
  }

  private event(subject: string, row: PageEvent): void {
    if (this.without.includes(row.aspect)) return;
    const { aspect, time, message } = row;
    const key = `"time":${Number(time)},"message":${JSON.stringify(message)}`;
    this.writer.line(`{"kind":"event",${subject},"aspectName":"${aspect}",${key}${this.content(row)}`);
    this.counts.events += 1;
  }

  private async tokens(): Promise<void> {
    for (const token of await exportedTokens(this.reader)) {
      this.object({ kind: 'token', ...token });
      this.counts.tokens += 1;
    }
  }

  /** Values are JSON texts already, and system metadata never has a newline. The brace that closes the line is left to its check. */
  private content(row: Pick<PageValue, 'value' | 'system_metadata' | 'created_at' | 'created_by'>): string {
    const { value, system_metadata, created_at, created_by } = row;
    if (created_by !== this.actor.urn) this.actor = { urn: created_by, json: JSON.stringify(created_by) };
    return `,"aspect":{"json":${inOneLine(value)}},"systemMetadata":${system_metadata},"created":{"time":${Number(created_at)},"actor":${this.actor.json}}`;
  }

  private object(line: object): void {
    this.writer.line(JSON.stringify(line).slice(0, -1));
  }
}

function headOf(
  head: PageHead,
  deleted: readonly DeletedAspectRow[] | undefined,
  names: readonly ClaimRow[] | undefined,
): object {
  const { type, urn, live, created_at, created_by } = head;
  return {
    kind: 'entity',
    entityType: type,
    entityUrn: urn,
    created: { time: Number(created_at), actor: created_by },
    ...(Number(live) !== 1 && { deleted: true }),
    ...(deleted && {
      deletedAspects: Object.fromEntries(deleted.map(({ aspect, version }) => [aspect, Number(version)])),
    }),
    ...(names && { names: names.map(({ name }) => name) }),
  };
}

/** The same lines of columns, as expressions of the database or as parts that are put together. */
const LINES: LineForms = {
  headText: (...of) => JSON.stringify(headOf(...of)).slice(0, -1) + BLANK_CHECK,
  head: (texts, members) => [
    ...[texts.literal('{"kind":"entity","entityType":"'), 'e.type', texts.literal('","entityUrn":')],
    ...[texts.quoted('e.urn'), texts.literal(',"created":{"time":'), 'e.created_at'],
    ...[texts.literal(',"actor":'), texts.quoted('e.created_by'), texts.literal('}')],
    `CASE e.live WHEN 1 THEN '' ELSE ${texts.literal(',"deleted":true')} END`,
    ...[...members, texts.literal(BLANK_CHECK)],
  ],
  aspect: (texts) => partsOf('aspect', texts, '","version":', 'v.version'),
  history: (texts) => partsOf('history', texts, '","version":', 'v.version'),
  event: (texts) => partsOf('event', texts, '","time":', 'v.time', ',"message":', texts.quoted('v.message')),
};

/** @param key texts and columns in turns */
function partsOf(kind: Kind, texts: Parameters<LineParts>[0], ...key: string[]): string[] {
  const text = (value: string): string => texts.literal(value);
  return [
    ...[text(`{"kind":"${kind}","entityType":"`), 'e.type', text('","entityUrn":'), texts.quoted('e.urn')],
    ...[text(',"aspectName":"'), 'v.aspect', ...key.map((part, i) => (i % 2 === 0 ? text(part) : part))],
    ...[text(',"aspect":{"json":'), 'v.value', text('},"systemMetadata":'), 'v.system_metadata'],
    ...[text(',"created":{"time":'), 'v.created_at', text(',"actor":'), texts.quoted('v.created_by')],
    text(`}${BLANK_CHECK}`),
  ];
}

/** What every line of an entity says of it. */
function subjectOf({ type, urn }: PageHead): string {
  return `"entityType":"${type}","entityUrn":${JSON.stringify(urn)}`;
}

/** Outside of strings, where it is written otherwise, a newline is a blank. */
function inOneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}
