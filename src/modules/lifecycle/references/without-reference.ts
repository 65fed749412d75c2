import {
  isRecord,
  namesRecord,
  unionMember,
  type AspectSpec,
  type JsonSchema,
} from '../../../catalog/model/index.js';

/** Resolves the `$ref`s of schemas. */
type Definitions = ReadonlyMap<string, JsonSchema>;

/** What is left of an aspect once it no longer names an entity. */
type Remainder =
  | { keep: Record<string, unknown> }
  /** Nothing but the reference was required: without it the aspect says nothing. */
  | { keep: undefined }
  /** The reference is a part of something that cannot be without it. */
  | { stuck: string };

/**
 * An aspect without its references to `target`, at the places that the model marks as relationships. Pure: `value`
 * is not changed. What gives way is the smallest thing that can: the element of a list or map that needs the
 * reference, else the nearest optional field around it.
 */
export function withoutReference(
  aspect: AspectSpec,
  value: Record<string, unknown>,
  target: string,
  definitions: Definitions,
): Remainder {
  if (aspect.keyOf !== undefined) return { stuck: `${aspect.name} says what the URN of its entity says` };
  const copy = structuredClone(value);
  for (const { path } of aspect.relationships) {
    if (!falls(aspect.schema, copy, path, 0, { target, definitions })) continue;
    const required = aspect.schema.required ?? [];
    if (required.length === 1 && required[0] === path[0]) return { keep: undefined };
    return { stuck: `${aspect.name} cannot be without ${path.join('.')}` };
  }
  return { keep: copy };
}

interface Search {
  target: string;
  definitions: Definitions;
}

/** Takes the references out of `value`. True when it cannot be without one, so that it must go itself. */
function falls(
  unresolved: JsonSchema | undefined,
  value: unknown,
  path: readonly string[],
  at: number,
  search: Search,
): boolean {
  const segment = path[at];
  if (segment === undefined) return value === search.target;
  const schema = resolve(unresolved, search.definitions);
  if (segment === '*') {
    if (Array.isArray(value)) {
      let kept = 0;
      for (const element of value as unknown[])
        if (!falls(schema.items, element, path, at + 1, search)) value[kept++] = element;
      value.length = kept;
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (falls(memberOf(schema, key), value[key], path, at + 1, search)) delete value[key];
      }
    }
    return false;
  }
  if (!isRecord(value)) return false;
  const key = Object.hasOwn(value, segment)
    ? segment
    : Object.keys(value).find((name) => segment.includes('.') && namesRecord(name, segment));
  if (key === undefined || !falls(memberOf(schema, key), value[key], path, at + 1, search)) return false;
  if (schema['x-union'] !== undefined || schema.required?.includes(key)) return true;
  delete value[key];
  return false;
}

function resolve(schema: JsonSchema | undefined, definitions: Definitions): JsonSchema {
  if (schema?.$ref === undefined) return schema ?? {};
  return definitions.get(schema.$ref) ?? {};
}

function memberOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  const member = unionMember(schema, key);
  if (member !== undefined) return member;
  return isRecord(schema.additionalProperties) ? schema.additionalProperties : undefined;
}
