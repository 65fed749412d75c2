import type { EndLine } from '../modules/transfer/offline.js';
import { createProgress } from './progress.js';
import { asJson, type Terminal } from './command.js';
import { openSink } from './output-file.js';
import type { Compression } from './compression.js';
import { ServiceError, type ServiceClient } from './service-client.js';

/** More than the last line of an export has. */
const LAST = 4096;
const NEWLINE = 0x0a;

/** Writes what a running service exports: it knows what a search finds. */
export async function exportFromService(
  client: ServiceClient,
  parameters: URLSearchParams,
  to: { file: string; compression: Compression | undefined; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const { file, compression, json } = to;
  const body = await client.stream(`/openapi/v3/export?${parameters.toString()}`);
  const sink = await openSink(file, compression);
  const progress = await createProgress(0, terminal, 'lines');
  let [lines, last] = [0, Buffer.alloc(0)];
  try {
    for await (const chunk of answered(body)) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
      last = Buffer.concat([last, chunk.subarray(-LAST)]).subarray(-LAST);
      progress.update(0, lines);
      await sink.write(chunk);
    }
    const [, text] = /\n(\{"kind":"end",[^\n]*\})\n$/.exec(last.toString()) ?? [];
    if (text === undefined)
      throw new ServiceError('the service ended the answer before the last line of the export');
    await sink.end();
    const { entities, aspects, history, events, tokens } = JSON.parse(text) as EndLine;
    if (json) terminal.out(asJson({ file, entities, aspects, history, events, tokens, lines }));
    terminal.err(
      `${entities} entities, ${aspects} aspects, ${history} earlier values, ${events} events in ${lines} lines exported`,
    );
    return 0;
  } catch (error) {
    await sink.abandon();
    throw error;
  } finally {
    progress.stop();
  }
}

async function* answered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield Buffer.from(chunk);
  } catch (error) {
    throw new ServiceError(`the answer was cut off: ${String(error)}`);
  }
}
