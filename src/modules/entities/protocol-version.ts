import { refuse } from '../../catalog/errors/index.js';

/** Name of the header as Node gives it. */
export const PROTOCOL_VERSION_HEADER = 'x-restli-protocol-version';

export function isProtocolVersion(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && header.trim() === '2.0.0';
}

/** Refuses a request without the protocol version that these calls are specified with. */
export function requireProtocolVersion(header: string | string[] | undefined): void {
  if (isProtocolVersion(header)) return;
  throw refuse('PROTOCOL_VERSION_MISSING', 'this call needs the header X-RestLi-Protocol-Version: 2.0.0');
}
