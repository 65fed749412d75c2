import type { EntitySpec } from '../../catalog/model/index.js';
import { writtenPath } from '../../modules/datasets/written-columns.js';
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
export function columnEntry(subject: Subject): ColumnEntry | undefined {
  const path = entryPath(subject);
  return entriesOf(subject).find(({ fieldPath }) => fieldPath === path);
}

const entriesOf = ({ draft }: Subject): ColumnEntry[] =>
  (draft.value(WRITTEN)?.['editableSchemaFieldInfo'] ?? []) as ColumnEntry[];

function entryPath(subject: Subject): string {
  const names = (columns: ReadonlyArray<{ fieldPath: string }>) => (path: string) =>
    columns.some(({ fieldPath }) => fieldPath === path);
  return writtenPath(subject.column ?? '', names(entriesOf(subject)), names(schemaColumns(subject.draft)));
}

export function putColumnEntry(subject: Subject, entry: Value, line: number): void {
  const { draft } = subject;
  const entries = entriesOf(subject);
  const fieldPath = entryPath(subject);
  const next = { ...entry, fieldPath };
  const editableSchemaFieldInfo = entries.some((other) => other.fieldPath === fieldPath)
    ? entries.map((other) => (other.fieldPath === fieldPath ? next : other))
    : [...entries, next];
  draft.put(WRITTEN, { ...draft.value(WRITTEN), editableSchemaFieldInfo }, line);
}

/** The columns of a dataset as its source has them. */
export function schemaColumns(draft: Draft): Array<{ fieldPath: string; description?: string }> {
  return (draft.value('schemaMetadata')?.['fields'] ?? []) as Array<{
    fieldPath: string;
    description?: string;
  }>;
}
