import { readTags } from '../catalog/change/index.js';

/**
 * Whether a client has the current version already: the weak comparison of RFC 9110, 13.1.2, because a proxy may have
 * marked the tag as weak.
 * @param header `If-None-Match` of the request
 * @param tag without quotes
 */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = readTags('If-None-Match', header, '/headers/If-None-Match');
  return tags === '*' || tags.some((one) => one.replace(/^W\//, '') === tag);
}
