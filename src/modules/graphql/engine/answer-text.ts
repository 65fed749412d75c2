import { jsonParts } from '../../../catalog/json/index.js';
import type { Slices } from '../slices.js';

/** A large answer as JSON, made piece by piece, between which other requests are served. */
export async function textInSlices(answer: object, slices: Slices): Promise<string> {
  const parts: string[] = [];
  for (const part of jsonParts(answer)) {
    parts.push(part);
    const wait = slices.pace();
    if (wait) await wait;
  }
  return parts.join('');
}
