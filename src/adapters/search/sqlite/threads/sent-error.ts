import { CatalogError, type ErrorCode, type ErrorDetail } from '../../../../catalog/errors/index.js';

/** An error as plain data, to be sent to another thread. */
export interface SentError {
  name: string;
  message: string;
  stack: string | undefined;
  /** Of a {@link CatalogError}. */
  refusal?: { code: ErrorCode; errors: readonly ErrorDetail[]; retryAfter: number | undefined };
  /** Of SQLite or of the system: `code`, `errcode`, `errstr`. */
  marks: Record<string, unknown>;
}

const MARKS = ['code', 'errcode', 'errstr', 'errno', 'syscall', 'path'] as const;

export function sentOf(error: unknown): SentError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const marks: Record<string, unknown> = {};
  for (const mark of MARKS) {
    const value = (error as Record<string, unknown> | null)?.[mark];
    if (typeof value === 'string' || typeof value === 'number') marks[mark] = value;
  }
  if (!(error instanceof CatalogError)) return { name, message, stack, marks };
  const { code, errors, retryAfter } = error;
  return { name, message, stack, refusal: { code, errors, retryAfter }, marks: {} };
}

/** The same error, in this thread. */
export function errorOf({ name, message, stack, refusal, marks }: SentError): Error {
  const error = refusal
    ? new CatalogError(refusal.code, message, refusal.errors, { retryAfter: refusal.retryAfter })
    : Object.assign(new Error(message), { name }, marks);
  if (stack !== undefined) error.stack = stack;
  return error;
}
