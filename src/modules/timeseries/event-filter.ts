import { refuse } from '../../catalog/errors/index.js';
import { isRecord, Model, type AspectSpec, type JsonSchema } from '../../catalog/model/index.js';

/** Whether an event passes. */
export type EventFilter = (event: Record<string, unknown>) => boolean;

type Test = (found: readonly unknown[], wanted: readonly string[]) => boolean;

const anyPair =
  (fits: (found: string, wanted: string) => boolean): Test =>
  (found, wanted) =>
    found.some((f) => wanted.some((w) => fits(String(f), w)));
const folded = (fits: (found: string, wanted: string) => boolean): Test =>
  anyPair((f, w) => fits(f.toLowerCase(), w.toLowerCase()));
const numeric = (fits: (found: number, wanted: number) => boolean): Test =>
  anyPair((f, w) => f.trim() !== '' && fits(Number(f), Number(w)));
const equal: Test = anyPair((f, w) => f === w);

const CONDITIONS: Readonly<Record<string, Test>> = {
  EQUAL: equal,
  IN: equal,
  IEQUAL: folded((f, w) => f === w),
  CONTAIN: folded((f, w) => f.includes(w)),
  START_WITH: folded((f, w) => f.startsWith(w)),
  END_WITH: folded((f, w) => f.endsWith(w)),
  GREATER_THAN: numeric((f, w) => f > w),
  GREATER_THAN_OR_EQUAL_TO: numeric((f, w) => f >= w),
  LESS_THAN: numeric((f, w) => f < w),
  LESS_THAN_OR_EQUAL_TO: numeric((f, w) => f <= w),
  EXISTS: (found) => found.length > 0,
  IS_NULL: (found) => found.length === 0,
};
/** What GraphQL shows of an event as `partition`, and clients therefore filter by. */
const PARTITION = ['partitionSpec', 'partition'];
const WITHOUT_VALUES = new Set(['EXISTS', 'IS_NULL']);
const NUMERIC = /^(GREATER|LESS)_THAN/;

/**
 * Compiles `{or: [{and: [{field, values, condition, negated}]}]}`, or the older `{criteria: [...]}`, for the events
 * of an aspect. An empty filter lets everything pass; a field that the aspect lacks, or a condition that means
 * nothing for events, is refused rather than ignored.
 */
export function compileFilter(
  raw: unknown,
  aspect: AspectSpec,
  model: Model,
  pointer: string,
): EventFilter | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (!isRecord(raw)) throw refuse('FILTER_INVALID', 'a filter must be an object', pointer);
  only(raw, ['or', 'criteria'], pointer);
  const all = (list: unknown, at: string): EventFilter => {
    const tests = asList(list, at).map((criterion, i) =>
      compileCriterion(criterion, aspect, model, `${at}/${i}`),
    );
    return (event) => tests.every((test) => test(event));
  };
  const criteria = raw['criteria'] ?? undefined;
  const or = raw['or'] ?? undefined;
  if (criteria !== undefined && or !== undefined) {
    throw refuse('FILTER_INVALID', 'a filter holds either "or" or "criteria", not both', pointer);
  }
  if (criteria !== undefined) return all(criteria, `${pointer}/criteria`);
  const groups = asList(or ?? [], `${pointer}/or`).map((group, i) => {
    const at = `${pointer}/or/${i}`;
    if (!isRecord(group)) throw refuse('FILTER_INVALID', 'must be an object that holds "and"', at);
    only(group, ['and'], at);
    return all(group['and'], `${at}/and`);
  });
  return groups.length === 0 ? undefined : (event) => groups.some((group) => group(event));
}

function compileCriterion(raw: unknown, aspect: AspectSpec, model: Model, at: string): EventFilter {
  if (!isRecord(raw)) throw refuse('FILTER_INVALID', 'must be an object of field, values and condition', at);
  only(raw, ['field', 'value', 'values', 'condition', 'negated'], at);
  const { field, condition = 'EQUAL', negated = false } = raw;
  if (typeof field !== 'string')
    throw refuse('FILTER_INVALID', 'field must be the name of a field of the events', `${at}/field`);
  const path = field === 'partition' ? PARTITION : field.split('.');
  if (fieldAt(aspect.schema, path, model) === undefined) {
    throw refuse(
      'FILTER_INVALID',
      `the events of ${aspect.name} have no field ${JSON.stringify(field)}`,
      `${at}/field`,
    );
  }
  const name = typeof condition === 'string' ? condition : JSON.stringify(condition);
  const test = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (test === undefined) {
    const known = Object.keys(CONDITIONS).join(', ');
    throw refuse(
      'FILTER_INVALID',
      `events cannot be filtered by ${name}, only by ${known}`,
      `${at}/condition`,
    );
  }
  if (typeof negated !== 'boolean')
    throw refuse('FILTER_INVALID', 'negated must be true or false', `${at}/negated`);
  const wanted = wantedValues(raw, at);
  if (wanted.length === 0 && !WITHOUT_VALUES.has(name)) {
    throw refuse('FILTER_INVALID', `${name} needs values`, `${at}/values`);
  }
  if (NUMERIC.test(name) && wanted.some((w) => w.trim() === '' || Number.isNaN(Number(w)))) {
    throw refuse('FILTER_INVALID', `${name} compares numbers`, `${at}/values`);
  }
  return (event) => test(valuesIn(event, path), wanted) !== negated;
}

function wantedValues(raw: Record<string, unknown>, at: string): string[] {
  const values = asList(raw['values'] ?? [], `${at}/values`);
  // The older form has one `value`; newer clients send it empty beside `values`.
  const single = raw['value'] ?? undefined;
  const wanted = values.length === 0 && single !== undefined && single !== '' ? [single] : values;
  return wanted.map((value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw refuse('FILTER_INVALID', 'values must be strings', `${at}/values`);
  });
}

/** The scalars at a path of field names; the elements of lists on the way are all looked at. */
function valuesIn(value: unknown, path: readonly string[], at = 0): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((element: unknown) => valuesIn(element, path, at));
  const name = path[at];
  if (name === undefined) return isRecord(value) ? [JSON.stringify(value)] : [value];
  return isRecord(value) && Object.hasOwn(value, name) ? valuesIn(value[name], path, at + 1) : [];
}

/** What the model says of the field at a path of names, through lists; undefined when there is none. */
export function fieldAt(
  schema: JsonSchema | undefined,
  path: readonly string[],
  model: Model,
): JsonSchema | undefined {
  const resolved = schema?.$ref === undefined ? schema : model.definitions.get(schema.$ref);
  const [name, ...rest] = path;
  if (resolved === undefined || name === undefined) return resolved;
  if (resolved.items) return fieldAt(resolved.items, path, model);
  const field =
    resolved.properties && Object.hasOwn(resolved.properties, name) ? resolved.properties[name] : undefined;
  if (field) return fieldAt(field, rest, model);
  return isRecord(resolved.additionalProperties)
    ? fieldAt(resolved.additionalProperties, rest, model)
    : undefined;
}

function only(raw: Record<string, unknown>, known: readonly string[], pointer: string): void {
  const unknownName = Object.keys(raw).find((name) => !known.includes(name));
  if (unknownName !== undefined)
    throw refuse(
      'FILTER_INVALID',
      `unknown property "${unknownName}" of a filter, known are ${known.join(', ')}`,
      `${pointer}/${unknownName}`,
    );
}

function asList(raw: unknown, pointer: string): unknown[] {
  if (Array.isArray(raw)) return raw;
  throw refuse('FILTER_INVALID', 'must be an array', pointer);
}
