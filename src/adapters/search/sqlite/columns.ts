import type { SearchSchema } from '../../../catalog/search/index.js';
import { Column, type ColumnValue } from './column.js';
import type { IndexConnection } from './index-connection.js';
import type { IndexFile } from './index-file.js';
import { prepared } from './steps.js';
import { UrnOrder } from './urn-order.js';

/** What one write changed of one value: the documents that have it from then on, and those that had it until then. */
export type ValueChange = readonly [
  field: string,
  value: ColumnValue,
  added: readonly number[],
  removed: readonly number[],
];

/** So many writes can be followed. Whoever is further behind reads everything anew. */
const MOST_CHANGES = 1000;

/** Fields that searches look into and nothing is counted by: their values are many, and nobody else's. */
export function unlistedFields(schema: SearchSchema): ReadonlySet<string> {
  return new Set(schema.queried(schema.entities).flatMap((field) => (field.facet ? [] : [field.name])));
}

/** Writes down what a write changed. To be called once in each, whatever it changed. */
export function recordChanges(file: IndexFile, changes: readonly ValueChange[]): void {
  const state = file.run('INSERT INTO change (terms) VALUES (?)', JSON.stringify(changes));
  file.run('DELETE FROM change WHERE state <= ?', state - MOST_CHANGES);
}

/** Writes down that nothing which was read before can be kept up to date. */
export function recordBreak(file: IndexFile): void {
  file.run(`INSERT INTO change (state, terms) SELECT max(state) + 2, '[]' FROM change`);
}

/** The columns of one state of the index, each read when it is asked for first. */
export class ColumnView {
  constructor(
    readonly state: number,
    private readonly columns: Map<string, Column> = new Map(),
    private readonly urns = new UrnOrder(),
  ) {}

  /** @param file sees the state of the view */
  column(file: IndexConnection, name: string): Column {
    let column = this.columns.get(name);
    if (!column) {
      const field = file.row<[number]>('SELECT id FROM field WHERE name = ?', name)?.[0];
      const last = file.row<[number | null]>('SELECT max(id) FROM doc')?.[0] ?? 0;
      column = field === undefined ? new Column() : prepared(() => Column.read(file, field, last + 1));
      this.columns.set(name, column);
    }
    return column;
  }

  order(file: IndexConnection): UrnOrder {
    return prepared(() => this.urns.follow(file));
  }

  /**
   * The view after further writes.
   * @param unlisted fields whose changes are not told
   * @param kept whether somebody goes on with this one
   */
  after(
    state: number,
    changes: readonly ValueChange[],
    unlisted: ReadonlySet<string>,
    kept: boolean,
  ): ColumnView {
    const columns = new Map([...this.columns].filter(([name]) => !unlisted.has(name)));
    const copied = new Set<string>();
    for (const [field, value, added, removed] of changes) {
      let column = columns.get(field);
      if (!column) continue;
      if (kept && !copied.has(field)) columns.set(field, (column = column.copy()));
      copied.add(field);
      for (const doc of removed) column.remove(doc, value);
      for (const doc of added) column.add(doc, value);
    }
    for (const [name, column] of columns) if (column.isWorn) columns.delete(name);
    return new ColumnView(state, columns, this.urns);
  }
}

/** Columns as a process keeps them: each search gets a view of the state that it sees. */
export class Columns {
  private view: ColumnView | undefined;

  /** @param unlisted fields whose changes are not written down: their columns are good for one state only */
  constructor(private readonly unlisted: ReadonlySet<string>) {}

  /**
   * @param file has begun to read
   * @param kept whether other searches go on with the view that was given to them
   */
  at(file: IndexConnection, kept: boolean): ColumnView {
    const state = file.row<[number]>('SELECT max(state) FROM change')![0];
    const { view } = this;
    if (view?.state === state) return view;
    const changes = view && changesBetween(file, view.state, state);
    this.view = view && changes ? view.after(state, changes, this.unlisted, kept) : new ColumnView(state);
    return this.view;
  }
}

/** Undefined when they cannot be told. */
function changesBetween(file: IndexConnection, from: number, to: number): ValueChange[] | undefined {
  const sql = 'SELECT terms FROM change WHERE state > ? ORDER BY state';
  const rows = file.all<[string]>(sql, from);
  if (rows.length !== to - from) return undefined;
  return rows.flatMap(([terms]) => JSON.parse(terms) as ValueChange[]);
}
