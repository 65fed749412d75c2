import { CatalogError } from '../../../catalog/errors/index.js';

/** Writers met: the whole transaction can be tried again. Deadlock, lock wait, snapshot conflict of MariaDB. */
const CONFLICTS = new Set([1213, 1205, 1020]);

/**
 * The server is there and cannot serve now: too many connections, shutting down, out of disk, read-only, a node
 * without its cluster, statements cut off by the network or an operator.
 */
const AWAY = new Set([1040, 1053, 1021, 1114, 1047, 1203, 1226, 1290, 1792, 1836, 1927, 4031, 3159]);

/** What is answered when the server cannot be reached; its name and address are for the log. */
const AWAY_MESSAGE = 'the database is away; try again in a moment';

interface DriverError extends Error {
  errno?: number;
  code?: string;
  fatal?: boolean;
}

/** The other writers won; nothing of this transaction stands. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(numberOf(error));
}

/** The connection is gone, or cannot be trusted any more. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, fatal } = error as DriverError;
  if (fatal === true || code === 'PROTOCOL_SEQUENCE_TIMEOUT' || code === 'PROTOCOL_CONNECTION_LOST')
    return true;
  if (numberOf(error) === 1053 || numberOf(error) === 1927 || numberOf(error) === 4031) return true;
  return /^E[A-Z]+$/.test(code ?? '') || /closed state|closed connection/i.test(error.message);
}

/** Nothing is wrong with the request: the server cannot answer now. */
export function isAway(error: unknown): boolean {
  return isLost(error) || AWAY.has(numberOf(error));
}

/** The error as the service's callers see it; others pass. */
export function asCatalogError(error: unknown): unknown {
  if (error instanceof CatalogError) return error;
  if (isConflict(error)) {
    const text = 'other writers were faster, again and again; try again in a moment';
    return new CatalogError('SERVICE_UNAVAILABLE', text, [], { cause: error });
  }
  return isAway(error) ? new CatalogError('SERVICE_UNAVAILABLE', AWAY_MESSAGE, [], { cause: error }) : error;
}

/** For the log: what the driver says, also where its message is empty (several addresses were tried). */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as DriverError).code || error.name;
}

function numberOf(error: unknown): number {
  const { errno } = (error ?? {}) as { errno?: unknown };
  return typeof errno === 'number' ? errno : 0;
}
