import type { SystemMetadata } from '../../catalog/change/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { parseJson } from '../../catalog/json/index.js';
import { escapePointer, isRecord } from '../../catalog/model/index.js';

const TEXTS = ['runId', 'lastRunId', 'pipelineName', 'registryName', 'registryVersion'] as const;
const NUMBERS = ['lastObserved', 'schemaVersion'] as const;
/** Members that the service sets itself. Clients that send back what they read include them. */
const OWN = ['version', 'aspectCreated', 'aspectModified'];

const MAX_NAME_BYTES = 512;

/** Reads system metadata: an object, the same as JSON text, or nothing (absent, null, blank). */
export function parseSystemMetadata(raw: unknown, pointer: string): SystemMetadata {
  const value = typeof raw === 'string' ? fromText(raw, pointer) : raw;
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw refuse('PROPOSAL_MALFORMED', 'systemMetadata must be an object', pointer);
  const metadata: SystemMetadata = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === null || OWN.includes(name)) continue;
    const at = `${pointer}/${escapePointer(name)}`;
    const textName = TEXTS.find((known) => known === name);
    const numberName = NUMBERS.find((known) => known === name);
    if (textName) metadata[textName] = asName(field, at);
    else if (numberName) metadata[numberName] = asNumber(field, at);
    else if (name === 'properties') metadata.properties = asTexts(field, at);
    else throw refuse('PROPOSAL_MALFORMED', `systemMetadata has no field "${name}"`, at);
  }
  return metadata;
}

function fromText(text: string, pointer: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof CatalogError ? error.below(pointer) : error;
  }
}

function asText(value: unknown, pointer: string): string {
  if (typeof value === 'string') return value;
  throw refuse('PROPOSAL_MALFORMED', 'must be a string', pointer);
}

/** Runs and pipelines are looked up by name, so their names fit a key. */
function asName(value: unknown, pointer: string): string {
  const name = asText(value, pointer);
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  throw refuse('PROPOSAL_MALFORMED', `must be at most ${MAX_NAME_BYTES} bytes long`, pointer);
}

function asNumber(value: unknown, pointer: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw refuse('PROPOSAL_MALFORMED', 'must be a whole number', pointer);
}

function asTexts(value: unknown, pointer: string): Record<string, string> {
  if (!isRecord(value)) throw refuse('PROPOSAL_MALFORMED', 'must be an object with string values', pointer);
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(value))
    texts[name] = asText(text, `${pointer}/${escapePointer(name)}`);
  return texts;
}
