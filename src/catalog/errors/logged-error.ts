/** Thrown where the reason is in the log already, once for many failures: who catches it need not log it again. */
export class LoggedError extends Error {
  override readonly name = 'LoggedError';
}
