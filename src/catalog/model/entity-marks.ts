import { readGraphqlEntity } from './graphql-marks.js';
import { isRecord } from './json-schema.js';
import type { Complain } from './model-marks.js';
import type { ApiDocumentSpec, AspectSpec, BrowsePathSpec, EntitySpec } from './specs.js';

type EntityMarks = Pick<
  EntitySpec,
  'platformField' | 'browsePath' | 'apiDocument' | 'graphql' | 'clearReferences' | 'strictReferences'
>;

/** Reads the marks of an entity file that go by its key or by its name; what is wrong is complained about and left out. */
export function readEntityMarks(
  content: Readonly<Record<string, unknown>>,
  key: AspectSpec,
  complain: Complain,
): EntityMarks {
  const isKeyField = (place: readonly string[], name: unknown): name is string => {
    if (typeof name === 'string' && key.keyFields?.includes(name)) return true;
    complain(place, `must be a field of ${key.name}: ${key.keyFields?.join(', ')}`);
    return false;
  };
  const platform = content['platformField'];
  const browsePath = readBrowsePath(content['browsePath'], isKeyField, complain);
  const apiDocument = readApiDocument(content['apiDocument'], complain);
  const aspects: unknown = content['aspects'];
  const graphql = readGraphqlEntity(content['graphql'], Array.isArray(aspects) ? aspects : [], complain);
  const isTrue = (name: string): boolean => {
    const said = content[name] ?? false;
    if (typeof said !== 'boolean') complain([name], 'must be true or false');
    return said === true;
  };
  return {
    clearReferences: isTrue('clearReferences'),
    strictReferences: isTrue('strictReferences'),
    ...(platform !== undefined && isKeyField(['platformField'], platform) && { platformField: platform }),
    ...(browsePath && { browsePath }),
    ...(apiDocument && { apiDocument }),
    ...(graphql && { graphql }),
  };
}

function readBrowsePath(
  mark: unknown,
  isKeyField: (place: readonly string[], name: unknown) => name is string,
  complain: Complain,
): BrowsePathSpec | undefined {
  if (mark === undefined) return undefined;
  if (!hasOnly(mark, ['levels', 'folders'], ['browsePath'], complain)) return undefined;
  const { levels = [], folders } = mark;
  if (!Array.isArray(levels)) {
    complain(['browsePath', 'levels'], 'must be an array of key fields');
    return undefined;
  }
  const known = levels.filter((name, i) => isKeyField(['browsePath', 'levels', String(i)], name));
  if (folders === undefined) return { levels: known };
  return isKeyField(['browsePath', 'folders'], folders) ? { levels: known, folders } : undefined;
}

function readApiDocument(mark: unknown, complain: Complain): ApiDocumentSpec | undefined {
  if (mark === undefined) return undefined;
  if (!hasOnly(mark, ['part', 'place'], ['apiDocument'], complain)) return undefined;
  const { part, place } = mark;
  if (part !== 'core' && part !== 'pipelines') {
    complain(['apiDocument', 'part'], 'must be core or pipelines');
    return undefined;
  }
  if (place === undefined) return { part };
  if (typeof place === 'number') return { part, place };
  complain(['apiDocument', 'place'], 'must be a number');
  return undefined;
}

function hasOnly(
  mark: unknown,
  keys: readonly string[],
  place: readonly string[],
  complain: Complain,
): mark is Record<string, unknown> {
  if (!isRecord(mark)) {
    complain(place, `must be a map of ${keys.join(' and ')}`);
    return false;
  }
  const unknown = Object.keys(mark).find((key) => !keys.includes(key));
  if (unknown === undefined) return true;
  complain([...place, unknown], `unknown key "${unknown}", must be one of ${keys.join(', ')}`);
  return false;
}
