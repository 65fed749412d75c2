import type { AuditStamp } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';

/** A link in institutionalMemory. `description` is its label. */
export interface Link extends Record<string, unknown> {
  readonly url: string;
  readonly description: string;
  readonly createStamp: AuditStamp;
}

const SCHEMES = new Set(['http:', 'https:', 'ftp:', 'mailto:']);

/**
 * Refuses what a browser should not be sent to, such as `javascript:`. The text itself is kept as it is.
 * @throws CatalogError PARAMETER_INVALID
 */
export function checkUrl(url: string, at: string): void {
  // Browsers drop line breaks and blanks from addresses, so "java\nscript:" must not pass either.
  // eslint-disable-next-line no-control-regex
  const scheme = /[\s\u0000-\u001f\u007f]/.test(url) ? undefined : /^[a-z]+:(?=.)/i.exec(url)?.[0];
  if (scheme === undefined || !SCHEMES.has(scheme.toLowerCase()) || !URL.canParse(url)) {
    throw refuse('PARAMETER_INVALID', 'a link must be an http, https, ftp or mailto address', at);
  }
}

export const isLink = (link: Link, url: string, label: string): boolean =>
  link.url === url && link.description === label;
