import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSample } from '../../src/modules/openapi/examples/sample.js';
import { until } from './until.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'examples');

/** A line of the sample: a proposal. */
export interface SampleLine {
  entityType: string;
  entityUrn: string;
  aspectName: string;
  aspect: { json: unknown };
}

/** What the README imports, in its order. */
export const SAMPLE_LINES = ['warehouse.jsonl', 'every-aspect.jsonl'].flatMap((name) =>
  readFileSync(join(FOLDER, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SampleLine),
);

/** What examples are taken from. */
export const SAMPLE = await readSample();

/** Lines sent at once. */
const BATCH = 300;

/** Whoever sends a request with the token of the administrator. */
interface Poster {
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
}

/** Imports lines of the sample, all of them unless said otherwise. */
export async function importSample(catalog: Poster, lines = SAMPLE_LINES): Promise<void> {
  for (let from = 0; from < lines.length; from += BATCH) {
    const proposals = lines.slice(from, from + BATCH);
    const { status, body } = await catalog.post('/aspects?action=ingestProposalBatch', { proposals });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/**
 * Waits until searches find the sample, from its first file to its last: where processes share a catalog, a search waits
 * two seconds at most for the writes before it, and a busy engine takes longer.
 */
export async function sampleFound(catalog: {
  search(entity: string, input: string): Promise<{ numEntities: number }>;
}): Promise<void> {
  for (const type of ['dataset', 'chart', 'dashboard', 'tag', 'agentSkill', 'aiAgent', 'api'])
    await until(async () => (await catalog.search(type, '*')).numEntities > 0);
}
