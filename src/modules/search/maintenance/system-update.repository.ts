import { Injectable } from '@nestjs/common';
import { readJson } from '../../../catalog/json/index.js';
import { addFacts, Database, lockFact, readFact, writeFact } from '../../../catalog/store/index.js';

/** Name of the fact that holds the last update. */
const FACT = 'system-update';
/** Lines that are kept, so that the fact stays small however large the catalog is. */
const MOST_LINES = 2_000;

export interface SystemUpdateInput {
  /** Build the search index anew. */
  reindex: boolean;
  /** Carry out the steps of the modules. */
  steps: boolean;
}

export interface SystemUpdate {
  /** Counts the updates of this catalog. */
  id: number;
  actor: string;
  input: SystemUpdateInput;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** Name of the index that it builds, once that has begun. */
  build?: string;
  /** Number of the first of `lines`. */
  first: number;
  /** What the update reported. */
  lines: string[];
  /** Why it failed. */
  failed?: string;
}

/** The last system update: one for the whole catalog, whichever process carries it out. */
@Injectable()
export class SystemUpdateRepository {
  constructor(private readonly database: Database) {}

  async find(): Promise<SystemUpdate | undefined> {
    return parsed(await readFact(this.database, FACT));
  }

  /**
   * Puts an update in the place of the one with the id `previous`, 0 for none.
   * @returns undefined when another caller was first
   */
  create(previous: number, actor: string, input: SystemUpdateInput): Promise<SystemUpdate | undefined> {
    return this.replace(previous, { id: previous + 1, actor, input, state: 'waiting', first: 0, lines: [] });
  }

  /** @returns whether this is still the last update */
  async save(update: SystemUpdate): Promise<boolean> {
    const excess = update.lines.length - MOST_LINES;
    if (excess > 0) {
      update.lines.splice(0, excess);
      update.first += excess;
    }
    return (await this.replace(update.id, update)) !== undefined;
  }

  /** Optimistic lock: writes `next` if the stored update has the id `expected`. */
  private replace(expected: number, next: SystemUpdate): Promise<SystemUpdate | undefined> {
    return this.database.transaction(async (tx) => {
      await addFacts(tx, { [FACT]: '' });
      if ((parsed(await lockFact(tx, FACT))?.id ?? 0) !== expected) return undefined;
      await writeFact(tx, FACT, JSON.stringify(next));
      return next;
    });
  }
}

function parsed(value: string | undefined): SystemUpdate | undefined {
  return value ? (readJson(value) as SystemUpdate) : undefined;
}
