import { refuse } from '../../catalog/errors/index.js';
import { isRecord, type JsonSchema } from '../../catalog/model/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { MAX_TABLE_ROWS, type getTimeseriesStats } from './analytics.routes.js';
import { beginningOf } from './time-spans.js';

type Values = ValuesOf<typeof getTimeseriesStats>;
type Metric = Values['metrics'][number];
type Grouping = NonNullable<Values['buckets']>[number];
type Event = Readonly<Record<string, unknown>>;
/** What the model says of the field at a path; undefined when there is none. */
type FieldAt = (path: readonly string[]) => JsonSchema | undefined;

const TIME = 'timestampMillis';

/** What one cell of a row is made from, event by event. */
interface Cell {
  add(value: unknown, time: number): void;
  readonly text: string;
}

interface Row {
  readonly keys: ReadonlyArray<string | number>;
  readonly cells: readonly Cell[];
}

/**
 * A table of events: a row for each group, a column for each key and each metric. Where a path leads through a list,
 * such as `userCounts.user`, each element of the list counts as an event of its own.
 */
export class EventTable {
  private readonly rows = new Map<string, Row>();
  /** Name of the list whose elements are counted. */
  private readonly list: string | undefined;
  readonly columnNames: string[];
  readonly columnTypes: string[];

  /** @throws CatalogError PARAMETER_INVALID */
  constructor(
    private readonly metrics: readonly Metric[],
    private readonly groupings: readonly Grouping[],
    fieldAt: FieldAt,
  ) {
    const places = [
      ...groupings.map(({ key }, i) => ({ path: key, at: `/buckets/${i}/key` })),
      ...metrics.map(({ fieldPath }, i) => ({ path: fieldPath, at: `/metrics/${i}/fieldPath` })),
    ];
    const types = places.map(({ path, at }) => typeOf(fieldAt(path.split('.')), path, at));
    groupings.forEach((grouping, i) => checkGrouping(grouping, `/buckets/${i}`));
    metrics.forEach(({ aggregationType, fieldPath }, i) => {
      if (aggregationType === 'SUM' && !NUMERIC.has(types[groupings.length + i]!))
        throw refuse('PARAMETER_INVALID', `${fieldPath} is no number to sum up`, `/metrics/${i}/fieldPath`);
    });
    this.list = listOf(places, fieldAt);
    this.columnNames = [
      ...groupings.map(({ key }) => key),
      ...metrics.map(({ aggregationType, fieldPath }) => `${aggregationType.toLowerCase()}_${fieldPath}`),
    ];
    this.columnTypes = types.map((type, i) => {
      const metric = metrics[i - groupings.length];
      if (metric === undefined) return NUMERIC.has(type) ? type : 'string';
      return { LATEST: type, SUM: 'double', CARDINALITY: 'long' }[metric.aggregationType];
    });
  }

  /** @throws CatalogError PARAMETER_INVALID when there are too many groups */
  add(event: Event): void {
    const { list } = this;
    if (list === undefined) return this.count(event);
    const elements = event[list];
    if (Array.isArray(elements))
      for (const element of elements) this.count({ ...event, [list]: element as unknown });
  }

  /** In the order of their keys, the first key first. */
  texts(): string[][] {
    return [...this.rows.values()]
      .sort((a, b) => compare(a.keys, b.keys))
      .map(({ keys, cells }) => [...keys.map(String), ...cells.map(({ text }) => text)]);
  }

  private count(event: Event): void {
    const time = Number(event[TIME]);
    const keys: Array<string | number> = [];
    for (const { key, type, timeWindowSize } of this.groupings) {
      const value = type === 'DATE_GROUPING_BUCKET' ? time : valueAt(event, key.split('.'));
      // Events without a value belong to no group.
      if (value === undefined) return;
      const { unit = 'DAY', multiple } = timeWindowSize ?? {};
      keys.push(type === 'DATE_GROUPING_BUCKET' ? beginningOf(time, unit, multiple) : textOf(value));
    }
    const id = JSON.stringify(keys);
    let row = this.rows.get(id);
    if (row === undefined) {
      if (this.rows.size === MAX_TABLE_ROWS)
        throw refuse('PARAMETER_INVALID', `a table has at most ${MAX_TABLE_ROWS} rows`, '/buckets');
      row = { keys, cells: this.metrics.map(({ aggregationType }) => CELLS[aggregationType]()) };
      this.rows.set(id, row);
    }
    this.metrics.forEach(({ fieldPath }, i) => {
      const value = valueAt(event, fieldPath.split('.'));
      if (value !== undefined) row.cells[i]!.add(value, time);
    });
  }
}

const CELLS: Record<Metric['aggregationType'], () => Cell> = {
  LATEST: () => {
    let [latest, text] = [-Infinity, 'NULL'];
    return {
      add: (value, time) => {
        if (time > latest) [latest, text] = [time, textOf(value)];
      },
      get text() {
        return text;
      },
    };
  },
  SUM: () => {
    let sum = 0;
    return {
      add: (value) => void (sum += Number(value)),
      get text() {
        return String(sum);
      },
    };
  },
  CARDINALITY: () => {
    const values = new Set<string>();
    return {
      add: (value) => void values.add(textOf(value)),
      get text() {
        return String(values.size);
      },
    };
  },
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function valueAt(event: Event, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    event,
  );
}

const NUMERIC = new Set(['int', 'long', 'float', 'double']);

/** The name that clients know the type of a field by. */
function typeOf(field: JsonSchema | undefined, path: string, pointer: string): string {
  if (field === undefined)
    throw refuse('PARAMETER_INVALID', `the events have no field ${JSON.stringify(path)}`, pointer);
  const { type, format } = field;
  if (type === 'integer') return format === 'int64' ? 'long' : 'int';
  if (type === 'number') return format === 'float' ? 'float' : 'double';
  if (type === 'object') return field.properties ? 'record' : 'map';
  if (type === 'string' && field.enum) return 'enum';
  return typeof type === 'string' ? type : 'string';
}

function checkGrouping({ type, key, timeWindowSize }: Grouping, pointer: string): void {
  if (type === 'STRING_GROUPING_BUCKET') return;
  if (key !== TIME) throw refuse('PARAMETER_INVALID', `dates are grouped by ${TIME} only`, `${pointer}/key`);
  if (timeWindowSize === undefined)
    throw refuse('PARAMETER_MISSING', 'the length of a span is missing', `${pointer}/timeWindowSize`);
}

/** The one list that paths lead through. */
function listOf(places: ReadonlyArray<{ path: string; at: string }>, fieldAt: FieldAt): string | undefined {
  let list: string | undefined;
  for (const { path, at } of places) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0 || fieldAt([name])?.type !== 'array') continue;
    if (list !== undefined && list !== name)
      throw refuse(
        'PARAMETER_INVALID',
        `the elements of ${list} and of ${name} are not counted together`,
        at,
      );
    list = name;
  }
  return list;
}

function compare(a: Row['keys'], b: Row['keys']): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
