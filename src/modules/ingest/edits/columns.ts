import type { EditContext } from '../../../catalog/change/index.js';
import type { AspectEdit, Mention } from './aspect-edit.js';

/** What people wrote about one column. */
export interface EditedColumn extends Record<string, unknown> {
  readonly fieldPath: string;
}

/** A change of what people wrote about some columns of one dataset. */
export interface ColumnsEdit {
  readonly urn: string;
  readonly at: string;
  readonly columns: ReadonlyArray<{ path: string; at: string }>;
  readonly mentions?: readonly Mention[];
  /** Columns that the schema no longer has may be changed too, if there is an entry: for taking things away. */
  readonly former?: boolean;
  /** What shall be written about the column; undefined leaves it as it is. */
  change(
    column: EditedColumn,
    context: EditContext,
  ): EditedColumn | undefined | Promise<EditedColumn | undefined>;
}

/** Extension point: edits what people write about the columns of a dataset. One module implements it. */
export abstract class ColumnEditor {
  /** The edit refuses a column that the schema does not have: COLUMN_UNKNOWN. */
  abstract edit(edit: ColumnsEdit): AspectEdit;
  /** Paths of the columns that the schema of a dataset has; none for what has no schema. */
  abstract pathsOf(urn: string, context: EditContext): Promise<ReadonlySet<string>>;
}
