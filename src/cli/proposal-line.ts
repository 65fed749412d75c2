import { CatalogError } from '../catalog/errors/index.js';
import { parseJson } from '../catalog/json/index.js';
import { isBlank } from './lines.js';

/** One line of the file, ready to be sent. */
export interface ProposalLine {
  /** Counts from 1. */
  line: number;
  proposal: Record<string, unknown>;
  /** Set for a snapshot of several aspects, the older form: of the action that takes those. */
  snapshot?: true;
  /** Length of its JSON text, roughly. */
  size: number;
}

/** A line that cannot be a proposal. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

/** Reads one line; undefined for a blank one. `aspect.json` may stand for `aspect.value`, the aspect as JSON text. */
export function readProposal(text: Buffer, line: number): ProposalLine | undefined {
  if (isBlank(text)) return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const { message, errors } = error as CatalogError;
    throw new LineError(`line ${line}: ${message}${errors[0]?.pointer ? ` (${errors[0].pointer})` : ''}`);
  }
  if (!isObject(value)) throw new LineError(`line ${line}: a proposal must be a JSON object`);
  if ('proposedSnapshot' in value) {
    const entity = { value: withoutDialect(value['proposedSnapshot']) };
    const systemMetadata = value['systemMetadata'] ?? {};
    return { line, proposal: { entity, systemMetadata }, snapshot: true, size: text.length };
  }
  for (const field of ['entityType', 'changeType', 'aspectName']) {
    if (typeof value[field] !== 'string') throw new LineError(`line ${line}: "${field}" must be a string`);
  }
  return { line, proposal: { ...value, ...aspectOf(value, line) }, size: text.length };
}

function aspectOf({ aspect }: Record<string, unknown>, line: number): { aspect?: unknown } {
  if (aspect === undefined || aspect === null) return {};
  if (!isObject(aspect)) throw new LineError(`line ${line}: "aspect" must be an object`);
  const { json, ...rest } = aspect;
  if (json === undefined) return { aspect };
  if ('value' in rest)
    throw new LineError(`line ${line}: "aspect" has "json" and "value", it needs one of them`);
  return { aspect: { contentType: 'application/json', ...rest, value: JSON.stringify(json) } };
}

/** Files have the names of records in the namespace of their own encoding, as snapshots and as members of unions. */
function withoutDialect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDialect);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/^com\.linkedin\.pegasus2avro\./, 'com.linkedin.'),
      withoutDialect(each),
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
