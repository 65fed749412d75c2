import { Resource } from '../../../catalog/auth/index.js';
import type { SystemMetadata } from '../../../catalog/change/index.js';
import { LARGE_TEXT, readJson, readJsonInSteps } from '../../../catalog/json/index.js';
import type { Steps } from '../../../catalog/schedule/index.js';
import type { AspectState, EntityState } from '../../../catalog/store/index.js';

/** One value of a versioned aspect with its JSON as the store holds it: most reads only pass the text on. */
export interface StoredAspect {
  readonly name: string;
  /** JSON text. */
  readonly value: string;
  /** Counts from 1. */
  readonly version: number;
  /** JSON text. */
  readonly systemMetadata: string;
  readonly created: { readonly time: number; readonly actor: string };
}

/** The latest state of one entity with its aspects unparsed. Shared between readers: never changed. */
export interface StoredEntity {
  readonly urn: string;
  readonly entityType: string;
  readonly sequence: number;
  readonly observations: number;
  readonly exists: boolean;
  readonly removed: boolean;
  readonly aspects: ReadonlyMap<string, StoredAspect>;
}

export function parseAspect(stored: StoredAspect): AspectState {
  return {
    name: stored.name,
    value: readJson(stored.value) as Record<string, unknown>,
    version: stored.version,
    systemMetadata: readJson(stored.systemMetadata) as SystemMetadata,
    created: { ...stored.created },
  };
}

/** An aspect whose texts are parsed when they are asked for: who looks at whole entities mostly wants a part of them. */
class LazyAspect implements AspectState {
  readonly name: string;
  readonly version: number;
  readonly created: AspectState['created'];
  private parsed: Record<string, unknown> | undefined;
  private parsedMetadata: SystemMetadata | undefined;

  constructor(private readonly stored: StoredAspect) {
    this.name = stored.name;
    this.version = stored.version;
    this.created = { ...stored.created };
  }

  get value(): Record<string, unknown> {
    return (this.parsed ??= readJson(this.stored.value) as Record<string, unknown>);
  }

  parseAhead(): Steps<void> | undefined {
    return this.parsed === undefined && this.stored.value.length >= LARGE_TEXT ? this.parse() : undefined;
  }

  private *parse(): Steps<void> {
    this.parsed = (yield* readJsonInSteps(this.stored.value)) as Record<string, unknown>;
  }

  get systemMetadata(): SystemMetadata {
    return (this.parsedMetadata ??= readJson(this.stored.systemMetadata) as SystemMetadata);
  }
}

/** How long the values of entities are together: characters of their JSON. */
export function charactersOf(entities: Iterable<StoredEntity>): number {
  let characters = 0;
  for (const { aspects } of entities) characters += charactersIn(aspects.values());
  return characters;
}

/** The same of values, such as those of events. */
export function charactersIn(values: Iterable<{ readonly value: string }>): number {
  let characters = 0;
  for (const { value } of values) characters += value.length;
  return characters;
}

export function parseEntity(stored: StoredEntity): EntityState {
  const aspects = new Map<string, AspectState>();
  for (const [name, aspect] of stored.aspects) aspects.set(name, new LazyAspect(aspect));
  return { ...stored, aspects };
}

const resources = new WeakMap<StoredEntity, Resource>();

/** An entity as policies look at it. */
export function resourceOf({ urn, entityType, aspects }: StoredEntity): Resource {
  return new Resource(urn, entityType, (name) => {
    const stored = aspects.get(name);
    return stored && (readJson(stored.value) as Record<string, unknown>);
  });
}

/** The same for one that is kept: what is found out is kept as long. */
export function keptResourceOf(entity: StoredEntity): Resource {
  let resource = resources.get(entity);
  if (resource === undefined) resources.set(entity, (resource = resourceOf(entity)));
  return resource;
}
