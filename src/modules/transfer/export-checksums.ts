import { Worker } from 'node:worker_threads';
import { threadSource } from '../../catalog/schedule/index.js';
import { LineChecksums } from './line-checksums.js';

/** Lines with their checks. */
export interface CheckedPart {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Of all bytes so far, hexadecimal, where it was asked for. */
  readonly sha256: string | undefined;
}

const SOURCE = threadSource(import.meta.url, 'checksum-thread');

type Waiting = { resolve: (part: CheckedPart) => void; reject: (error: Error) => void };

/** Fills in the checksums of an export: of a single part here, of several in a thread, beside which the next is read and the last written. */
export class ExportChecksums {
  private readonly alone = new LineChecksums();
  private readonly waiting: Waiting[] = [];
  private thread: Worker | undefined;

  /**
   * @param part whole lines, in an `ArrayBuffer` of their own, which is handed over and comes back
   * @param last whether no part comes after it; then the checksum of all is told
   */
  async fill(part: Buffer<ArrayBuffer>, last = false): Promise<CheckedPart> {
    if (last && this.thread === undefined) {
      this.alone.fill(part);
      return { bytes: part, sha256: this.alone.sha256() };
    }
    const thread = (this.thread ??= this.start());
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      thread.postMessage({ bytes: part, sum: last }, [part.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private start(): Worker {
    const thread = new Worker(SOURCE, {
      name: 'export',
      eval: true,
      execArgv: ['--input-type=module'],
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
    });
    thread.on('message', ({ bytes, sha256 }: { bytes: Uint8Array<ArrayBuffer>; sha256?: string }) =>
      this.waiting.shift()?.resolve({ bytes: Buffer.from(bytes.buffer, 0, bytes.length), sha256 }),
    );
    let reason = new Error('the thread that makes the checksums of an export has ended');
    thread.on('error', (error: Error) => (reason = error));
    thread.once('exit', () => {
      for (const { reject } of this.waiting.splice(0)) reject(reason);
    });
    return thread;
  }
}
