import type { Worker } from 'node:worker_threads';
import { functionThread } from '../catalog/schedule/index.js';
import {
  Checkpoints,
  type CheckpointedFile,
  type FollowedFile,
  type LogState,
} from '../catalog/store/index.js';

/** How long after a commit the thread has a look: many commits are one look. */
const LOOK_AFTER_MS = 25;
/** Pages in the log that are worth a checkpoint; SQLite's own default. */
const ENOUGH_PAGES = 1_000;
/** So many pages to carry over start the thread: others should not wait for that much. */
const MANY_PAGES = 2_000;
/** After so many pages of the log writers wait for the thread, which then reaches its end. */
const LONG_LOG = 6_000;
/** A checkpoint that took so long waited for the disk, and the next one is likely to do so. */
const SLOW_MS = 50;
/** How long the thread stays after the last work that wanted it. */
const LINGER_MS = 5_000;

/**
 * Before this version, two connections that write and checkpoint at the same instant could damage the file.
 * Source: https://www.sqlite.org/wal.html#walresetbug
 */
const SAFE_SINCE = [3, 51, 3];

/** Who has a file in hand. */
const FREE = 0;
const IN_HAND = 1;
const RELEASED = 2;

interface Task extends CheckpointedFile {
  /** One of the above. */
  readonly holder: Int32Array<SharedArrayBuffer>;
  /** Pages of the log, and how many there were when a writer waited last. */
  log: number;
  waitedAt: number;
  /** Writers that wait for the next look of the thread, and those that wait for the present one. */
  waiting: Array<() => void>;
  served: Array<() => void>;
}

interface Message extends Pick<Task, 'file' | 'holder'> {
  /** So many pages are worth a checkpoint. */
  enough: number;
}

/** What the thread says after it had a look at a file. */
interface Answer {
  file: string;
  /** How long it took. */
  ms: number;
  /** Result code of SQLite, of a checkpoint that failed. */
  errcode?: number;
}

/**
 * Makes checkpoints in a thread, while long work asks for it, after large commits, and while the disk is slow. Otherwise the thread
 * does not exist: it costs some megabytes, and on few cores it slows down writers that write as fast as they can. Writers that never pause
 * would keep it from reaching the end of the log, which would grow and grow: they wait while too much of it is left.
 */
export class CheckpointThread extends Checkpoints {
  private readonly tasks = new Set<Task>();
  private readonly changed = new Set<Task>();
  /** What the thread has a look at. */
  private readonly asked = new Set<Task>();
  private wanted = 0;
  private thread: Worker | undefined;
  private look: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;

  constructor(
    private readonly lingerMs = LINGER_MS,
    private readonly version = process.versions.sqlite ?? '',
  ) {
    super();
  }

  follow(file: CheckpointedFile): FollowedFile | undefined {
    if (!isAtLeast(this.version, SAFE_SINCE)) return undefined;
    const holder = new Int32Array(new SharedArrayBuffer(4));
    const task: Task = {
      file: file.file,
      checkpoint: () => file.checkpoint(),
      failed: (error) => file.failed?.(error),
      holder,
      log: 0,
      waitedAt: 0,
      waiting: [],
      served: [],
    };
    this.tasks.add(task);
    return {
      shortEnough: () => this.shortEnough(task),
      written: (log) => this.written(task, log),
      release: () => this.release(task),
    };
  }

  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.wanted += 1;
    clearTimeout(this.end);
    if (!this.thread && this.tasks.size > 0) this.start();
    try {
      return await work();
    } finally {
      this.wanted -= 1;
      this.linger();
    }
  }

  private linger(): void {
    clearTimeout(this.end);
    if (this.wanted > 0) return;
    this.end = setTimeout(() => {
      if (this.look ?? this.asked.size) this.linger();
      else this.stop();
    }, this.lingerMs).unref();
  }

  private shortEnough(task: Task): Promise<void> | undefined {
    // A reader may keep the log from beginning anew, however long a writer waits.
    if (!this.thread || task.log - task.waitedAt < LONG_LOG) return undefined;
    task.waitedAt = task.log;
    this.lookSoon(task);
    return new Promise((resolve) => task.waiting.push(resolve));
  }

  private written(task: Task, { log, checkpointed }: LogState): void {
    task.log = log;
    task.waitedAt = Math.min(task.waitedAt, log);
    const pages = log - checkpointed;
    if (pages >= MANY_PAGES) this.keepThread();
    if (this.thread) this.lookSoon(task);
    else if (pages >= ENOUGH_PAGES) this.checkpoint(task);
  }

  /** On the thread that serves, which is the least work in all while the disk is quick. */
  private checkpoint(task: Task): void {
    const began = performance.now();
    task.checkpoint();
    if (performance.now() - began >= SLOW_MS) this.keepThread();
  }

  /** Starts the thread unless it is there, and keeps it for a while. */
  private keepThread(): void {
    if (!this.thread) this.start();
    this.linger();
  }

  private lookSoon(task: Task): void {
    this.changed.add(task);
    if (this.asked.size === 0) this.look ??= setTimeout(() => this.haveALook(), LOOK_AFTER_MS).unref();
  }

  private haveALook(): void {
    this.look = undefined;
    for (const task of this.changed) {
      this.asked.add(task);
      task.served = task.waiting;
      task.waiting = [];
    }
    this.changed.clear();
    const messages = [...this.asked].map(({ file, holder, served }): Message => {
      return { file, holder, enough: served.length > 0 ? 1 : ENOUGH_PAGES };
    });
    this.thread?.postMessage(messages);
  }

  private looked({ file, ms, errcode }: Answer): void {
    if (ms >= SLOW_MS) this.linger();
    for (const task of this.asked) {
      if (task.file !== file) continue;
      this.asked.delete(task);
      if (errcode !== undefined)
        task.failed?.(Object.assign(new Error(`a checkpoint failed with code ${errcode}`), { errcode }));
      goOn(task.served);
    }
    for (const task of this.changed) this.lookSoon(task);
  }

  private release(task: Task): void {
    while (Atomics.compareExchange(task.holder, 0, FREE, RELEASED) === IN_HAND) {
      // A thread that came to an end in the middle of its work has let go of its files.
      if (Atomics.wait(task.holder, 0, IN_HAND, 5_000) === 'timed-out') break;
    }
    this.tasks.delete(task);
    this.changed.delete(task);
    this.asked.delete(task);
    goOn(task.served);
    goOn(task.waiting);
    if (this.tasks.size === 0) this.stop();
  }

  private start(): void {
    const thread = functionThread(makeCheckpoints, [FREE, IN_HAND], {
      maxOldGenerationSizeMb: 16,
      maxYoungGenerationSizeMb: 1,
    });
    thread.on('message', (answer: Answer) => this.looked(answer));
    thread.on('error', () => {
      if (this.thread === thread) this.stop();
    });
    this.thread = thread;
  }

  private stop(): void {
    clearTimeout(this.end);
    clearTimeout(this.look);
    this.look = undefined;
    this.changed.clear();
    this.asked.clear();
    // It ends by itself when it has nothing in hand.
    this.thread?.postMessage('end');
    this.thread = undefined;
    for (const { served, waiting } of this.tasks) {
      goOn(served);
      goOn(waiting);
    }
  }
}

function goOn(writers: Array<() => void>): void {
  for (const resolve of writers.splice(0)) resolve();
}

/** Runs in the thread: nothing outside of this function is there. */
function makeCheckpoints(free: number, inHand: number): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  parentPort?.on('message', (message: Message[] | 'end') => {
    if (message === 'end') return parentPort.close();
    for (const { file, holder, enough } of message) {
      const began = performance.now();
      const tell = (errcode?: number): void =>
        parentPort.postMessage({
          file,
          ms: performance.now() - began,
          ...(errcode !== undefined && { errcode }),
        } satisfies Answer);
      if (Atomics.compareExchange(holder, 0, free, inHand) !== free) {
        tell();
        continue;
      }
      let failed: number | undefined;
      let database: InstanceType<typeof DatabaseSync> | undefined;
      try {
        database = new DatabaseSync(file);
        const state = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as LogState;
        // Passive: neither writers nor readers wait for it.
        if (state.log - state.checkpointed >= enough) database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      } catch (error) {
        // When another connection holds the whole file at this moment, the next commit comes.
        const { errcode = 0 } = error as { errcode?: number };
        if ((errcode & 0xff) !== 5) failed = errcode;
      } finally {
        database?.close();
        Atomics.store(holder, 0, free);
        Atomics.notify(holder, 0);
        tell(failed);
      }
    }
  });
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const [i, wanted] = [...least.entries()].find(([k, part]) => parts[k] !== part) ?? [0, 0];
  return (parts[i] ?? 0) >= wanted;
}
