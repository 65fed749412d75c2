import { columnsOf, type Database, type SqlReader, type SqlValue } from '../../catalog/store/index.js';
import type { Model } from '../../catalog/model/index.js';
import { cursorBehind, VERSION_COLUMNS, writeCursor, type LogPlace } from '../change-log/index.js';
import type { AspectHistoryRow, AspectRow, DeletedAspectRow, EntityRow } from '../entities/index.js';
import { EXPORT_FORMAT, LineWriter, type ExportCounts, type ExportSelection } from './export-format.js';

const e = columnsOf<EntityRow>('e');

/** Entities that are read at a time, and rows of one aspect. */
const PAGE = 200;
const SLICE = 500;

const VALUE = VERSION_COLUMNS.join(', ');
const EVENT = 'entity_id, aspect, time, message, value, system_metadata, created_at, created_by';

type Head = Pick<EntityRow, 'id' | 'urn' | 'type' | 'live' | 'created_at' | 'created_by'>;
type Value = Pick<AspectHistoryRow, (typeof VERSION_COLUMNS)[number]>;
type Event = Omit<Value, 'version'> & { time: number; message: string };
type Claim = { entity_id: number; name: string };
/** How many rows a table has of one aspect of one entity. */
type Partition = Pick<AspectRow, 'entity_id' | 'aspect'> & { n: number };

/** Which of the selected heads come now. */
interface Pass {
  readonly sql: string;
  readonly params: SqlValue[];
}

const NO_LIMIT: Pass = { sql: '', params: [] };
const typed = (type: string, operator: '=' | '<>'): Pass => ({
  sql: `AND ${e.type} ${operator} ?`,
  params: [type],
});

/** A table whose rows may be many for one aspect, and how it is read in parts. */
interface Ordered<R> {
  readonly table: string;
  readonly columns: string;
  /** Orders the rows of an aspect. */
  readonly key: string;
  /** Selects those after one. */
  readonly after: { readonly sql: string; params(row: R): SqlValue[] };
}

const HISTORY: Ordered<Value> = {
  table: 'aspect_history',
  columns: VALUE,
  key: 'version',
  after: { sql: 'AND version > ?', params: ({ version }) => [Number(version)] },
};
const SERIES: Ordered<Event> = {
  table: 'timeseries_aspect',
  columns: EVENT,
  key: 'time, message',
  after: {
    sql: 'AND time >= ? AND (time > ? OR message > ?)',
    params: ({ time, message }) => [Number(time), Number(time), message],
  },
};

/** What to write, and what to tell while it is written. */
export interface ExportOptions extends ExportSelection {
  /** Whether the last line names the place in the change feed; without it two catalogs with the same data export the same bytes. */
  readonly cursor: boolean;
  /** This type comes before the others, where what refers to its entities is refused until they are there. */
  readonly first?: string;
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
    private readonly model: Model,
    /** Of the model. */
    private readonly fingerprint: string,
  ) {}

  /** Hands the export to `write` in parts of whole lines, and waits for each. */
  async run(options: ExportOptions, write: (part: Buffer) => Promise<void>): Promise<ExportCounts> {
    return this.database.snapshot(async (reader) => {
      const written = new ExportRun(reader, this.model, options, write);
      return written.run(this.fingerprint);
    });
  }
}

/** One export, on its snapshot. */
class ExportRun {
  private readonly writer = new LineWriter();
  private readonly counts: ExportCounts = { entities: 0, aspects: 0, history: 0, events: 0, tokens: 0 };
  private readonly hidden: ReadonlySet<string>;

  constructor(
    private readonly reader: SqlReader,
    model: Model,
    private readonly options: ExportOptions,
    private readonly write: (part: Buffer) => Promise<void>,
  ) {
    const secret = [...model.aspects.values()].filter((aspect) => aspect.secret).map(({ name }) => name);
    this.hidden = new Set(options.secrets ? [] : secret);
  }

  async run(fingerprint: string): Promise<ExportCounts> {
    const { entityTypes, urns, history, timeseries, secrets, tokens } = this.options;
    const selection = { entityTypes, urns, history, timeseries, secrets, tokens };
    await this.line(
      JSON.stringify({ kind: 'catalog-export', format: EXPORT_FORMAT, model: fingerprint, ...selection }),
    );
    const total = this.options.progress ? await this.total() : 0;
    const { first } = this.options;
    const passes: Pass[] = first === undefined ? [NO_LIMIT] : [typed(first, '='), typed(first, '<>')];
    for (const pass of passes) await this.pass(pass, total);
    if (tokens) await this.tokens();
    await this.write(this.writer.end(this.counts, this.options.cursor ? await this.cursor() : undefined));
    return this.counts;
  }

  private async pass(pass: Pass, total: number): Promise<void> {
    for (let after = ''; ;) {
      const heads = await this.heads(after, pass);
      const last = heads.at(-1);
      if (last === undefined) break;
      await this.page(heads);
      after = last.urn;
      this.options.progress?.({ total, entities: this.counts.entities, lines: this.writer.count });
    }
  }

  /** Which heads are selected: entities, with the history also those that were deleted, never what is only referred to. */
  private selected(): { sql: string; params: SqlValue[] } {
    const { entityTypes, urns, history } = this.options;
    const { dialect } = this.reader;
    const parts = [history ? `(${e.live} = 1 OR ${e.sequence} > 0)` : `${e.live} = 1`];
    const params: SqlValue[] = [];
    if (entityTypes.length > 0) {
      const types = dialect.in(e.type, entityTypes);
      parts.push(types.sql);
      params.push(...types.params);
    }
    if (urns.length > 0) {
      parts.push(`(${urns.map(() => dialect.like(e.urn)).join(' OR ')})`);
      params.push(...urns.map(likeOf));
    }
    return { sql: parts.join(' AND '), params };
  }

  private async total(): Promise<number> {
    const { sql, params } = this.selected();
    const [row] = await this.reader.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM entity e WHERE ${sql}`,
      params,
    );
    return Number(row?.n ?? 0);
  }

  private heads(after: string, pass: Pass): Promise<Head[]> {
    const { sql, params } = this.selected();
    return this.reader.all<Head>(
      `SELECT ${e.id}, ${e.urn}, ${e.type}, ${e.live}, ${e.created_at}, ${e.created_by} FROM entity e
       WHERE ${e.urn} > ? AND ${sql} ${pass.sql} ORDER BY ${e.urn} LIMIT ${PAGE}`,
      [after, ...params, ...pass.params],
    );
  }

  private async page(heads: readonly Head[]): Promise<void> {
    const ids = heads.map(({ id }) => id);
    const { sql, params } = this.reader.dialect.in('entity_id', ids);
    const of = <R extends { entity_id: number }>(text: string) => this.grouped<R>(text, params);
    const aspects = await of<Value>(`SELECT ${VALUE} FROM aspect WHERE ${sql} ORDER BY entity_id, aspect`);
    const deleted = await of<DeletedAspectRow>(
      `SELECT entity_id, aspect, version FROM deleted_aspect WHERE ${sql} ORDER BY entity_id, aspect`,
    );
    const names = await of<Claim>(`SELECT entity_id, name FROM claim WHERE ${sql} ORDER BY entity_id, name`);
    const histories = this.options.history ? await this.rowsOf<Value>(HISTORY, ids) : undefined;
    const series = this.options.timeseries ? await this.rowsOf<Event>(SERIES, ids) : undefined;
    for (const head of heads) {
      await this.line(headJson(head, deleted.get(head.id), names.get(head.id)));
      this.counts.entities += 1;
      if (Number(head.live) !== 1) continue;
      for (const row of aspects.get(head.id) ?? []) await this.value(head, 'aspect', row);
      for await (const row of histories?.(head.id) ?? []) await this.value(head, 'history', row);
      for await (const row of series?.(head.id) ?? []) await this.event(head, row);
    }
  }

  /** The rows that a table has of entities: read at once where they are few, else aspect by aspect in parts. */
  private async rowsOf<R extends Value | Event>(
    { table, columns, key, after }: Ordered<R>,
    ids: readonly number[],
  ): Promise<(id: number) => AsyncIterable<R> | Iterable<R>> {
    const { sql, params } = this.reader.dialect.in('entity_id', ids);
    const partitions = await this.grouped<Partition>(
      `SELECT entity_id, aspect, COUNT(*) AS n FROM ${table} WHERE ${sql} GROUP BY entity_id, aspect ORDER BY entity_id, aspect`,
      params,
    );
    const count = [...partitions.values()].flat().reduce((sum, { n }) => sum + Number(n), 0);
    if (count === 0) return () => [];
    if (count <= 2 * SLICE) {
      const rows = await this.grouped<R>(
        `SELECT ${columns} FROM ${table} WHERE ${sql} ORDER BY entity_id, aspect, ${key}`,
        params,
      );
      return (id) => rows.get(id) ?? [];
    }
    const { reader } = this;
    return async function* (id) {
      for (const { aspect } of partitions.get(id) ?? []) {
        for (let last: R | undefined; ;) {
          const rows: R[] = await reader.all<R>(
            `SELECT ${columns} FROM ${table} WHERE entity_id = ? AND aspect = ? ${last ? after.sql : ''}
             ORDER BY ${key} LIMIT ${SLICE}`,
            [id, aspect, ...(last ? after.params(last) : [])],
          );
          yield* rows;
          last = rows.at(-1);
          if (last === undefined || rows.length < SLICE) break;
        }
      }
    };
  }

  private async value(head: Head, kind: 'aspect' | 'history', row: Value): Promise<void> {
    if (this.hidden.has(row.aspect)) return;
    await this.line(`${beginning(kind, head, row.aspect)},"version":${Number(row.version)}${valueJson(row)}`);
    this.counts[kind === 'aspect' ? 'aspects' : 'history'] += 1;
  }

  private async event(head: Head, row: Event): Promise<void> {
    if (this.hidden.has(row.aspect)) return;
    const key = `,"time":${Number(row.time)},"message":${JSON.stringify(row.message)}`;
    await this.line(`${beginning('event', head, row.aspect)}${key}${valueJson(row)}`);
    this.counts.events += 1;
  }

  private async tokens(): Promise<void> {
    const rows = await this.reader.all<Record<string, string | number>>(
      `SELECT id, actor, role, name, description, created_at AS createdAt, created_by AS createdBy,
         expires_at AS expiresAt, revoked_at AS revokedAt, parent FROM access_token ORDER BY id`,
    );
    for (const { createdAt, expiresAt, revokedAt, ...row } of rows) {
      const times = {
        createdAt: Number(createdAt),
        expiresAt: Number(expiresAt),
        revokedAt: Number(revokedAt),
      };
      await this.line(JSON.stringify({ kind: 'token', ...row, ...times }));
      this.counts.tokens += 1;
    }
  }

  /** Behind what is published: changes of this export that are published later are told to readers once more. */
  private async cursor(): Promise<string> {
    const [row] = await this.reader.all<LogPlace>(
      `SELECT position, entity_id AS entityId, sequence, time FROM change_log WHERE position > 0
       ORDER BY position DESC LIMIT 1`,
    );
    if (row === undefined) return writeCursor({ position: 0, skip: 0, mark: '' });
    const { position, entityId, sequence, time } = row;
    return writeCursor(
      cursorBehind({
        position: Number(position),
        entityId: Number(entityId),
        sequence: Number(sequence),
        time: Number(time),
      }),
    );
  }

  private async grouped<R extends { entity_id: number }>(
    sql: string,
    params: readonly SqlValue[],
  ): Promise<Map<number, R[]>> {
    return Map.groupBy(await this.reader.all<R>(sql, params), (row) => row.entity_id);
  }

  /** @param json of an object */
  private async line(json: string): Promise<void> {
    this.writer.line(json.slice(0, -1));
    if (this.writer.isFull) await this.write(this.writer.take());
  }
}

function headJson(
  head: Head,
  deleted: readonly DeletedAspectRow[] | undefined,
  names: readonly Claim[] | undefined,
): string {
  const { type, urn, live, created_at, created_by } = head;
  return JSON.stringify({
    kind: 'entity',
    entityType: type,
    entityUrn: urn,
    created: { time: Number(created_at), actor: created_by },
    ...(Number(live) !== 1 && { deleted: true }),
    ...(deleted && {
      deletedAspects: Object.fromEntries(deleted.map(({ aspect, version }) => [aspect, Number(version)])),
    }),
    ...(names && { names: names.map(({ name }) => name) }),
  });
}

function beginning(kind: string, { type, urn }: Head, aspect: string): string {
  return `{"kind":"${kind}","entityType":"${type}","entityUrn":${JSON.stringify(urn)},"aspectName":"${aspect}"`;
}

/** Values are JSON texts already. */
function valueJson({
  value,
  system_metadata,
  created_at,
  created_by,
}: Pick<Value, 'value' | 'system_metadata' | 'created_at' | 'created_by'>): string {
  const actor = JSON.stringify(created_by);
  return `,"aspect":{"json":${inOneLine(value)}},"systemMetadata":${inOneLine(system_metadata)},"created":{"time":${Number(created_at)},"actor":${actor}}}`;
}

/** Outside of strings, where it is written otherwise, a newline is a blank. */
function inOneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}

/** A pattern of SQL for one with stars. */
function likeOf(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
