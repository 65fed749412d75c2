import type { SchemaData } from '../../../../catalog/search/index.js';
import { unavailable } from '../damage.js';
import type { IndexState } from '../index-files.js';
import { errorOf } from './sent-error.js';
import { EndedAtWork } from './suspect-documents.js';
import { Thread } from './thread.js';
import type { WriterCalls } from './writer-calls.js';
import type { WriterAnswer, WriterCall, WriterData, WriterEvent } from './writer-thread.js';

export interface WriterOptions {
  path: string;
  heapMb: number;
  /** It hangs when it has finished no statement for so long, milliseconds. */
  hangsMs: number;
  /** What an operator has to know. */
  complain: (line: string) => void;
  /** The thread has ended without being told to. */
  ended: (name: string, reason: string) => void;
}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** The thread that writes, as the others see it. */
export class Writer {
  private readonly thread: Thread;
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  /** How many statements the thread has begun. */
  private readonly steps = new Int32Array(new SharedArrayBuffer(4));
  /** What a thread that takes the place of this one has to know. */
  schema: SchemaData | undefined;
  /** Of the file that is searched, as the thread told last. */
  state: IndexState = { made: '', refusal: undefined };

  constructor(private readonly options: WriterOptions) {
    const { path, heapMb, hangsMs } = options;
    this.thread = new Thread({
      name: 'index writer',
      program: 'writer-thread',
      data: (): WriterData => ({ path, schema: this.schema, steps: this.steps }),
      heapMb,
      hangsMs,
      steps: () => Atomics.load(this.steps, 0),
      message: (message: WriterEvent | WriterAnswer) => this.heard(message),
      ended: (reason) => this.ended(reason),
    });
  }

  /**
   * Calls one of the methods of {@link WriterCalls}; calls are carried out as they come.
   * @throws CatalogError SEARCH_UNAVAILABLE when the thread ends meanwhile, or is left alone
   */
  call<M extends keyof WriterCalls>(
    method: M,
    ...args: Parameters<WriterCalls[M]>
  ): ReturnType<WriterCalls[M]> {
    return new Promise((resolve, reject) => {
      const call: WriterCall = { id: (this.calls += 1), method, args };
      this.thread.send(call);
      this.thread.awaited = true;
      this.waiting.set(call.id, { resolve, reject });
    }) as ReturnType<WriterCalls[M]>;
  }

  /** @throws CatalogError SEARCH_UNAVAILABLE when the thread ends again and again */
  check(): void {
    this.thread.check();
  }

  /** See {@link Thread.kill}. */
  kill(): Promise<void> {
    return this.thread.kill();
  }

  async stop(): Promise<void> {
    await this.thread.stop();
    this.refuse('is being closed');
  }

  private heard(message: WriterEvent | WriterAnswer): void {
    if ('state' in message) this.state = message.state;
    else if ('complaint' in message) this.options.complain(message.complaint);
    else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      this.thread.awaited = this.waiting.size > 0;
      if ('error' in message) waiting?.reject(errorOf(message.error));
      else waiting?.resolve(message.answer as never);
    }
  }

  private ended(reason: string): void {
    this.options.ended(this.thread.name, reason);
    // It was at the first of them.
    const [first] = this.waiting;
    if (first) {
      const { code, message } = unavailable('cannot be written to: the thread ended while it wrote this');
      first[1].reject(new EndedAtWork(code, message));
      this.waiting.delete(first[0]);
    }
    this.refuse('cannot be written to: the thread that wrote has ended, and is started again');
  }

  private refuse(how: string): void {
    this.thread.awaited = false;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(unavailable(how));
  }
}
