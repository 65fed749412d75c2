import { Worker } from 'node:worker_threads';
import { CatalogError } from '../../../../catalog/errors/index.js';
import { threadSource } from '../../../../catalog/schedule/index.js';

/** From the second end in a row on, a thread is started again after pauses that grow up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** A thread that has lived for so long is well: an end after that is the first in a row. */
const WELL_AFTER_MS = 10_000;

export interface ThreadOptions {
  /** For log and health. */
  name: string;
  /** File of the program, without `.js`, beside this module in the build. */
  program: string;
  /** What the program is given; asked for at each start. */
  data: () => unknown;
  /** So much its heap may grow, in MB: one that needs more ends, and the process goes on. */
  heapMb: number;
  /** Another number after each step that it takes. */
  steps: () => number;
  /** It hangs when a caller waits and it neither took a step nor said anything for so long, milliseconds. */
  hangsMs: number;
  message: (message: never) => void;
  /** It has ended without being told to. */
  ended: (reason: string) => void;
}

/**
 * A worker thread that is started when it is needed, and again when it has ended. One that ends again and again is
 * left alone for longer and longer; meanwhile nothing can be sent to it.
 */
export class Thread {
  private worker: Worker | undefined;
  private startedAt = -Infinity;
  /** Ends in a row. */
  private ends = 0;
  private notBefore = -Infinity;
  private reason = '';
  private busy = false;
  /** Messages that have come from it. */
  private heard = 0;
  private watch: NodeJS.Timeout | undefined;
  private readonly source: string;

  constructor(private readonly options: ThreadOptions) {
    this.source = sourceOf(options.program);
  }

  get name(): string {
    return this.options.name;
  }

  /** Sends it a message, and starts it first when it does not run. @throws CatalogError SEARCH_UNAVAILABLE while it is left alone */
  send(message: unknown): void {
    if (!this.worker) this.start();
    this.worker!.postMessage(message);
  }

  /** Sends it a message when it runs. */
  tell(message: unknown): void {
    this.worker?.postMessage(message);
  }

  /** Whether a caller waits for what it does: then the process does not end by itself. */
  set awaited(busy: boolean) {
    if (busy === this.busy) return;
    this.busy = busy;
    if (busy) this.worker?.ref();
    else this.worker?.unref();
    this.watchOver();
  }

  /** Ends it when it hangs: it would keep what it is at, and all behind it, for ever. */
  private watchOver(): void {
    clearTimeout(this.watch);
    if (!this.busy) return;
    const { steps, hangsMs } = this.options;
    const [before, heard] = [steps(), this.heard];
    this.watch = setTimeout(() => {
      if (steps() === before && this.heard === heard) void this.kill();
      else this.watchOver();
    }, hangsMs).unref();
  }

  /**
   * Says when it ends again and again. Starts it when its pause is over.
   * @throws CatalogError SEARCH_UNAVAILABLE
   */
  check(): void {
    if (this.ends < 2 || (this.worker && this.isWell)) return;
    if (!this.worker && performance.now() >= this.notBefore) this.start();
    throw this.refusal();
  }

  /** @throws CatalogError SEARCH_UNAVAILABLE while it is left alone */
  ready(): void {
    if (!this.worker && performance.now() < this.notBefore) throw this.refusal();
  }

  /** Ends it in the middle of whatever it does, as a fault would; it is started again when it is needed. */
  async kill(): Promise<void> {
    await this.worker?.terminate();
  }

  async stop(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    clearTimeout(this.watch);
    await worker?.terminate();
  }

  private get isWell(): boolean {
    return performance.now() - this.startedAt >= WELL_AFTER_MS;
  }

  private start(): void {
    this.ready();
    const { name, data, heapMb } = this.options;
    const worker = new Worker(this.source, {
      name,
      eval: true,
      workerData: data(),
      execArgv: ['--input-type=module'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
    });
    let reason = '';
    worker.on('message', (message: unknown) => {
      this.heard += 1;
      this.options.message(message as never);
    });
    worker.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => {
      if (this.worker === worker) this.ended(reason || `exit code ${code}`);
    });
    this.worker = worker;
    this.startedAt = performance.now();
    if (!this.busy) worker.unref();
  }

  private ended(reason: string): void {
    this.worker = undefined;
    this.reason = reason;
    this.ends = this.isWell ? 1 : this.ends + 1;
    const pause = this.ends < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (this.ends - 2), LONGEST_PAUSE_MS);
    this.notBefore = performance.now() + pause;
    this.options.ended(reason);
  }

  private refusal(): CatalogError {
    const pause = Math.max(0, this.notBefore - performance.now());
    return new CatalogError(
      'SEARCH_UNAVAILABLE',
      `the search index cannot be used now: its thread "${this.name}" has ended ${this.ends} times in a row (${this.reason})`,
      [],
      { retryAfter: Math.max(1, Math.ceil(pause / 1000)) },
    );
  }
}

const sources = new Map<string, string>();

/** Read when the service starts. */
function sourceOf(program: string): string {
  let source = sources.get(program);
  if (source === undefined) {
    source = threadSource(import.meta.url, program);
    sources.set(program, source);
  }
  return source;
}
