import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Database } from '../catalog/store/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';
import type { IndexHolderRow } from './index-holder.row.js';
import { NO_HOLD, ownSearchIndex, type IndexHold } from './open-search-index.js';

/** A process that has not said for this long that it runs has died. */
const LEASE_MS = 20_000;
const LOOK_AGAIN_MS = 500;
/** What is lost here with the power is said again. */
const RELAXED = { survives: 'process' } as const;

/**
 * Says in the database which search index this process follows, for as long as it runs. Processes that share a database
 * share its queues, so with two indices each would get a part of the changes.
 */
export class IndexBinding implements IndexHold {
  private readonly logger = new Logger(IndexBinding.name);
  private readonly process = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private saying: Promise<void> = Promise.resolve();
  private lost: string | undefined;

  private constructor(
    private readonly database: Database,
    private readonly searchIndex: string,
    private readonly leaseMs: number,
  ) {}

  /**
   * Waits for processes that died with another index until that is certain.
   * @throws ConfigurationError when one with another index runs
   */
  static async take(database: Database, searchIndex: string, leaseMs = LEASE_MS): Promise<IndexBinding> {
    const holder = new IndexBinding(database, searchIndex, leaseMs);
    const seen = new Map<string, number>();
    for (;;) {
      const rivals = await holder.say();
      if (rivals.length === 0) break;
      if (seen.size === 0)
        holder.logger.warn(
          `a process on this database had its search index in ${placeOf(rivals[0]!.search_index)}; ` +
            `this start waits up to ${leaseMs / 1000} s until it is certain that it has ended`,
        );
      for (const { process, search_index, lease_until } of rivals) {
        // It has said again that it runs.
        if (Number(lease_until) > (seen.get(process) ?? Infinity)) throw refused(search_index);
        seen.set(process, Number(lease_until));
      }
      await sleep(LOOK_AGAIN_MS);
    }
    holder.timer = setInterval(() => {
      holder.saying = holder.sayAgain();
    }, leaseMs / 4).unref();
    return holder;
  }

  /** Another process may have another index by now, when this one did not run for a while. */
  check(): void {
    if (this.lost !== undefined) throw refused(this.lost);
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.saying;
    await this.database
      .transaction((tx) => tx.run('DELETE FROM index_holder WHERE process = ?', [this.process]), RELAXED)
      // Then it is found dead.
      .catch(() => undefined);
  }

  /** Enters or renews what this process holds, unless others have another index: those are answered. */
  private say(): Promise<IndexHolderRow[]> {
    return this.database.transaction(async (tx) => {
      await tx.all(`SELECT process FROM index_holder WHERE process = '' ${tx.dialect.forUpdate}`);
      const [clock] = await tx.all<{ now: number }>(`SELECT ${tx.dialect.now} AS now`);
      const now = Number(clock!.now);
      const rivals = await tx.all<IndexHolderRow>(
        `SELECT process, search_index, lease_until FROM index_holder
         WHERE process <> '' AND process <> ? AND search_index <> ? AND lease_until > ?`,
        [this.process, this.searchIndex, now],
      );
      if (rivals.length > 0) return rivals;
      await tx.run(`DELETE FROM index_holder WHERE process <> '' AND lease_until <= ?`, [now]);
      await tx.insert<IndexHolderRow>(
        'index_holder',
        ['process', 'search_index', 'lease_until'],
        [[this.process, this.searchIndex, now + this.leaseMs]],
        { key: ['process'], then: 'update', set: ['lease_until'] },
      );
      return [];
    }, RELAXED);
  }

  private async sayAgain(): Promise<void> {
    try {
      const [rival] = await this.say();
      this.lost = rival?.search_index;
      if (this.lost !== undefined) this.logger.error(refused(this.lost).message);
    } catch {
      // The database is unavailable, for the others as well.
    }
  }
}

/**
 * What this configuration holds: the database has one index, and an index on a server has one database. The data folder must
 * exist and belong to this process.
 * @throws ConfigurationError, StartError
 */
export async function holdIndex(configuration: Configuration, database: Database): Promise<IndexHold> {
  const { databaseUrl, searchUrl, searchPrefix, home } = configuration;
  const place = searchUrl === undefined ? `folder ${folderId(home)}` : `server ${searchPrefix}`;
  const binding = databaseUrl === undefined ? NO_HOLD : await IndexBinding.take(database, place);
  if (searchUrl === undefined) return binding;
  try {
    const owner = await ownSearchIndex(searchUrl, searchPrefix, database);
    return {
      check: () => {
        binding.check();
        owner.check();
      },
      release: () => owner.release().finally(() => binding.release()),
    };
  } catch (error) {
    await binding.release();
    throw error;
  }
}

/** A name for the index in a data folder that stays when the folder moves, or the machine is called otherwise. */
function folderId(home: string): string {
  const file = join(home, 'search-index-id');
  try {
    writeFileSync(file, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

function refused(other: string): ConfigurationError {
  return new ConfigurationError([
    `CATALOG_SEARCH_URL: another process that runs on this database has its search index in ${placeOf(other)}, and each would ` +
      'index a part of the changes only. Give all processes on a database the same CATALOG_SEARCH_URL and ' +
      'CATALOG_SEARCH_PREFIX, or stop the other one',
  ]);
}

function placeOf(searchIndex: string): string {
  const [where, name] = searchIndex.split(' ');
  return where === 'server'
    ? `the search server with CATALOG_SEARCH_PREFIX=${name}`
    : 'a data folder of its own';
}
