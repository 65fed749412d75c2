import { existsSync, readFileSync } from 'node:fs';
import { modelDigest } from './model-digest.js';
import type { Model } from './model.js';

/** What a command must know of a model that reads no values. */
export interface ModelFacts {
  /** {@link modelDigest} of the model. */
  readonly digest: string;
  /** Names of the aspects that no surface but an export shows. */
  readonly secrets: readonly string[];
  /** Names of the key aspects, by entity type. */
  readonly keys: Readonly<Record<string, string>>;
}

export function factsOf(model: Model): ModelFacts {
  return {
    digest: modelDigest(model),
    secrets: [...model.aspects.values()].filter(({ secret }) => secret).map(({ name }) => name),
    keys: Object.fromEntries([...model.entities.values()].map(({ name, key }) => [name, key.name])),
  };
}

/** The facts of the model that ships with the service, which the build writes: no schema is read for them. */
export function builtInFacts(): ModelFacts | undefined {
  const file = new URL('./model-facts.json', import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ModelFacts) : undefined;
}
