// The thread that has the file of the index in hand: writes, checkpoints, builds beside it.
import { parentPort, workerData } from 'node:worker_threads';
import { SearchSchema, type SchemaData } from '../../../../catalog/search/index.js';
import { onStatement } from '../index-connection.js';
import type { IndexState } from '../index-files.js';
import { SqliteSearchIndex } from '../sqlite-search-index.js';
import { sentOf, type SentError } from './sent-error.js';
import { WriterCalls } from './writer-calls.js';

export interface WriterData {
  path: string;
  /** Of a thread that takes the place of another one. */
  schema: SchemaData | undefined;
  /** How many statements were begun, for who watches the thread. */
  steps: Int32Array<SharedArrayBuffer>;
}

export interface WriterCall {
  id: number;
  method: keyof WriterCalls;
  args: readonly unknown[];
}

/** Told before the answer to the call that it came of. */
export type WriterEvent = { state: IndexState } | { complaint: string };
export type WriterAnswer = { id: number } & ({ answer: unknown } | { error: SentError });

const port = parentPort!;
const { path, schema, steps } = workerData as WriterData;
onStatement(() => void Atomics.add(steps, 0, 1));
let index: SqliteSearchIndex | undefined;
let calls: WriterCalls | undefined;
let known: IndexState | undefined;

port.on('message', (call: WriterCall) => void answer(call));

async function answer({ id, method, args }: WriterCall): Promise<void> {
  try {
    // When that fails, the next call tries again.
    calls ??= opened();
    const on = calls as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    const result = await on[method]!(...args);
    tellState();
    say({ id, answer: result });
  } catch (error) {
    tellState();
    say({ id, error: sentOf(error) });
  }
}

function opened(): WriterCalls {
  index ??= new SqliteSearchIndex(path, (complaint) => say({ complaint }));
  if (schema) index.goOn(SearchSchema.of(schema));
  return new WriterCalls(index);
}

function tellState(): void {
  const state = index?.state;
  if (!state || (state.made === known?.made && state.refusal === known.refusal)) return;
  known = state;
  say({ state });
}

function say(message: WriterEvent | WriterAnswer): void {
  port.postMessage(message);
}
