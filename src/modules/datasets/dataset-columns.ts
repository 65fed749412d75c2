import { Injectable } from '@nestjs/common';
import type { EditContext } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { ColumnEditor, type AspectEdit, type ColumnsEdit, type EditedColumn } from '../ingest/index.js';
import { writtenPath } from './written-columns.js';

/** What people write about columns is in editableSchemaMetadata, beside what the platform says in schemaMetadata. */
@Injectable()
export class DatasetColumns extends ColumnEditor {
  edit(edit: ColumnsEdit): AspectEdit {
    return {
      urn: edit.urn,
      at: edit.at,
      aspect: 'editableSchemaMetadata',
      what: 'columns',
      looksAt: ['schemaMetadata'],
      ...(edit.mentions && { mentions: edit.mentions }),
      apply: async (current, context) => {
        const known = await this.pathsOf(edit.urn, context);
        const written = (current?.['editableSchemaFieldInfo'] ?? []) as EditedColumn[];
        const entries = new Map(written.map((column) => [column.fieldPath, column]));
        let changed = false;
        for (const { path, at } of edit.columns) {
          if (!known.has(path) && !(edit.former === true && entries.has(path)))
            throw refuse('COLUMN_UNKNOWN', `${edit.urn} has no column "${path}"`, at);
          const key = writtenPath(
            path,
            (written) => entries.has(written),
            (column) => known.has(column),
          );
          const next = await edit.change(entries.get(key) ?? { fieldPath: path }, context);
          if (next === undefined) continue;
          changed = true;
          entries.set(key, next);
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

  async pathsOf(urn: string, context: EditContext): Promise<ReadonlySet<string>> {
    const schema = await context.aspectOf(urn, 'schemaMetadata');
    const fields = (schema?.['fields'] ?? []) as Array<{ fieldPath: string }>;
    return new Set(fields.map((field) => field.fieldPath));
  }
}
