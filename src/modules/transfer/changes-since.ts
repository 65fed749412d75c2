import type { ModelFacts } from '../../catalog/model/index.js';
import type { SqlReader } from '../../catalog/store/index.js';
import { changesSince, type ChangeSince } from '../change-log/offline.js';
import { storedByKey, type PageValue } from '../entities/offline.js';
import { checkCut, cutGone, type ExportCut } from './export-cut.js';

/** Changes since the moment of an export that it can go on with; they are kept in memory. */
const MOST = 100_000;

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
    { keys }: Pick<ModelFacts, 'keys'>,
    cut: ExportCut,
    timeseries: boolean,
  ): Promise<ChangesSince> {
    await checkCut(reader, cut);
    const rows = await changesSince(reader, cut, MOST + 1);
    if (rows.length > MOST) throw cutGone(`more than ${MOST} changes were made since`);
    const changed = new Map<number, Changed>();
    for (const row of rows) {
      const id = Number(row.entity_id);
      const known = changed.get(id);
      const entity = known ?? begun(row);
      if (known === undefined) changed.set(id, entity);
      add(entity, row, { timeseries, key: keys[row.type] });
    }
    return new ChangesSince(changed);
  }

  /** What some entities were. @param ids their numbers, all of what it will be asked for */
  async of(reader: SqlReader, ids: readonly number[]): Promise<PastEntities> {
    const keys = ids.flatMap((id) =>
      [...(this.changed.get(Number(id))?.versions ?? [])].map(([aspect, version]) => [id, aspect, version]),
    );
    if (keys.length === 0) return new PastEntities(this.changed, []);
    const rows = await storedByKey(reader, 'aspect_history', ['entity_id', 'aspect', 'version'], keys);
    return new PastEntities(this.changed, rows as Array<(typeof rows)[number] & PageValue>);
  }

  /** Numbers of the entities of which it cannot be told what they were. */
  get lost(): number[] {
    return [...this.changed].filter(([, { lost }]) => lost).map(([id]) => id);
  }
}

/** What some entities were at the moment of an export. */
export class PastEntities {
  private readonly earlier: ReadonlyMap<string, PageValue>;

  /** @param earlier values that are history now and were the latest */
  constructor(
    private readonly changed: ReadonlyMap<number, Changed>,
    earlier: readonly PageValue[],
  ) {
    this.earlier = new Map(earlier.map((row) => [keyOf(row), row]));
  }

  /** Whether it was made since. */
  isNew(id: number): boolean {
    return this.changed.get(Number(id))?.sequence === 0;
  }

  /** What the value of an aspect was; undefined where there was none. @throws CatalogError CURSOR_EXPIRED */
  valueOf(latest: PageValue): PageValue | undefined {
    const version = this.versionOf(latest);
    if (version === undefined || version === Number(latest.version)) return latest;
    if (version === 0) return undefined;
    const found = this.earlier.get(keyOf(latest));
    if (found === undefined) throw cutGone(`version ${version} of ${latest.aspect} is not kept`);
    return found;
  }

  /** Whether an earlier value was not one yet. */
  isLater(row: PageValue): boolean {
    const latest = this.versionOf(row);
    return latest !== undefined && Number(row.version) >= latest;
  }

  private versionOf({ entity_id, aspect }: PageValue): number | undefined {
    return this.changed.get(Number(entity_id))?.versions.get(aspect);
  }
}

const keyOf = ({ entity_id, aspect }: PageValue): string => `${entity_id} ${aspect}`;

/** Events leave the sequence alone. */
function begun({ sequence, event }: ChangeSince): Changed {
  return { sequence: Number(sequence) - (event === null ? 1 : 0), versions: new Map(), lost: false };
}

function add(
  entity: Changed,
  change: ChangeSince,
  of: { timeseries: boolean; key: string | undefined },
): void {
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
