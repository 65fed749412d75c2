import { isRecord } from './json-schema.js';
import {
  QUERIED_BY_DEFAULT,
  SEARCH_KINDS,
  type ArrayKeySpec,
  type ParallelListSpec,
  type RelationshipSpec,
  type SearchFieldSpec,
  type SearchKind,
  type UrnFieldSpec,
} from './specs.js';

/** Adds a problem at a place below the mark being read. */
export type Complain = (place: readonly string[], reason: string) => void;

type Row = Record<string, unknown>;
type Kind = 'string' | 'boolean' | 'number' | 'strings' | 'numbers';

const SEARCH_KEYS: Record<string, Kind> = {
  path: 'string',
  field: 'string',
  kind: 'string',
  queryByDefault: 'boolean',
  autocomplete: 'boolean',
  facet: 'boolean',
  facetName: 'string',
  boost: 'number',
  aliases: 'strings',
  hasValuesField: 'string',
  hasValuesFacet: 'boolean',
  numValuesField: 'string',
  modifiedAtField: 'string',
  weights: 'numbers',
};

const RELATIONSHIP_KEYS: Record<string, Kind> = {
  path: 'string',
  name: 'string',
  targets: 'strings',
  lineage: 'boolean',
  upstream: 'boolean',
  createdOn: 'string',
  createdActor: 'string',
  updatedOn: 'string',
  updatedActor: 'string',
  properties: 'string',
  via: 'string',
};

const URN_KEYS: Record<string, Kind> = {
  path: 'string',
  targets: 'strings',
  strict: 'boolean',
  exist: 'boolean',
};

const ARRAY_KEY_KEYS: Record<string, Kind> = {
  path: 'string',
  keys: 'strings',
};

const PARALLEL_LIST_KEYS: Record<string, Kind> = {
  path: 'string',
  key: 'string',
  list: 'string',
};

const PATCH_STAMP_KEYS: Record<string, Kind> = {
  path: 'string',
};

/** The keys of a relationship row that are paths themselves. */
export const RELATIONSHIP_PATHS = [
  'createdOn',
  'createdActor',
  'updatedOn',
  'updatedActor',
  'properties',
  'via',
] as const;

/** Reads `x-searchable`; rows that are wrong are complained about and left out. */
export function readSearchFields(mark: unknown, complain: Complain): SearchFieldSpec[] {
  return rows(mark, SEARCH_KEYS, ['path', 'kind'], complain).flatMap(({ row, place }) => {
    const kind = row['kind'] as SearchKind;
    if (!SEARCH_KINDS.includes(kind)) {
      complain([...place, 'kind'], `unknown kind "${kind}", must be one of ${SEARCH_KINDS.join(', ')}`);
      return [];
    }
    const path = (row['path'] as string).split('/');
    const optional = pick(row, [
      'facetName',
      'hasValuesField',
      'numValuesField',
      'modifiedAtField',
      'weights',
    ]);
    return [
      {
        path,
        field: (row['field'] as string | undefined) ?? path.findLast((s) => s !== '*') ?? '',
        kind,
        queryByDefault: (row['queryByDefault'] as boolean | undefined) ?? QUERIED_BY_DEFAULT.has(kind),
        autocomplete: row['autocomplete'] === true,
        facet: row['facet'] === true,
        boost: (row['boost'] as number | undefined) ?? 1,
        aliases: (row['aliases'] as string[] | undefined) ?? [],
        hasValuesFacet: row['hasValuesFacet'] === true,
        ...optional,
      },
    ];
  });
}

/** Reads `x-relationship`. */
export function readRelationships(mark: unknown, complain: Complain): RelationshipSpec[] {
  return rows(mark, RELATIONSHIP_KEYS, ['path', 'name', 'targets'], complain).map(({ row }) => ({
    path: (row['path'] as string).split('/'),
    name: row['name'] as string,
    targets: row['targets'] as string[],
    lineage: row['lineage'] === true,
    upstream: row['upstream'] !== false,
    ...Object.fromEntries(
      RELATIONSHIP_PATHS.flatMap((key) => {
        const path = row[key];
        return typeof path === 'string' ? [[key, path.split('/')]] : [];
      }),
    ),
  }));
}

/** Reads `x-urn`. */
export function readUrnFields(mark: unknown, complain: Complain): UrnFieldSpec[] {
  return rows(mark, URN_KEYS, ['path', 'targets'], complain).map(({ row }) => ({
    path: (row['path'] as string).split('/'),
    targets: row['targets'] as string[],
    strict: row['strict'] === true,
    exist: row['exist'] === true,
  }));
}

/** Reads `x-array-key`. */
export function readArrayKeys(mark: unknown, complain: Complain): ArrayKeySpec[] {
  return rows(mark, ARRAY_KEY_KEYS, ['path'], complain).map(({ row, place }) => {
    const keys = row['keys'] as string[] | undefined;
    if (keys?.length === 0) complain([...place, 'keys'], 'leave it out where the element is its own key');
    return { path: (row['path'] as string).split('/'), keys: keys?.map((key) => key.split('/')) ?? [[]] };
  });
}

/** Reads `x-parallel-list`. */
export function readParallelLists(mark: unknown, complain: Complain): ParallelListSpec[] {
  return rows(mark, PARALLEL_LIST_KEYS, ['path', 'key', 'list'], complain).map(({ row }) => ({
    path: row['path'] as string,
    key: row['key'] as string,
    list: row['list'] as string,
  }));
}

/** Reads `x-patch-stamp`. */
export function readPatchStamps(mark: unknown, complain: Complain): string[][] {
  return rows(mark, PATCH_STAMP_KEYS, ['path'], complain).map(({ row }) =>
    (row['path'] as string).split('/'),
  );
}

function rows(
  mark: unknown,
  keys: Record<string, Kind>,
  required: readonly string[],
  complain: Complain,
): Array<{ row: Row; place: readonly string[] }> {
  if (mark === undefined) return [];
  if (!Array.isArray(mark)) {
    complain([], 'must be an array of rows');
    return [];
  }
  return mark.flatMap((row: unknown, index) => {
    const place = [String(index)];
    if (!isRecord(row)) {
      complain(place, 'must be a row with a path');
      return [];
    }
    let good = true;
    const wrong = (at: readonly string[], reason: string): void => {
      good = false;
      complain(at, reason);
    };
    for (const [key, value] of Object.entries(row)) {
      const kind = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (!kind)
        wrong([...place, key], `unknown key "${key}", must be one of ${Object.keys(keys).join(', ')}`);
      else if (!fits(value, kind)) wrong([...place, key], `"${key}" must be ${WORDS[kind]}`);
    }
    for (const key of required) if (!(key in row)) wrong(place, `"${key}" is required`);
    return good ? [{ row, place }] : [];
  });
}

const WORDS: Record<Kind, string> = {
  string: 'a string that is not empty',
  boolean: 'true or false',
  number: 'a number',
  strings: 'an array of strings',
  numbers: 'an object with number values',
};

function fits(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string' && value !== '';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'strings':
      return Array.isArray(value) && value.every((v) => typeof v === 'string' && v !== '');
    case 'numbers':
      return isRecord(value) && Object.values(value).every((v) => typeof v === 'number');
  }
}

function pick(row: Row, keys: readonly string[]): Row {
  return Object.fromEntries(keys.filter((key) => row[key] !== undefined).map((key) => [key, row[key]]));
}
