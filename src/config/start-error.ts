/** What stops the start, in a sentence for whoever starts the service: what is wrong, where, and what helps. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
