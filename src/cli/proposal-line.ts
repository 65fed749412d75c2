import { CatalogError } from '../catalog/errors/index.js';
import { parseJson } from '../catalog/json/index.js';
import { isBlank } from './lines.js';

/** One line of the file, ready to be sent. */
export interface ProposalLine {
  /** Counts from 1. */
  line: number;
  proposal: Record<string, unknown>;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
