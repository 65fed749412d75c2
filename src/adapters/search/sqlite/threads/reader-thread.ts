// A thread that searches: one search after the other, each to its end, on a connection of its own.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { SearchSchema, type SchemaData } from '../../../../catalog/search/index.js';
import { asUnavailable, isDamage } from '../damage.js';
import { IndexFile } from '../index-file.js';
import { openedOf, type Opened } from '../opened.js';
import { answerTo, type Asked, type Question } from '../questions.js';
import { msOfPreparing, prepared } from '../steps.js';
import { sentOf, type SentError } from './sent-error.js';

export interface ReaderData {
  path: string;
  schema: SchemaData;
  /** For each slot, whether the search in it is to end: its caller has gone. Behind them, how many steps were taken. */
  ends: Int32Array<SharedArrayBuffer>;
  /** Whether others go first where there are not enough cores for all. */
  nice: boolean;
}

export interface ReaderCall {
  id: number;
  /** Which of `ends` is about it. */
  slot: number;
  question: Question;
  request: Asked<Question>;
  /** The content that is to be searched, see `IndexFile.made`. */
  made: string;
  /** So much work may be done for it; in a thread that is still cold, see {@link COLD_CALLS}, up to `coldMs`. */
  limitMs: number;
  coldMs: number;
}

/**
 * - `answer`: as JSON, which costs less to read than what is cloned
 * - `late`: its work took longer than it may; `ended`: its caller has gone; `replaced`: that content is gone
 * - `damage`: what was found in the file
 */
export type Outcome =
  | { is: 'answer'; json: string }
  | { is: 'late' | 'ended' | 'replaced' }
  | { is: 'damage'; reason: string }
  | { is: 'error'; error: SentError };

/** @param ms of work, what later searches use as well not counted */
export type ReaderAnswer = { id: number; ms: number; outcome: Outcome };

/** So many first searches of a thread take several times what they take when their code has been compiled. */
const COLD_CALLS = 20;

/** As of `nice`: a thread with it gets a tenth of a core that others want. */
const NICE = 10;

const port = parentPort!;
const { path, schema: data, ends, nice } = workerData as ReaderData;
const schema = SearchSchema.of(data);
if (nice) stepBack();

const LATE = new Error('it takes longer than it may');
const ENDED = new Error('the caller has gone');

let opened: Opened | undefined;
let calls = 0;

port.on('message', (call: ReaderCall | 'close') => {
  if (call === 'close') close();
  else port.postMessage(answer(call));
});

function answer({ id, slot, question, request, made, limitMs, coldMs }: ReaderCall): ReaderAnswer {
  calls += 1;
  const mostMs = calls > COLD_CALLS ? limitMs : coldMs;
  const start = performance.now() - msOfPreparing();
  const spent = (): number => performance.now() - msOfPreparing() - start;
  const checkPoint = (): void => {
    Atomics.add(ends, ends.length - 1, 1);
    if (Atomics.load(ends, slot) !== 0) throw ENDED;
    if (spent() > mostMs) throw LATE;
  };
  const outcome = outcomeOf(() => {
    checkPoint();
    const index = prepared(() => openFor(made));
    if (!index) return { is: 'replaced' };
    return { is: 'answer', json: answerTo(index, question, request, checkPoint) };
  });
  return { id, ms: spent(), outcome };
}

function outcomeOf(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (error === LATE) return { is: 'late' };
    if (error === ENDED) return { is: 'ended' };
    if (isDamage(error)) return { is: 'damage', reason: (error as Error).message };
    return { is: 'error', error: sentOf(asUnavailable(error)) };
  }
}

/** The file with that content; undefined when another one is in its place. */
function openFor(made: string): Opened | undefined {
  if (opened?.made === made) return opened;
  close();
  const file = new IndexFile(path, { readOnly: true });
  try {
    opened = openedOf(schema, file);
  } catch (error) {
    file.close();
    // Just made, and without its tables yet.
    if (isDamage(error)) throw error;
    return undefined;
  }
  return opened.made === made ? opened : undefined;
}

/** On Linux that is about this thread alone; elsewhere it would be about the process. */
function stepBack(): void {
  if (process.platform === 'linux') setPriority(NICE);
}

function close(): void {
  opened?.file.close();
  opened = undefined;
}
