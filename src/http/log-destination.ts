import { fstatSync, write, writeSync } from 'node:fs';
import type { Note } from '../catalog/metrics/index.js';

/** Characters of the log that wait for room, at most; what comes beyond them is dropped. Some thousand lines. */
const MOST_HELD = 1 << 20;
/** Characters written in one go. */
const CHUNK = 1 << 16;
/** How soon a write that was refused is tried again. */
const PAUSE_MS = 250;

const STANDARD_OUTPUT = 1;

type Written = (error: NodeJS.ErrnoException | null, bytes: number) => void;

/** What takes the bytes of a log: a file, a pipe. */
export interface LogSink {
  /** Never blocks; tells how many bytes were taken, all of them or not. */
  write(bytes: Buffer, done: Written): void;
  /** Takes what fits without waiting and answers how much that was. @throws when nothing does */
  writeNow(bytes: Buffer): number;
  /** Bytes handed over earlier are still on their way, and nothing may pass them. */
  readonly passing: boolean;
}

/**
 * Where the log goes. A line never waits: it is kept until the one before is written, and dropped and counted when too
 * much waits. A destination that has no room (a full disk, a pipe that is not read or whose reader is gone) is tried
 * again until it has; then one line tells how many were dropped.
 */
export class LogDestination {
  private lines: string[] = [];
  private held = 0;
  /** What is being written, or is to be tried again. */
  private chunk: Buffer = Buffer.alloc(0);
  private busy = false;
  private retry: NodeJS.Timeout | undefined;
  private reason = 'it was written faster than it is read';
  private unreported = 0;
  private total = 0;
  private count: Note | undefined;
  private waiting: Array<() => void> = [];

  constructor(private readonly sink: LogSink) {}

  /** Lines dropped so far. */
  get dropped(): number {
    return this.total;
  }

  /** Has the metric follow {@link dropped}. */
  meter(count: Note): void {
    this.count = count;
    if (this.total > 0) count(this.total);
  }

  /** @param line with its line end */
  write(line: string): void {
    if (this.held + line.length > MOST_HELD) {
      this.unreported += 1;
      this.total += 1;
      this.count?.(1);
      return;
    }
    this.keep(line);
    if (!this.busy) this.next();
  }

  /** Resolves when everything is written, or when the time is over. */
  async flush(limitMs: number): Promise<void> {
    if (!this.busy) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.waiting.push(resolve)),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs))),
    ]);
    clearTimeout(timer);
  }

  /** The last try, when the process ends and nothing can be waited for: what has room is written, the rest is lost. */
  end(): void {
    clearTimeout(this.retry);
    if (this.sink.passing) return;
    // A chunk that the system has in its hands is not written a second time.
    const first = this.retry === undefined ? Buffer.alloc(0) : this.chunk;
    let left = Buffer.concat([first, Buffer.from(this.lines.join(''))]);
    this.lines = [];
    try {
      while (left.length > 0) {
        const bytes = this.sink.writeNow(left);
        if (bytes === 0) return;
        left = left.subarray(bytes);
      }
    } catch {
      // There is no room, and nowhere to say so.
    }
  }

  private keep(line: string): void {
    this.lines.push(line);
    this.held += line.length;
  }

  private next(): void {
    if (this.chunk.length === 0) this.chunk = this.take();
    this.busy = this.chunk.length > 0;
    if (!this.busy) {
      for (const resolve of this.waiting.splice(0)) resolve();
      return;
    }
    this.sink.write(this.chunk, (error, bytes) => this.written(error, bytes));
  }

  private take(): Buffer {
    let count = 0;
    let size = 0;
    while (count < this.lines.length && size < CHUNK) size += (this.lines[count++] as string).length;
    this.held -= size;
    return Buffer.from(this.lines.splice(0, count).join(''));
  }

  private written(error: NodeJS.ErrnoException | null, bytes: number): void {
    // A line that was written in part is gone on with, so that the next one does not begin inside it.
    this.chunk = this.chunk.subarray(bytes);
    if (bytes > 0 && this.unreported > 0 && this.held <= MOST_HELD / 2) this.tell();
    if (error === null && bytes > 0) return this.next();
    this.reason = error?.code ?? 'EAGAIN';
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.next();
    }, PAUSE_MS).unref();
  }

  private tell(): void {
    const msg = `lines of the log were dropped, there was no room for them (${this.reason}): ${this.unreported}`;
    const line = { level: 'warn', time: new Date().toISOString(), dropped: this.unreported, msg };
    this.unreported = 0;
    this.keep(`${JSON.stringify(line)}\n`);
  }
}

/** A file, a device or a terminal: written by the threads of libuv, as a disk may take its time. */
function fileSink(fd: number): LogSink {
  return {
    passing: false,
    write: (bytes, done) => write(fd, bytes, (error, count) => done(error, count ?? 0)),
    writeNow: (bytes) => writeSync(fd, bytes),
  };
}

/** A pipe or a socket, by the stream that Node has for it: that never closes the descriptor, and does not block. */
function streamSink(stream: NodeJS.WriteStream & { readonly fd: number }): LogSink {
  // Each write tells its own error.
  stream.on('error', () => undefined);
  return {
    get passing() {
      return stream.writableLength > 0;
    },
    write: (bytes, done) =>
      void stream.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length)),
    writeNow: (bytes) => writeSync(stream.fd, bytes),
  };
}

let output: LogDestination | undefined;

/** Standard output, which the log shares with what is printed there. */
export function standardOutput(): LogDestination {
  if (output === undefined) {
    const kind = fstatSync(STANDARD_OUTPUT);
    const piped = kind.isFIFO() || kind.isSocket();
    output = new LogDestination(piped ? streamSink(process.stdout) : fileSink(STANDARD_OUTPUT));
    const destination = output;
    process.once('exit', () => destination.end());
  }
  return output;
}
