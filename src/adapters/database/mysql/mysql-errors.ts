import { CatalogError } from '../../../catalog/errors/index.js';

/** Conflicts of writers, after which the whole transaction can be retried: deadlock, lock wait, snapshot conflict of MariaDB. */
const CONFLICTS = new Set([1213, 1205, 1020]);

/**
 * The server is there and cannot serve now: too many connections, shutting down, out of disk, read-only, a node
 * without its cluster, statements cut off by the network or an operator.
 */
const UNAVAILABLE = new Set([1040, 1053, 1021, 1114, 1047, 1203, 1226, 1290, 1792, 1836, 1927, 4031, 3159]);

/** It is there and can be read, but not written. */
const READ_ONLY = new Set([1290, 1792, 1836]);
const DISK_FULL = new Set([1021, 1114, 1878]);
/** Of files and storage engines, beside all numbers below 1000: their texts hold nothing of a caller's. */
const OF_FILES = new Set([1004, 1005, 1006, 1026, 1030, 1034, 1296]);
/** ENOSPC and EDQUOT. */
const NO_ROOM = /\berr(?:or|no|code):? (?:28|122)\b|no space left/i;

/** What is answered when the server cannot be reached; its name and address are for the log. */
const UNAVAILABLE_MESSAGE = 'the database is unavailable; try again in a moment';

/** What the driver and the network say of a failure. Errors are told by their shape: they may be of another realm. */
interface Failure {
  errno: number;
  code: string;
  message: string;
  fatal: boolean;
}

/** Whether the transaction was rolled back because of other writers, and can be retried. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(failureOf(error).errno);
}

/** Whether the connection has ended, or must not be used any more. */
export function isLost(error: unknown): boolean {
  const { errno, code, message, fatal } = failureOf(error);
  if (fatal || code.startsWith('PROTOCOL_') || [1053, 1927, 4031].includes(errno)) return true;
  return /^E[A-Z]+$/.test(code) || /closed (state|connection)/i.test(message);
}

/** Whether an open connection has ended: another one may work. */
export function hasDropped(error: unknown): boolean {
  return ['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE'].includes(failureOf(error).code);
}

/** Whether the server cannot answer now, whatever the request. */
export function isUnavailable(error: unknown): boolean {
  return isLost(error) || UNAVAILABLE.has(failureOf(error).errno) || writeTroubleOf(error) !== undefined;
}

/** Whether the disk of the server is full, or its quota is used up. */
export function isFull(error: unknown): boolean {
  const { errno, message } = failureOf(error);
  const ofFiles = (errno > 0 && errno < 1000) || OF_FILES.has(errno);
  return DISK_FULL.has(errno) || (ofFiles && NO_ROOM.test(message));
}

/** Why the server, which is there, cannot be written. */
export function writeTroubleOf(error: unknown): string | undefined {
  if (READ_ONLY.has(failureOf(error).errno)) return 'the database is read-only';
  return isFull(error) ? 'the disk of the database is full' : undefined;
}

/** The error as the service's callers see it; others pass. */
export function asCatalogError(error: unknown): unknown {
  if (error instanceof CatalogError) return error;
  if (isConflict(error)) {
    const text = 'other writers were faster, again and again; try again in a moment';
    return new CatalogError('SERVICE_UNAVAILABLE', text, [], { cause: error });
  }
  if (!isUnavailable(error)) return error;
  const trouble = writeTroubleOf(error);
  const advice = isFull(error) ? 'make room on it, then try again' : 'try again in a moment';
  const text = trouble === undefined ? UNAVAILABLE_MESSAGE : `${trouble}; ${advice}`;
  return new CatalogError('SERVICE_UNAVAILABLE', text, [], { cause: error });
}

/** For the log: what the driver says, also where its message is empty (several addresses were tried). */
export function reasonOf(error: unknown): string {
  const { errors } = (error ?? {}) as { errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  const { message, code } = failureOf(error);
  return message || code || String(error);
}

function failureOf(error: unknown): Failure {
  const { errno, code, message, fatal } = (error ?? {}) as Partial<Record<keyof Failure, unknown>>;
  return {
    errno: typeof errno === 'number' ? errno : 0,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
    fatal: fatal === true,
  };
}
