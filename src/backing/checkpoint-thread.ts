import type { Worker } from 'node:worker_threads';
import { functionThread } from '../catalog/schedule/index.js';
import { Checkpoints, type CheckpointedFile, type FollowedFile } from '../catalog/store/index.js';

/** How long after a commit the thread has a look: many commits are one look. */
const LOOK_AFTER_MS = 25;
/** Pages in the log that are worth a checkpoint; SQLite's own default. */
const ENOUGH_PAGES = 1_000;
/**
 * While the thread runs, the connection that writes makes a checkpoint itself from this size of the log on. Writers
 * that never pause would keep the thread from reaching the end of the log; what is left for them then is little.
 */
const AT_LAST_PAGES = 4_000;
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
}

/** What the thread says of a checkpoint that failed. */
interface Failure {
  file: string;
  /** Result code of SQLite. */
  errcode: number;
}

/**
 * Makes checkpoints in a thread, while long work asks for it. Otherwise the thread does not exist: it costs some
 * megabytes, and on few cores it slows down writers that write as fast as they can.
 */
export class CheckpointThread extends Checkpoints {
  private readonly tasks = new Set<Task>();
  private readonly changed = new Set<Task>();
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
      checkpointAt: (pages) => file.checkpointAt(pages),
      failed: (error) => file.failed?.(error),
      holder,
    };
    this.tasks.add(task);
    if (this.thread) task.checkpointAt(AT_LAST_PAGES);
    return { written: () => this.written(task), release: () => this.release(task) };
  }

  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.wanted += 1;
    clearTimeout(this.end);
    if (!this.thread && this.tasks.size > 0) this.start();
    try {
      return await work();
    } finally {
      this.wanted -= 1;
      if (this.wanted === 0) this.end = setTimeout(() => this.stop(), this.lingerMs).unref();
    }
  }

  private written(task: Task): void {
    if (!this.thread) return;
    this.changed.add(task);
    this.look ??= setTimeout(() => {
      this.look = undefined;
      this.thread?.postMessage([...this.changed].map(({ file, holder }) => ({ file, holder })));
      this.changed.clear();
    }, LOOK_AFTER_MS).unref();
  }

  private release(task: Task): void {
    while (Atomics.compareExchange(task.holder, 0, FREE, RELEASED) === IN_HAND) {
      // A thread that came to an end in the middle of its work has let go of its files.
      if (Atomics.wait(task.holder, 0, IN_HAND, 5_000) === 'timed-out') break;
    }
    this.tasks.delete(task);
    this.changed.delete(task);
    if (this.tasks.size === 0) this.stop();
  }

  private start(): void {
    const thread = functionThread(makeCheckpoints, [FREE, IN_HAND, ENOUGH_PAGES], {
      maxOldGenerationSizeMb: 16,
      maxYoungGenerationSizeMb: 1,
    });
    thread.on('message', ({ file, errcode }: Failure) => {
      const error = Object.assign(new Error(`a checkpoint failed with code ${errcode}`), { errcode });
      for (const task of this.tasks) if (task.file === file) task.failed?.(error);
    });
    thread.on('error', () => {
      if (this.thread === thread) this.stop();
    });
    this.thread = thread;
    for (const task of this.tasks) task.checkpointAt(AT_LAST_PAGES);
  }

  private stop(): void {
    clearTimeout(this.end);
    clearTimeout(this.look);
    this.look = undefined;
    this.changed.clear();
    // It ends by itself when it has nothing in hand.
    this.thread?.postMessage('end');
    this.thread = undefined;
    for (const task of this.tasks) task.checkpointAt(ENOUGH_PAGES);
  }
}

/** Runs in the thread: nothing outside of this function is there. */
function makeCheckpoints(free: number, inHand: number, enough: number): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  type State = { log: number; checkpointed: number };
  parentPort?.on('message', (message: Array<Pick<Task, 'file' | 'holder'>> | 'end') => {
    if (message === 'end') return parentPort.close();
    for (const { file, holder } of message) {
      if (Atomics.compareExchange(holder, 0, free, inHand) !== free) continue;
      let database: InstanceType<typeof DatabaseSync> | undefined;
      try {
        database = new DatabaseSync(file);
        const state = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as State;
        // Passive: neither writers nor readers wait for it.
        if (state.log - state.checkpointed >= enough) database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      } catch (error) {
        // When another connection holds the whole file at this moment, the next commit comes.
        const { errcode = 0 } = error as { errcode?: number };
        if ((errcode & 0xff) !== 5) parentPort.postMessage({ file, errcode });
      } finally {
        database?.close();
        Atomics.store(holder, 0, free);
        Atomics.notify(holder, 0);
      }
    }
  });
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const [i, wanted] = [...least.entries()].find(([k, part]) => parts[k] !== part) ?? [0, 0];
  return (parts[i] ?? 0) >= wanted;
}
