import { refuse } from '../../../catalog/errors/index.js';
import type { EditContext } from '../../../catalog/change/index.js';
import type { AspectEdit, Mention } from './edit.service.js';

/** What a change is put on: an entity, or one column of it. */
export interface Resource {
  readonly urn: string;
  /** Path of a column. */
  readonly column?: string;
  /** JSON pointers of the URN and of the column in the request. */
  readonly at: string;
  readonly columnAt: string;
}

/** How requests name a resource. */
export interface ResourceInput {
  readonly resourceUrn: string;
  readonly subResourceType?: string | null | undefined;
  readonly subResource?: string | null | undefined;
}

/**
 * @param at JSON pointer of `input` in the request.
 * @throws CatalogError PARAMETER_MISSING for a sub-resource without its type, and the reverse.
 */
export function readResource(input: ResourceInput, at: string): Resource {
  const { resourceUrn: urn, subResourceType, subResource } = input;
  const places = { at: `${at}/resourceUrn`, columnAt: `${at}/subResource` };
  const [type, column] = [subResourceType ?? undefined, subResource ?? undefined];
  if (type === undefined && column === undefined) return { urn, ...places };
  if (type === undefined) {
    throw refuse('PARAMETER_MISSING', 'subResource needs a subResourceType', `${at}/subResourceType`);
  }
  if (type !== 'DATASET_FIELD') {
    throw refuse(
      'PARAMETER_INVALID',
      'subResourceType can only be DATASET_FIELD, a column',
      `${at}/subResourceType`,
    );
  }
  if (column === undefined || column === '') {
    throw refuse(
      'PARAMETER_MISSING',
      'subResourceType needs a subResource: the path of a column',
      places.columnAt,
    );
  }
  return { urn, column, ...places };
}

/** @throws CatalogError PARAMETER_INVALID: who sends an empty list forgot something. */
export function refuseEmpty(list: readonly unknown[], at: string): void {
  if (list.length === 0) throw refuse('PARAMETER_INVALID', 'the list must not be empty', at);
}

/** What people wrote about one column: an entry of editableSchemaMetadata. */
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

/**
 * Columns are changed in editableSchemaMetadata, beside what the platform says of them in schemaMetadata.
 * The edit refuses a column that the schema does not have: COLUMN_UNKNOWN.
 */
export function columnsEdit(edit: ColumnsEdit): AspectEdit {
  return {
    urn: edit.urn,
    at: edit.at,
    aspect: 'editableSchemaMetadata',
    what: 'columns',
    looksAt: ['schemaMetadata'],
    ...(edit.mentions && { mentions: edit.mentions }),
    apply: async (current, context) => {
      const schema = await context.aspectOf(edit.urn, 'schemaMetadata');
      const fields = (schema?.['fields'] ?? []) as Array<{ fieldPath: string }>;
      const known = new Set(fields.map((field) => field.fieldPath));
      const written = (current?.['editableSchemaFieldInfo'] ?? []) as EditedColumn[];
      const entries = new Map(written.map((column) => [column.fieldPath, column]));
      let changed = false;
      for (const { path, at } of edit.columns) {
        if (!known.has(path) && !(edit.former === true && entries.has(path)))
          throw refuse('COLUMN_UNKNOWN', `${edit.urn} has no column "${path}"`, at);
        const next = await edit.change(entries.get(path) ?? { fieldPath: path }, context);
        if (next === undefined) continue;
        changed = true;
        entries.set(path, next);
      }
      if (!changed) return undefined;
      return {
        ...(current ?? { created: context.stamp }),
        lastModified: context.stamp,
        editableSchemaFieldInfo: [...entries.values()],
      };
    },
  };
}
