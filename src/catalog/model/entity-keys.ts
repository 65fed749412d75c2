import { UrnError, parseUrn, tryParseUrn, type Urn } from '../urn/urn.js';
import { withArticle } from '../with-article.js';
import type { JsonSchema } from './json-schema.js';
import type { AspectSpec, EntitySpec } from './specs.js';

/** Why a URN does not fit the key of its entity type. */
export type KeyFault = 'entity-type' | 'parts' | 'part';

/** Thrown when a URN and the key of an entity do not fit each other; `reason` is for code. */
export class EntityKeyError extends Error {
  override readonly name = 'EntityKeyError';

  constructor(
    readonly reason: KeyFault,
    message: string,
  ) {
    super(message);
  }
}

/** What keys need to know of the model. */
export interface KeyContext {
  readonly entities: ReadonlyMap<string, EntitySpec>;
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

/**
 * The key aspect that a URN stands for. A key of one field takes the id as it is; a longer one takes the parts of
 * the tuple, in the order of its fields.
 * @throws EntityKeyError on an unknown entity type, a wrong number of parts, a bad environment name or inner URN.
 */
export function keyFromUrn(
  urn: Urn,
  model: KeyContext,
): { entity: EntitySpec; key: Record<string, unknown> } {
  const entity = model.entities.get(urn.type);
  if (!entity) {
    throw new EntityKeyError(
      'entity-type',
      `unknown entity type "${urn.type}" in ${JSON.stringify(urn.text)}`,
    );
  }
  const fields = entity.key.keyFields ?? [];
  const parts = fields.length === 1 ? [urn.id] : urn.parts;
  if (parts.length !== fields.length) {
    const wanted = `(${fields.map((field) => `<${field}>`).join(',')})`;
    throw new EntityKeyError(
      'parts',
      `${withArticle(entity.name)} URN has the id ${wanted}, this one has ${parts.length} of ${fields.length} parts: ` +
        JSON.stringify(urn.text),
    );
  }
  const key: Record<string, unknown> = {};
  fields.forEach((field, index) => {
    const part = parts[index] ?? '';
    const fault = partFault(entity.key, field, part, model);
    if (fault) {
      throw new EntityKeyError(
        'part',
        `part ${index + 1} (${field}) of ${JSON.stringify(urn.text)} ${fault}`,
      );
    }
    key[field] = part;
  });
  return { entity, key };
}

/**
 * The URN of a key aspect.
 * @throws EntityKeyError when a field is missing or would not be read back as it is.
 */
export function urnFromKey(entity: EntitySpec, key: Record<string, unknown>, model: KeyContext): string {
  const fields = entity.key.keyFields ?? [];
  const parts = fields.map((field) => {
    const part = Object.hasOwn(key, field) ? key[field] : undefined;
    if (typeof part !== 'string' || part === '') {
      throw new EntityKeyError(
        'part',
        `the key of ${withArticle(entity.name)} needs "${field}" as a string that is not empty`,
      );
    }
    return part;
  });
  const id = parts.length === 1 ? parts[0] : `(${parts.join(',')})`;
  let urn: Urn;
  try {
    urn = parseUrn(`urn:li:${entity.name}:${id}`);
  } catch (error) {
    if (error instanceof UrnError) throw new EntityKeyError('part', `the key makes no URN: ${error.message}`);
    throw error;
  }
  const read = keyFromUrn(urn, model).key;
  const changed = fields.find((field, index) => read[field] !== parts[index]);
  if (changed)
    throw new EntityKeyError('part', `"${changed}" cannot stand in a URN: commas and parentheses split it`);
  return urn.text;
}

function partFault(key: AspectSpec, field: string, part: string, model: KeyContext): string | undefined {
  if (part === '') return 'is empty';
  let schema = key.schema.properties?.[field] ?? {};
  if (schema.$ref !== undefined) schema = model.definitions.get(schema.$ref) ?? {};
  if (schema.enum) return schema.enum.includes(part) ? undefined : `must be one of ${schema.enum.join(', ')}`;
  if (schema.format !== 'urn') return undefined;
  const inner = tryParseUrn(part);
  if (!inner) return 'must be a URN';
  const targets = key.urns.find((row) => row.path.length === 1 && row.path[0] === field)?.targets;
  if (targets && !targets.includes(inner.type))
    return `must be the URN of ${withArticle(targets.join(' or '))}`;
  // An inner URN of an unknown type is accepted; one of a known type must be whole.
  if (model.entities.has(inner.type)) {
    try {
      keyFromUrn(inner, model);
    } catch (error) {
      if (error instanceof EntityKeyError) return `is no whole URN: ${error.message}`;
      throw error;
    }
  }
  return undefined;
}
