import { eachInSteps, type Steps } from '../../../catalog/schedule/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { columnUrn } from '../../../catalog/urn/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';
import type { ChangeEvent, Differ, SemVerChange, Value } from '../change-event.js';
import { compare, keyed } from './keyed.js';

type Column = Record<string, unknown>;

/**
 * Columns that came, went, or changed their name or type. What breaks those who read the data is MAJOR: a column less, another
 * type, or a null where there was none.
 */
export const TECHNICAL_SCHEMA: Differ = {
  category: 'TECHNICAL_SCHEMA',
  *diff(urn, before, after) {
    const columns = (value: Value) => keyed(value, 'fields', (entry) => entry['fieldPath']);
    const compared = yield* compare(yield* columns(before), yield* columns(after));
    const { renamed, added, removed } = yield* withRenames(compared.added, compared.removed);
    const events: ChangeEvent[] = [];
    yield* eachInSteps(renamed, ([path, column, to]) =>
      events.push(
        event(urn, path, column, 'MODIFY', 'MINOR', `is now called ${to}`, {
          modificationCategory: 'RENAME',
          newFieldPath: to,
        }),
      ),
    );
    yield* eachInSteps(removed, ([path, column]) =>
      events.push(event(urn, path, column, 'REMOVE', 'MAJOR', 'was removed')),
    );
    yield* eachInSteps(added, ([path, column]) =>
      events.push(event(urn, path, column, 'ADD', 'MINOR', `was added ${typed(column, 'as ')}`)),
    );
    yield* eachInSteps(compared.both, ([path, then, now]) => events.push(...changes(urn, path, then, now)));
    events.push(...primaryKey(urn, before, after));
    return events;
  },
};

interface Renames {
  renamed: Array<[from: string, column: Column, to: string]>;
  added: ReadonlyArray<[string, Column]>;
  removed: ReadonlyArray<[string, Column]>;
}

/** Columns that went while one came that differs in nothing but its name, and what else came and went. */
function* withRenames(
  added: ReadonlyArray<[string, Column]>,
  removed: ReadonlyArray<[string, Column]>,
): Steps<Renames> {
  if (removed.length === 0) return { renamed: [], added, removed };
  const renamed: Renames['renamed'] = [];
  const newNames = new Set<string>();
  const gone: Array<[string, Column]> = [];
  // By what they say beside their name: a table of thousands of columns may have changed as a whole.
  const alike = new Map<string, string[]>();
  yield* eachInSteps(added, ([path, column]) => {
    const key = nameless(column);
    const paths = alike.get(key);
    if (paths) paths.push(path);
    else alike.set(key, [path]);
  });
  const taken = new Map<string, number>();
  yield* eachInSteps(removed, ([path, column]) => {
    const key = nameless(column);
    const next = taken.get(key) ?? 0;
    const to = alike.get(key)?.[next];
    if (to === undefined) gone.push([path, column]);
    else {
      taken.set(key, next + 1);
      newNames.add(to);
      renamed.push([path, column, to]);
    }
  });
  const others: Array<[string, Column]> = [];
  yield* eachInSteps(added, (each) => {
    if (!newNames.has(each[0])) others.push(each);
  });
  return { renamed, added: others, removed: gone };
}

/** A text that columns share when they differ in nothing but their name, whatever the order of their fields. */
function nameless(column: Column): string {
  return JSON.stringify({ ...column, fieldPath: '' }, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function changes(urn: string, path: string, then: Column, now: Column): ChangeEvent[] {
  const events: ChangeEvent[] = [];
  if (then['nativeDataType'] !== now['nativeDataType'] || !sameJson(then['type'], now['type'])) {
    events.push(event(urn, path, now, 'MODIFY', 'MAJOR', `is now ${typed(now)}, it was ${typed(then)}`));
  }
  const nullable = now['nullable'] === true;
  if ((then['nullable'] === true) !== nullable) {
    const words = nullable ? 'may be null now' : 'may no longer be null';
    events.push(event(urn, path, now, 'MODIFY', nullable ? 'MAJOR' : 'MINOR', words));
  }
  return events;
}

function primaryKey(urn: string, before: Value, after: Value): ChangeEvent[] {
  if (before === undefined || after === undefined) return [];
  const key = (value: Value) => (value?.['primaryKeys'] ?? []) as unknown[];
  if (sameJson(key(before), key(after))) return [];
  return [
    {
      category: 'TECHNICAL_SCHEMA',
      operation: 'MODIFY',
      entityUrn: urn,
      parameters: { primaryKeys: key(after) },
      semVerChange: 'MAJOR',
      description: `The primary key is now (${key(after).join(', ')}), it was (${key(before).join(', ')}).`,
    },
  ];
}

function event(
  urn: string,
  fieldPath: string,
  column: Column,
  operation: ChangeEvent['operation'],
  semVerChange: SemVerChange,
  words: string,
  more: Readonly<Record<string, unknown>> = {},
): ChangeEvent {
  const fieldUrn = columnUrn(urn, fieldPath);
  return {
    category: 'TECHNICAL_SCHEMA',
    operation,
    entityUrn: urn,
    modifier: fieldUrn,
    parameters: { fieldPath, fieldUrn, nullable: column['nullable'] === true, ...more },
    semVerChange,
    description: `Column ${fieldPath} ${words}.`,
  };
}

function typed(column: Column, before = ''): string {
  const type = column['nativeDataType'];
  return typeof type === 'string' && type !== '' ? before + type : 'without a type';
}
