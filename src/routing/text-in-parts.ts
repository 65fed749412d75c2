import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { CatalogError } from '../catalog/errors/index.js';
import { currentRequest, inRequest } from '../catalog/schedule/index.js';

/** The type of texts and of streams of them: the server says of a text only in which characters it is. */
export const TEXT_TYPE = 'application/json; charset=utf-8';

/** A shorter answer is sent in one go: characters. */
const WHOLE = 1024 * 1024;

/** Says what an operator has to know. */
type Complain = (line: string) => void;

const logger = new Logger('Answers');

/**
 * Elements of a JSON list, or members of an object, some at a time.
 * @param before what comes before them, up to the bracket
 * @param after what comes behind them, from the bracket on
 */
export async function* listText(
  before: string,
  portions: AsyncIterable<readonly string[]>,
  after: string,
): AsyncGenerator<string> {
  let separator = before;
  for await (const texts of portions) {
    if (texts.length === 0) continue;
    yield separator + texts.join(',');
    separator = ',';
  }
  yield separator === before ? before + after : after;
}

/**
 * A text that is made part by part: whole, or, once it has become long, a stream that makes the rest as the client takes it. Ten thousand
 * entities may have a gigabyte, and who asks for them may read slowly.
 * @throws what the first parts do; what fails later ends the connection
 */
export async function textInParts(
  parts: AsyncGenerator<string>,
  complain: Complain = (line) => logger.error(line),
): Promise<string | Readable> {
  let text = '';
  for (;;) {
    const part = await parts.next();
    if (part.done === true) return text;
    text += part.value;
    if (text.length >= WHOLE) return Readable.from(bytesOf(text, parts, complain), { objectMode: false });
  }
}

function bytesOf(first: string, parts: AsyncGenerator<string>, complain: Complain): AsyncIterable<Buffer> {
  const request = currentRequest();
  // A stream runs where it is read, which is not always within the request.
  const within = <T>(work: () => T): T => (request === undefined ? work() : inRequest(request, work));
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield Buffer.from(first);
        for (;;) {
          const part = await within(() => parts.next());
          if (part.done === true) return;
          yield Buffer.from(part.value);
        }
      } catch (error) {
        if (!(error instanceof CatalogError && error.code === 'REQUEST_ABANDONED'))
          complain(`an answer broke off: ${String(error)}`);
        throw error;
      } finally {
        await parts.return(undefined);
      }
    },
  };
}
