import { randomBytes } from 'node:crypto';

/** 32 hexadecimal digits; clients read the time from the first half, in microseconds. */
export function newTraceId(): string {
  const micros = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
  return micros.toString(16).padStart(16, '0') + randomBytes(8).toString('hex');
}

/** The headers by which a client follows what goes on after the answer. */
export function traceHeaders(trace: string, location: string): Record<string, string> {
  return { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01`, location };
}

/** The id that a caller gives, alone or as the whole `traceparent` of an answer, as older clients send it. */
export function readTraceId(given: string): string {
  const [, inside] = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/i.exec(given) ?? [];
  return (inside ?? given).toLowerCase();
}

/** Where the clearing of references to deleted entities can be followed. */
export const clearingPath = (trace: string): string => `/openapi/v1/trace/references/${trace}`;
