import type { Worker } from 'node:worker_threads';
import { functionThread } from '../../../catalog/schedule/index.js';
import type { SqlValue } from '../../../catalog/store/index.js';
import { bindable } from './node-sqlite-driver.js';
import { keptSql } from './statement-cache.js';

/** How long the thread stays after the last statement. */
const LINGER_MS = 60_000;

interface Question {
  readonly id: number;
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** What the thread answers a question with. */
interface Reply {
  readonly id: number;
  readonly rows?: readonly object[];
  readonly error?: string;
}

interface Asked {
  readonly resolve: (rows: readonly object[]) => void;
  readonly reject: (error: Error) => void;
}

/** Carries out long SELECTs in a thread, on a connection of its own. It is there while they come. */
export class ReadingThread {
  private thread: Worker | undefined;
  private readonly asked = new Map<number, Asked>();
  private last = 0;
  private end: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly file: string,
    private readonly prepare: string,
  ) {}

  /** The rows of a SELECT. Bytes in them are handed over, not copied. @throws Error also when the thread ends before */
  async all<R extends object>(sql: string, params: readonly SqlValue[]): Promise<R[]> {
    if (this.closed) throw new Error('the database is closed');
    clearTimeout(this.end);
    const thread = (this.thread ??= this.start());
    const id = (this.last += 1);
    const question: Question = { id, sql: keptSql(sql), params: params.map(bindable) };
    try {
      return await new Promise<R[]>((resolve, reject) => {
        this.asked.set(id, { resolve: (rows) => resolve(rows as R[]), reject });
        thread.postMessage(question);
      });
    } finally {
      this.asked.delete(id);
      if (this.asked.size === 0) this.end = setTimeout(() => void this.stop(), LINGER_MS).unref();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.stop();
  }

  private async stop(): Promise<void> {
    clearTimeout(this.end);
    const { thread } = this;
    this.ended();
    await thread?.terminate();
  }

  private ended(): void {
    this.thread = undefined;
    for (const { reject } of this.asked.values()) reject(new Error('the thread that reads has ended'));
  }

  private start(): Worker {
    const thread = functionThread(answerQuestions, [this.file, this.prepare], {
      maxOldGenerationSizeMb: 64,
      maxYoungGenerationSizeMb: 4,
    });
    thread.on('message', ({ id, rows, error }: Reply) => {
      const asked = this.asked.get(id);
      if (rows === undefined) asked?.reject(new Error(error));
      else asked?.resolve(rows);
    });
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (this.thread === thread) this.ended();
    });
    return thread;
  }
}

/** Runs in the thread: nothing outside of this function is there. */
function answerQuestions(file: string, prepare: string): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(prepare);
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  parentPort?.on('message', ({ id, sql, params }: Question) => {
    try {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      const rows = statement.all(...(params as never[]));
      const bytes = rows.flatMap((row) => Object.values(row).filter((value) => value instanceof Uint8Array));
      parentPort.postMessage(
        { id, rows },
        bytes.map(({ buffer }) => buffer),
      );
    } catch (error) {
      parentPort.postMessage({ id, error: String(error) });
    }
  });
}
