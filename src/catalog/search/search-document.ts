import { isRecord } from '../model/json-schema.js';
import { atOnce, type Steps } from '../schedule/index.js';
import type { AspectSpec, EntitySpec, SearchFieldSpec } from '../model/specs.js';
import { partsAt, plainValuesAt, valuesAt } from '../model/values-at.js';
import type { AspectState, EntityState } from '../store/entity-state.js';
import { tryParseUrn } from '../urn/urn.js';
import { BROWSE_PATHS_FIELD, browsePathV2Of, derivedBrowsePath } from './browse-paths.js';
import { entityTypeName } from './entity-type-name.js';
import type { FieldValue } from './search-query.js';
import { STATIC_BOOST_FIELD, staticBoostOf } from './static-boost.js';
import { folded } from './text/tokens.js';

/** Everything an entity can be found by, as one flat record: what the index holds of it. */
export interface SearchDocument {
  urn: string;
  /** Name of the entity type in the model. */
  entity: string;
  /** Sequence of the state it was built from: the version of the document. */
  sequence: number;
  /** Soft-deleted. */
  removed: boolean;
  fields: Record<string, FieldValue[]>;
}

/** Values that are looked at in one go. */
const TOGETHER = 2_000;

/** Fields that every document has. */
export const URN_FIELD = 'urn';
export const ENTITY_TYPE_FIELD = '_entityType';
export const REMOVED_FIELD = 'removed';
/** The name of an entity of any type, as the aspects of the model mark it. */
const ENTITY_NAME_FIELD = '_entityName';
/** What sorts by names go by: them without case and accents. No client sees it. */
export const NAME_ORDER_FIELD = '_nameOrder';
/** Of what belongs to a set of versions: whether it is the newest of them. */
export const LATEST_FIELD = 'isLatest';

/**
 * The fields that the marks of the model give, in a form that {@link SearchFieldProvider}s can add to.
 * Always the whole document: nothing depends on what was indexed before.
 */
export function searchFields(entity: EntitySpec, state: EntityState): Map<string, unknown[]> {
  const fields = new Map<string, unknown[]>();
  for (const aspect of entity.aspects.values()) addFieldsOf(fields, entity, aspect, state);
  return fields;
}

/** The part of {@link searchFields} that one aspect gives: of a large entity it is made part by part. */
export function addFieldsOf(
  fields: Map<string, unknown[]>,
  entity: EntitySpec,
  aspect: AspectSpec,
  state: EntityState,
): void {
  if (aspect.kind !== 'versioned' || aspect.search.length === 0) return;
  const stored = state.aspects.get(aspect.name);
  const value = stored?.value ?? (aspect === entity.key ? keyOf(aspect, state.urn) : undefined);
  if (value === undefined) return;
  for (const mark of aspect.search) addMark(fields, mark, valuesOf(mark, value), stored);
}

/** {@link addFieldsOf} a large aspect, in steps. */
export function* addFieldsInSteps(
  fields: Map<string, unknown[]>,
  aspect: AspectSpec,
  stored: AspectState,
): Steps<void> {
  if (aspect.kind !== 'versioned') return;
  for (const mark of aspect.search) {
    const values: FieldValue[] = [];
    // The names of a path are one value.
    const parts = mark.kind === 'BROWSE_PATH_V2' ? [stored.value] : partsAt(stored.value, mark.path);
    for (const part of parts) {
      for (const value of valuesOf(mark, part)) values.push(value);
      yield;
    }
    addMark(fields, mark, values, stored);
  }
}

/** An aspect that gives a field its values, and the marks that say how. */
interface FieldSource {
  readonly aspect: AspectSpec;
  readonly marks: readonly SearchFieldSpec[];
}

/** Policies ask for the same few fields with each request. */
const SOURCES = new WeakMap<EntitySpec, Map<string, readonly FieldSource[]>>();

function sourcesOf(entity: EntitySpec, field: string): readonly FieldSource[] {
  let fields = SOURCES.get(entity);
  if (fields === undefined) SOURCES.set(entity, (fields = new Map<string, readonly FieldSource[]>()));
  let sources = fields.get(field);
  if (sources === undefined) {
    sources = [...entity.aspects.values()]
      .filter(({ kind }) => kind === 'versioned')
      .map((aspect) => ({ aspect, marks: aspect.search.filter((mark) => isOf(mark, field)) }))
      .filter(({ marks }) => marks.length > 0);
    fields.set(field, sources);
  }
  return sources;
}

/** The aspects of an entity type that give a field of the model its values. */
export function aspectsOfField(entity: EntitySpec, field: string): AspectSpec[] {
  return sourcesOf(entity, field).map(({ aspect }) => aspect);
}

/**
 * The values of one field of the model, as {@link searchFields} gives them.
 * @param valueOf the latest value of an aspect
 */
export function valuesOfField(
  entity: EntitySpec,
  field: string,
  urn: string,
  valueOf: (aspect: string) => Record<string, unknown> | undefined,
): FieldValue[] {
  return sourcesOf(entity, field).flatMap(({ aspect, marks }) => {
    const value = valueOf(aspect.name) ?? (aspect === entity.key ? keyOf(aspect, urn) : undefined);
    return value === undefined ? [] : marks.flatMap((mark) => valuesOf(mark, value));
  });
}

const isOf = (mark: SearchFieldSpec, field: string): boolean =>
  mark.field === field || mark.aliases.includes(field);

/** The document of a state: `fields` as from {@link searchFields}, plus what every document has. */
export function searchDocument(
  entity: EntitySpec,
  state: EntityState,
  fields: ReadonlyMap<string, readonly unknown[]> = searchFields(entity, state),
): SearchDocument {
  return atOnce(searchDocumentInSteps(entity, state, fields));
}

/** {@link searchDocument} of maybe very many values, in steps. */
export function* searchDocumentInSteps(
  entity: EntitySpec,
  state: EntityState,
  fields: ReadonlyMap<string, readonly unknown[]>,
): Steps<SearchDocument> {
  const some: Array<[name: string, values: FieldValue[]]> = [];
  for (const [name, values] of fields) {
    const [only] = values;
    if (values.length > 1) {
      const distinct = new Set<FieldValue>();
      for (let from = 0; from < values.length; from += TOGETHER) {
        if (from > 0) yield;
        const part = values.length > TOGETHER ? values.slice(from, from + TOGETHER) : values;
        for (const value of part) if (isFieldValue(value)) distinct.add(value);
      }
      if (distinct.size > 0) some.push([name, [...distinct]]);
    } else if (isFieldValue(only)) some.push([name, [only]]);
  }
  // Whatever a field is called, it becomes a property of its own.
  const record: Record<string, FieldValue[]> = Object.fromEntries(some);
  const path = record[BROWSE_PATHS_FIELD] ? undefined : derivedBrowsePath(entity, state.urn);
  if (path !== undefined) record[BROWSE_PATHS_FIELD] = [path];
  record[URN_FIELD] = [state.urn];
  record[ENTITY_TYPE_FIELD] = [entityTypeName(entity.name)];
  record[REMOVED_FIELD] = [state.removed];
  record[STATIC_BOOST_FIELD] = [staticBoostOf(entity, record)];
  const names = record[ENTITY_NAME_FIELD] ?? record['name'];
  if (names) record[NAME_ORDER_FIELD] = [...new Set(names.map((name) => folded(String(name))))];
  return {
    urn: state.urn,
    entity: entity.name,
    sequence: state.sequence,
    removed: state.removed,
    fields: record,
  };
}

function isFieldValue(value: unknown): value is FieldValue {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** The key as the URN spells it: the parts of the tuple in the order of the key's fields. */
function keyOf(key: AspectSpec, text: string): Record<string, unknown> | undefined {
  const urn = tryParseUrn(text);
  const names = key.keyFields ?? [];
  if (!urn || names.length === 0) return undefined;
  const parts = names.length === 1 ? [urn.id] : urn.parts;
  return Object.fromEntries(names.map((name, index) => [name, parts[index]]));
}

function add(fields: Map<string, unknown[]>, name: string, values: readonly unknown[]): void {
  const known = fields.get(name);
  // Not spread into `push`: a large aspect has more values than a call takes.
  if (known) for (const value of values) known.push(value);
  else fields.set(name, [...values]);
}

function addMark(
  fields: Map<string, unknown[]>,
  mark: SearchFieldSpec,
  values: readonly FieldValue[],
  stored: AspectState | undefined,
): void {
  if (values.length > 0) {
    for (const name of [mark.field, ...mark.aliases]) add(fields, name, values);
  }
  if (mark.hasValuesField !== undefined) {
    // One mark with values is enough: several aspects may share the field.
    const known = fields.get(mark.hasValuesField)?.[0] === true;
    fields.set(mark.hasValuesField, [known || values.length > 0]);
  }
  if (mark.numValuesField !== undefined) {
    const known = fields.get(mark.numValuesField)?.[0];
    fields.set(mark.numValuesField, [(typeof known === 'number' ? known : 0) + values.length]);
  }
  if (mark.modifiedAtField !== undefined && stored) add(fields, mark.modifiedAtField, [stored.created.time]);
}

function valuesOf(mark: SearchFieldSpec, aspect: Record<string, unknown>): FieldValue[] {
  switch (mark.kind) {
    case 'BROWSE_PATH_V2': {
      const ids = plainValuesAt(aspect, mark.path).map(String);
      return ids.length === 0 ? [] : [browsePathV2Of(ids)];
    }
    case 'MAP_ARRAY':
      return valuesAt(aspect, mark.path).map(
        ({ value, pointer }) => `${keyBefore(pointer, 2)}=${String(value)}`,
      );
    case 'COUNT':
    case 'DOUBLE':
    case 'DATETIME':
      return plainValuesAt(aspect, mark.path).flatMap((value) => numberOf(value, mark.kind === 'DATETIME'));
    case 'BOOLEAN':
      return plainValuesAt(aspect, mark.path).filter((value) => typeof value === 'boolean');
    case 'KEYWORD':
    case 'TEXT':
    case 'TEXT_PARTIAL':
    case 'WORD_GRAM':
    case 'URN':
    case 'URN_PARTIAL':
    case 'OBJECT':
    case 'BROWSE_PATH':
      return textsAt(mark, aspect);
  }
}

/** Texts of a path; the entries of a map become `key=value`. */
function textsAt(mark: SearchFieldSpec, aspect: Record<string, unknown>): FieldValue[] {
  // Nearly all are texts, which `flatMap` takes several times as long for.
  if (mark.path.at(-1) !== '*') {
    const texts = plainValuesAt(aspect, mark.path);
    return texts.every((value) => typeof value === 'string') ? texts : texts.flatMap(textsOf);
  }
  return plainValuesAt(aspect, mark.path.slice(0, -1)).flatMap((value) => {
    if (Array.isArray(value)) return value.flatMap(textsOf);
    return isRecord(value) ? entries(value) : [];
  });
}

function textsOf(value: unknown): string | string[] {
  return typeof value === 'string' ? value : isRecord(value) ? entries(value) : scalar(value);
}

function entries(map: Record<string, unknown>): string[] {
  const texts: string[] = [];
  // Hundreds of thousands of properties take a third of the time that lists for each of them take.
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (typeof value === 'string') texts.push(`${key}=${value}`);
    else for (const each of scalar(value)) texts.push(`${key}=${each}`);
  }
  return texts;
}

function scalar(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return Array.isArray(value) ? value.flatMap(scalar) : [];
}

function numberOf(value: unknown, date: boolean): number[] {
  const number =
    typeof value === 'number'
      ? value
      : typeof value !== 'string'
        ? NaN
        : date
          ? dateMillis(value)
          : Number(value || NaN);
  return Number.isFinite(number) ? [number] : [];
}

/** Epoch milliseconds of a number in text or an ISO date; NaN when it is neither. */
export function dateMillis(text: string): number {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Date.parse(text);
}

/** The segment of a JSON pointer, counted from its end, unescaped. */
function keyBefore(pointer: string, back: number): string {
  return (pointer.split('/').at(-back) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The field that a sort by this one goes by: of names the one without case and accents. */
export function sortedBy(field: string): string {
  return field === 'name' || field === ENTITY_NAME_FIELD ? NAME_ORDER_FIELD : field;
}

/** A name for people: what the entity is called, else its id, else the URN. */
export function displayNameOf(document: Pick<SearchDocument, 'urn' | 'fields'>): string {
  for (const field of [ENTITY_NAME_FIELD, 'name', 'displayName', 'title', 'id']) {
    const value = document.fields[field]?.[0];
    if (typeof value === 'string' && value !== '') return value;
  }
  return displayIdOf(document.urn);
}

/** A value as a person would type it: of a URN its id, or the name in the middle of a tuple. */
export function displayIdOf(value: string): string {
  const urn = tryParseUrn(value);
  return urn ? (urn.parts[1] ?? urn.id) : value;
}
