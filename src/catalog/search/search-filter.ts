import { refuse } from '../errors/index.js';
import { isRecord } from '../model/json-schema.js';

/** Conditions of a filter (specification, "Search rules", and those that existing clients send). */
export const FILTER_CONDITIONS = [
  'CONTAIN',
  'END_WITH',
  'EQUAL',
  'IEQUAL',
  'IS_NULL',
  'EXISTS',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'IN',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'START_WITH',
  'DESCENDANTS_INCL',
  'ANCESTORS_INCL',
  'RELATED_INCL',
] as const;

export type FilterCondition = (typeof FILTER_CONDITIONS)[number];

/** One condition on one field; several values mean any of them. */
export interface FilterCriterion {
  field: string;
  condition: FilterCondition;
  values: readonly string[];
  negated: boolean;
  /** Where it stands in the request. */
  pointer: string;
  /** Whether its one value came as `value`, not in `values`. */
  single?: boolean;
}

/** Where a value of the criterion stands in the request. */
export function valuePointer({ pointer, single }: FilterCriterion, index: number): string {
  return single ? `${pointer}/value` : `${pointer}/values/${index}`;
}

/** Between the fields of a facet over several, and between the values in one of its own. */
export const NESTED_FACET = '␞';

/**
 * What a criterion on a value of a facet over several fields says, for each of its values: a criterion on each field. Of
 * `_entityType␞typeNames` the value may be `DATASET␞Table`, or `DATASET` alone. Undefined for any other criterion.
 */
export function nestedCriteria(criterion: FilterCriterion): FilterCriterion[][] | undefined {
  const { field, condition, values } = criterion;
  if (!field.includes(NESTED_FACET) || (condition !== 'EQUAL' && condition !== 'IN')) return undefined;
  const fields = field.split(NESTED_FACET);
  return values.map((value) =>
    nestedValues(value, field).map((part, i) => ({
      ...criterion,
      field: fields[i]!,
      values: [part],
      negated: false,
    })),
  );
}

/** The values in one of a facet, one for each of its fields; those of the last fields may be missing. */
export function nestedValues(value: string, field: string): string[] {
  const fields = field.split(NESTED_FACET);
  const parts = value.split(NESTED_FACET);
  // The separator may occur in the last value.
  if (parts.length > fields.length) parts.push(parts.splice(fields.length - 1).join(NESTED_FACET));
  return parts;
}

/** Alternatives, in each of which every criterion must hold. Empty: no filter. */
export type SearchFilter = ReadonlyArray<readonly FilterCriterion[]>;

export const NO_FILTER: SearchFilter = [];

/** More criteria than this are no filter of a person, and would only keep the engine busy. */
export const MAX_CRITERIA = 1024;
const CRITERION_KEYS = ['field', 'value', 'values', 'condition', 'negated'];
const WITHOUT_VALUES: ReadonlySet<FilterCondition> = new Set(['EXISTS', 'IS_NULL']);

/**
 * Reads a filter: `{or: [{and: [criterion]}]}`, or the older `{criteria: [criterion]}` whose criteria must all hold.
 * @throws CatalogError FILTER_INVALID with a pointer below `pointer`.
 */
export function parseFilter(value: unknown, pointer: string): SearchFilter {
  if (value === undefined || value === null) return NO_FILTER;
  if (!isRecord(value)) throw invalid('a filter must be an object', pointer);
  const unknownName = Object.keys(value).find((key) => key !== 'or' && key !== 'criteria');
  if (unknownName !== undefined) {
    throw invalid(
      `unknown property "${unknownName}" of a filter, known are or, criteria`,
      `${pointer}/${unknownName}`,
    );
  }
  const { or, criteria } = value;
  if (or !== undefined && or !== null) {
    const filter = list(or, `${pointer}/or`).map((clause, i) => parseClause(clause, `${pointer}/or/${i}`));
    return limited(filter, pointer);
  }
  if (criteria === undefined || criteria === null) return NO_FILTER;
  return limited([parseCriteria(criteria, `${pointer}/criteria`)], pointer);
}

/** Whether any criterion is about that field. */
export function names(filter: SearchFilter, field: string): boolean {
  return filter.some((clause) => clause.some((criterion) => criterion.field === field));
}

/** Reads a list of criteria that must all hold. @throws CatalogError FILTER_INVALID */
export function parseCriteria(value: unknown, pointer: string): FilterCriterion[] {
  return list(value, pointer).map((criterion, i) => parseCriterion(criterion, `${pointer}/${i}`));
}

function parseClause(value: unknown, pointer: string): FilterCriterion[] {
  if (!isRecord(value) || !('and' in value))
    throw invalid('each alternative is an object with "and"', pointer);
  return parseCriteria(value['and'], `${pointer}/and`);
}

function parseCriterion(value: unknown, pointer: string): FilterCriterion {
  if (!isRecord(value)) throw invalid('a criterion must be an object', pointer);
  const unknownName = Object.keys(value).find((key) => !CRITERION_KEYS.includes(key));
  if (unknownName !== undefined) {
    throw invalid(
      `unknown property "${unknownName}" of a criterion, known are ${CRITERION_KEYS.join(', ')}`,
      `${pointer}/${unknownName}`,
    );
  }
  const { field, negated } = value;
  if (typeof field !== 'string' || field === '')
    throw invalid('"field" must name a field', `${pointer}/field`);
  if (negated !== undefined && negated !== null && typeof negated !== 'boolean') {
    throw invalid('"negated" must be true or false', `${pointer}/negated`);
  }
  const condition = parseCondition(value['condition'], `${pointer}/condition`);
  const { values, single } = parseValues(value, condition, pointer);
  return { field, condition, values, negated: negated === true, pointer, ...(single && { single }) };
}

function parseCondition(value: unknown, pointer: string): FilterCondition {
  if (value === undefined || value === null) return 'EQUAL';
  const condition = FILTER_CONDITIONS.find((c) => c === value);
  if (!condition) throw invalid(`"condition" must be one of ${FILTER_CONDITIONS.join(', ')}`, pointer);
  return condition;
}

function parseValues(
  criterion: Record<string, unknown>,
  condition: FilterCondition,
  pointer: string,
): { values: string[]; single: boolean } {
  const { value, values } = criterion;
  const many = values === undefined || values === null ? [] : list(values, `${pointer}/values`);
  // The older form has the one value in `value`; clients of the newer one leave an empty text there.
  const single =
    value === undefined || value === null || (value === '' && values !== undefined) ? [] : [value];
  const all = many.length > 0 ? many : single;
  if (all.length === 0 && !WITHOUT_VALUES.has(condition) && !Array.isArray(values)) {
    throw invalid(`the condition ${condition} needs "values"`, `${pointer}/values`);
  }
  const texts = all.map((v, i) => {
    if (typeof v === 'string') return v;
    if (typeof v === 'number' || typeof v === 'boolean') return String(v);
    throw invalid('values must be strings', many.length > 0 ? `${pointer}/values/${i}` : `${pointer}/value`);
  });
  return { values: texts, single: many.length === 0 && single.length > 0 };
}

function list(value: unknown, pointer: string): unknown[] {
  if (!Array.isArray(value)) throw invalid('must be an array', pointer);
  return value;
}

function limited(filter: FilterCriterion[][], pointer: string): SearchFilter {
  const count = filter.reduce((sum, clause) => sum + clause.length, 0);
  if (count > MAX_CRITERIA)
    throw invalid(`a filter has at most ${MAX_CRITERIA} criteria, this one ${count}`, pointer);
  return filter;
}

function invalid(message: string, pointer: string) {
  return refuse('FILTER_INVALID', message, pointer);
}
