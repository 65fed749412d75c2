import type { IncomingMessage } from 'node:http';

/** `application/json`, `application/json-patch+json` and their like, with or without parameters. */
export const JSON_TYPES = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;

export function saysUtf8(type: string): boolean {
  const charset = /;\s*charset="?([^;"\s]+)/i.exec(type)?.[1];
  return charset === undefined || /^utf-?8$|^us-ascii$/i.test(charset);
}

/**
 * Has a body read as JSON whatever its Content-Type says.
 * @returns what it said, empty where it said nothing; undefined where it said JSON
 */
export function takeAsJson({ headers }: IncomingMessage): string | undefined {
  const said = headers['content-type'] ?? '';
  if (JSON_TYPES.test(said) && saysUtf8(said)) return undefined;
  headers['content-type'] = 'application/json';
  return said;
}
