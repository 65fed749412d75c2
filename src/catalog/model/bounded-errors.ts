import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { escapePointer, isRecord, type JsonSchema } from './json-schema.js';

/** What a schema with bounded errors says of the items of a list, and of the fields that are not named. */
const ITEMS = 'x-items';
const OTHERS = 'x-others';

/** Errors of one list or map after which the rest of it is not looked at. */
const MOST = 100;

/**
 * A schema, for {@link mapSchema}, whose lists and maps are left once they have enough errors. With all errors, ajv collects one for each item, and
 * copies those before for each item that refers to a definition: a million items would hold the process for minutes.
 */
export function withBoundedErrors(schema: JsonSchema): JsonSchema {
  const { items, additionalProperties: others, ...rest } = schema;
  return {
    ...rest,
    ...(items !== undefined && { [ITEMS]: items }),
    ...(others === false || isRecord(others)
      ? { [OTHERS]: others }
      : others !== undefined && { additionalProperties: others }),
  };
}

/** Teaches ajv the keywords of {@link withBoundedErrors}. */
export function addBoundedErrors(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: ITEMS,
    type: 'array',
    errors: 'full',
    compile: (items: JsonSchema) => {
      const check = checkOf(ajv, items);
      return boundedCheck(function* (list: readonly unknown[]) {
        for (const [i, item] of list.entries()) yield check(item, String(i), list, i);
      });
    },
  });
  ajv.addKeyword({
    keyword: OTHERS,
    type: 'object',
    errors: 'full',
    compile: (others: JsonSchema | false, parentSchema: JsonSchema) => {
      const patterns = Object.keys(parentSchema.patternProperties ?? {}).map((text) => new RegExp(text, 'u'));
      const isOther = (name: string) =>
        !Object.hasOwn(parentSchema.properties ?? {}, name) &&
        !patterns.some((pattern) => pattern.test(name));
      const check = others === false ? undefined : checkOf(ajv, others);
      return boundedCheck(function* (map: Readonly<Record<string, unknown>>) {
        for (const name of Object.keys(map)) {
          if (!isOther(name)) continue;
          yield check?.(map[name], escapePointer(name), map, name) ?? [unknownField(name, parentSchema, map)];
        }
      });
    },
  });
}

type PartCheck = (
  value: unknown,
  segment: string,
  parentData: unknown,
  parentDataProperty: number | string,
) => ErrorObject[];

/** Compiled with the first value: a definition may refer to itself. */
function checkOf(ajv: Ajv, schema: JsonSchema): PartCheck {
  let validate: ValidateFunction | undefined;
  return (value, segment, parentData, parentDataProperty) => {
    validate ??= ajv.compile(schema);
    const at = { instancePath: '', parentData, parentDataProperty, rootData: parentData, dynamicAnchors: {} };
    if (validate(value, at as Parameters<ValidateFunction>[1])) return [];
    return (validate.errors ?? []).map((error) => below(segment, error));
  };
}

/** Collects the errors of parts until there are enough. */
function boundedCheck<Whole>(parts: (whole: Whole) => Iterable<ErrorObject[]>) {
  const check = (whole: Whole, context?: { instancePath: string }): boolean => {
    const errors: ErrorObject[] = [];
    for (const found of parts(whole)) {
      for (const error of found) errors.push(prefixed(context?.instancePath ?? '', error));
      if (errors.length >= MOST) break;
    }
    check.errors = errors;
    return errors.length === 0;
  };
  check.errors = [] as ErrorObject[];
  return check;
}

const below = (segment: string, error: ErrorObject): ErrorObject => prefixed(`/${segment}`, error);

/** An error with a longer path. ajv writes the list or map over `data` and `schema` of what a keyword found. */
function prefixed(path: string, error: ErrorObject): ErrorObject {
  const { schema, data, ...rest } = error;
  return Object.defineProperties({ ...rest, instancePath: path + error.instancePath } as ErrorObject, {
    schema: { get: () => schema, set: () => undefined, enumerable: true },
    data: { get: () => data, set: () => undefined, enumerable: true },
  });
}

const unknownField = (additionalProperty: string, parentSchema: JsonSchema, data: unknown): ErrorObject => ({
  keyword: 'additionalProperties',
  instancePath: '',
  schemaPath: '',
  params: { additionalProperty },
  message: 'must NOT have additional properties',
  schema: false,
  parentSchema,
  data,
});
