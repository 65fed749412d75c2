import type { Model } from '../../catalog/model/index.js';
import { columnsOf, type SqlReader } from '../../catalog/store/index.js';
import { VERSION_COLUMNS, type ChangeLogRow } from '../change-log/index.js';
import type { AspectHistoryRow, EntityRow } from '../entities/index.js';
import { checkCut, cutGone, type ExportCut } from './export-cut.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');

/** Changes since the moment of an export that it can go on with; they are kept in memory. */
const MOST = 100_000;

/** The columns of a value. */
export const VALUE = VERSION_COLUMNS.join(', ');
/** A value of an aspect, as a table has it. */
export type StoredValue = Pick<AspectHistoryRow, (typeof VERSION_COLUMNS)[number]>;

type Change = Pick<
  ChangeLogRow,
  'entity_id' | 'aspect' | 'sequence' | 'version_before' | 'version_after' | 'event'
> &
  Pick<EntityRow, 'type'>;

/** What an entity was at the moment. */
interface Changed {
  /** Of the last change before; 0: it had not been there. */
  readonly sequence: number;
  /** The versions of the aspects that were changed since; 0: there was none. */
  readonly versions: Map<string, number>;
  /** What it was cannot be told: it, an aspect or events of it were replaced or deleted. */
  lost: boolean;
}

/** What was changed since the moment of an export, as the change log has it. */
export class ChangesSince {
  private constructor(private readonly changed: ReadonlyMap<number, Changed>) {}

  /** @throws CatalogError CURSOR_EXPIRED */
  static async read(
    reader: SqlReader,
    model: Model,
    cut: ExportCut,
    timeseries: boolean,
  ): Promise<ChangesSince> {
    await checkCut(reader, cut);
    const rows = await reader.all<Change>(
      `SELECT ${c.entity_id} AS entity_id, ${c.aspect} AS aspect, ${c.sequence} AS sequence, ${c.version_before} AS version_before,
         ${c.version_after} AS version_after, CASE WHEN ${c.event} IS NULL THEN NULL ELSE '' END AS event, ${e.type} AS type
       FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
       WHERE (${c.position} = 0 OR ${c.position} > ?) AND ${c.id} > ? ORDER BY ${c.id} LIMIT ${MOST + 1}`,
      [cut.published, cut.newest],
    );
    if (rows.length > MOST) throw cutGone(`more than ${MOST} changes were made since`);
    const changed = new Map<number, Changed>();
    for (const row of rows) {
      const id = Number(row.entity_id);
      const known = changed.get(id);
      const entity = known ?? begun(row);
      if (known === undefined) changed.set(id, entity);
      add(entity, row, { timeseries, key: model.findEntity(row.type)?.key.name });
    }
    return new ChangesSince(changed);
  }

  /** What some entities were. @param ids their numbers, all of what it will be asked for */
  async of(reader: SqlReader, ids: readonly number[]): Promise<PastEntities> {
    const keys = ids.flatMap((id) =>
      [...(this.changed.get(Number(id))?.versions ?? [])].map(([aspect, version]) => [id, aspect, version]),
    );
    if (keys.length === 0) return new PastEntities(this.changed, []);
    const { sql, params } = reader.dialect.inRows(['entity_id', 'aspect', 'version'], keys);
    const rows = await reader.all<StoredValue>(`SELECT ${VALUE} FROM aspect_history WHERE ${sql}`, params);
    return new PastEntities(this.changed, rows);
  }

  /** Numbers of the entities of which it cannot be told what they were. */
  get lost(): number[] {
    return [...this.changed].filter(([, { lost }]) => lost).map(([id]) => id);
  }
}

/** What some entities were at the moment of an export. */
export class PastEntities {
  private readonly earlier: ReadonlyMap<string, StoredValue>;

  /** @param earlier values that are history now and were the latest */
  constructor(
    private readonly changed: ReadonlyMap<number, Changed>,
    earlier: readonly StoredValue[],
  ) {
    this.earlier = new Map(earlier.map((row) => [keyOf(row), row]));
  }

  /** Whether it was made since. */
  isNew(id: number): boolean {
    return this.changed.get(Number(id))?.sequence === 0;
  }

  /** What the value of an aspect was; undefined where there was none. @throws CatalogError CURSOR_EXPIRED */
  valueOf(latest: StoredValue): StoredValue | undefined {
    const version = this.versionOf(latest);
    if (version === undefined || version === Number(latest.version)) return latest;
    if (version === 0) return undefined;
    const found = this.earlier.get(keyOf(latest));
    if (found === undefined) throw cutGone(`version ${version} of ${latest.aspect} is not kept`);
    return found;
  }

  /** Whether an earlier value was not one yet. */
  isLater(row: StoredValue): boolean {
    const latest = this.versionOf(row);
    return latest !== undefined && Number(row.version) >= latest;
  }

  private versionOf({ entity_id, aspect }: StoredValue): number | undefined {
    return this.changed.get(Number(entity_id))?.versions.get(aspect);
  }
}

const keyOf = ({ entity_id, aspect }: StoredValue): string => `${entity_id} ${aspect}`;

/** Events leave the sequence alone. */
function begun({ sequence, event }: Change): Changed {
  return { sequence: Number(sequence) - (event === null ? 1 : 0), versions: new Map(), lost: false };
}

function add(entity: Changed, change: Change, of: { timeseries: boolean; key: string | undefined }): void {
  // What was not there before is left out, whatever happened to it since.
  if (entity.sequence === 0) return;
  const [before, after] = [Number(change.version_before), Number(change.version_after)];
  if (change.event !== null) {
    entity.lost ||= of.timeseries;
    return;
  }
  const isFirst = !entity.versions.has(change.aspect);
  if (isFirst) entity.versions.set(change.aspect, before);
  // A deletion, a new life, or the value after a deletion.
  entity.lost ||= after === 0 || (isFirst && before === 0 && (after > 1 || change.aspect === of.key));
}
