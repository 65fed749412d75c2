import { jsonParts, JsonText } from '../../catalog/json/index.js';
import { currentRequest, Limiter, turn } from '../../catalog/schedule/index.js';

/** Hits that a page may have before it counts as large. */
const LARGE = 1_000;
/** Large pages that are under way at a time: one is found while another becomes text. */
const AT_ONCE = 2;
/** Text that is sent at a time, in UTF-16 units. */
const PIECE = 64 * 1024;
/** How long pieces follow each other before others have their turn, in milliseconds. */
const SLICE_MS = 10;

/**
 * The answers of searches for thousands of hits. With what matched they come to ten megabytes: to make the text of one in one go
 * takes a tenth of a second, in which no other caller is served, and sixteen that wait for that take half a gigabyte.
 */
export class LargePages {
  private readonly limiter = new Limiter(AT_ONCE);

  /** What `make` makes, as text where it is large. @throws what `make` does, and why the request was given up */
  async answer(count: number, make: () => Promise<object>): Promise<object> {
    if (count <= LARGE) return make();
    const signal = currentRequest()?.signal;
    return this.limiter.run(async () => textOf(await make(), signal), signal);
  }
}

async function textOf(answer: object, signal: AbortSignal | undefined): Promise<JsonText> {
  const pieces: string[] = [];
  let text = '';
  let ends = 0;
  for (const part of jsonParts(answer)) {
    if (performance.now() >= ends) {
      await turn();
      signal?.throwIfAborted();
      ends = performance.now() + SLICE_MS;
    }
    text += part;
    if (text.length < PIECE) continue;
    pieces.push(text);
    text = '';
  }
  pieces.push(text);
  return new JsonText(each(pieces));
}

/** Lets go of the pieces that were taken. */
async function* each(pieces: string[]): AsyncGenerator<string> {
  for (const [i, piece] of pieces.entries()) {
    pieces[i] = '';
    yield piece;
  }
}
