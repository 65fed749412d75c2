import type { EntitySpec } from '../../catalog/model/index.js';
import type { AspectWrite, ReadEntity, Value } from './csv-catalog.js';

/** An entity as rows of a table change it. */
export class Draft {
  /** What is written, and the lines that say so. */
  private next: ReadonlyMap<string, { value: Value; lines: ReadonlySet<number> }> = new Map();

  constructor(
    readonly spec: EntitySpec,
    private readonly read: ReadEntity,
  ) {}

  get urn(): string {
    return this.read.urn;
  }

  value(aspect: string): Value | undefined {
    return this.next.get(aspect)?.value ?? this.read.aspects.get(aspect)?.value;
  }

  put(aspect: string, value: Value, line: number): void {
    const lines = new Set(this.next.get(aspect)?.lines).add(line);
    this.next = new Map(this.next).set(aspect, { value, lines });
  }

  /** The same once more: what becomes of it is taken over by {@link adopt}, or forgotten. */
  fork(): Draft {
    const other = new Draft(this.spec, this.read);
    other.next = this.next;
    return other;
  }

  adopt(other: Draft): void {
    this.next = other.next;
  }

  writes(): Array<AspectWrite & { lines: ReadonlySet<number> }> {
    return [...this.next].map(([aspect, { value, lines }]) => ({
      ...{ urn: this.urn, aspect, value, lines },
      version: this.read.aspects.get(aspect)?.version ?? '-1',
    }));
  }
}

/** What a row is about: an entity, or a column of a dataset. */
export interface Subject {
  readonly draft: Draft;
  /** Path of the column. */
  readonly column?: string | undefined;
}

const WRITTEN = 'editableSchemaMetadata';

interface ColumnEntry extends Record<string, unknown> {
  fieldPath: string;
}

/** What people wrote about the column. */
export function columnEntry({ draft, column }: Subject): ColumnEntry | undefined {
  const entries = (draft.value(WRITTEN)?.['editableSchemaFieldInfo'] ?? []) as ColumnEntry[];
  return entries.find(({ fieldPath }) => fieldPath === column);
}

export function putColumnEntry(subject: Subject, entry: Value, line: number): void {
  const { draft, column } = subject;
  const current = draft.value(WRITTEN);
  const entries = (current?.['editableSchemaFieldInfo'] ?? []) as ColumnEntry[];
  const next = { ...entry, fieldPath: column };
  const editableSchemaFieldInfo = columnEntry(subject)
    ? entries.map((other) => (other.fieldPath === column ? next : other))
    : [...entries, next];
  draft.put(WRITTEN, { ...current, editableSchemaFieldInfo }, line);
}

/** The columns of a dataset as its source has them. */
export function schemaColumns(draft: Draft): Array<{ fieldPath: string; description?: string }> {
  return (draft.value('schemaMetadata')?.['fields'] ?? []) as Array<{
    fieldPath: string;
    description?: string;
  }>;
}
