/** What stops the start, in a sentence for the operator: what is wrong, where, and what helps. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
