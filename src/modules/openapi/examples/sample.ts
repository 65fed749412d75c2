import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An entity of the sample, with its aspects by name in the order of the file: what people look at first comes first. */
export interface SampleEntity {
  readonly urn: string;
  readonly aspects: ReadonlyMap<string, unknown>;
}

/** The entity of each kind that examples are about, by the name of the kind. */
export type Sample = ReadonlyMap<string, SampleEntity>;

/** What the README imports: a company, and what it leaves out of the model. */
const FILES = ['warehouse.jsonl', 'every-aspect.jsonl'] as const;

interface Line {
  entityType: string;
  entityUrn: string;
  aspectName: string;
  aspect: { json: unknown };
}

const FOLDER = fileURLToPath(new URL('../../../../examples/', import.meta.url));

/**
 * The sample: of each kind the first entity of the last file, with what all files say about it. Empty where
 * the files are not: then examples are made up.
 */
export async function readSample(): Promise<Sample> {
  const files = await Promise.all(
    FILES.map((name) => readFile(join(FOLDER, name), 'utf8').catch(() => undefined)),
  );
  const lines = files.map((text) =>
    (text ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line),
  );
  const sample = new Map<string, { urn: string; aspects: Map<string, unknown> }>();
  for (const { entityType, entityUrn: urn } of lines.at(-1) ?? [])
    if (!sample.has(entityType)) sample.set(entityType, { urn, aspects: new Map() });
  for (const { entityType, entityUrn, aspectName, aspect } of lines.flat()) {
    const entity = sample.get(entityType);
    if (entity?.urn === entityUrn) entity.aspects.set(aspectName, aspect.json);
  }
  return sample;
}
