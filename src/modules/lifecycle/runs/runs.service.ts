import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorizeWhole, type Principal } from '../../../catalog/auth/index.js';
import { Model } from '../../../catalog/model/index.js';
import {
  ReadFilters,
  RunRepository,
  type RowRange,
  type RunRow,
  type RunTable,
  type StoredAspect,
} from '../../entities/index.js';

/** The most rows, or runs, of one answer. */
export const MAX_ROWS = 1_000;
const TABLES: readonly RunTable[] = ['aspect', 'timeseries_aspect'];

interface Run {
  runId: string;
  /** Values and events that are left of the run. */
  rows: number;
  /** Of its latest write, epoch milliseconds. */
  timestamp: number;
}

interface RunRowSummary {
  runId: string;
  urn: string;
  aspectName: string;
  timestamp: number;
  /** System metadata as JSON text. */
  metadata: string;
  /** 0 for an event. */
  version: number;
  keyAspect: boolean;
  aspect?: { value: string; contentType: string };
}

interface RunQuery extends RowRange {
  runId: string;
}

/** What runs have written, as far as it still stands. */
@Injectable()
export class RunsService {
  constructor(
    private readonly model: Model,
    private readonly repository: RunRepository,
    private readonly filters: ReadFilters,
  ) {}

  /** One page of the runs, that of the latest write first. */
  async list(principal: Principal, start: number, count: number, includeSoft: boolean): Promise<Run[]> {
    authorizeWhole(principal, 'read');
    const newest = new Map<string, number>();
    for (const table of TABLES) {
      for (const run of await this.repository.runs(table)) {
        newest.set(run.id, Math.max(run.newest, newest.get(run.id) ?? 0));
      }
    }
    const sorted = [...newest].sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1));
    const page: Run[] = [];
    let skipped = 0;
    for (const [runId, timestamp] of sorted) {
      if (page.length === count) break;
      const rows = await this.rows(runId, includeSoft);
      // A run that only soft-deleted entities are left of is not listed.
      if (rows > 0 && skipped++ >= start) page.push({ runId, rows, timestamp });
      await setImmediate();
    }
    return page;
  }

  /** Rows of a run in the order of writing: values first, events after. An unknown run has none. */
  async describe(principal: Principal, query: RunQuery): Promise<RunRowSummary[]> {
    authorizeWhole(principal, 'read');
    const { runId } = query;
    const count = Math.min(query.count, MAX_ROWS);
    const rows = await this.repository.rows('aspect', runId, { ...query, count });
    if (rows.length < count) {
      const values = await this.repository.count('aspect', runId, query.includeSoft);
      const rest = { ...query, start: Math.max(0, query.start - values), count: count - rows.length };
      rows.push(...(await this.repository.rows('timeseries_aspect', runId, rest)));
    }
    const shown = query.includeAspect ? await this.shown(rows) : rows.map(() => undefined);
    return rows.map((row, i) => this.summary(runId, row, shown[i]));
  }

  private async rows(run: string, includeSoft: boolean): Promise<number> {
    let rows = 0;
    for (const table of TABLES) rows += await this.repository.count(table, run, includeSoft);
    return rows;
  }

  private summary(runId: string, row: RunRow, shown: StoredAspect | undefined): RunRowSummary {
    return {
      runId,
      urn: row.urn,
      aspectName: row.aspect,
      timestamp: row.created_at,
      metadata: row.system_metadata,
      version: row.version,
      keyAspect: this.model.entities.get(row.type)?.key.name === row.aspect,
      ...(shown && { aspect: { value: shown.value, contentType: 'application/json' } }),
    };
  }

  /** The values as callers may see them. */
  private async shown(rows: readonly RunRow[]): Promise<Array<StoredAspect | undefined>> {
    const shown: Array<StoredAspect | undefined> = rows.map((row) => ({
      name: row.aspect,
      value: row.value,
      version: row.version,
      systemMetadata: row.system_metadata,
      created: { time: row.created_at, actor: row.created_by },
    }));
    await this.filters.apply(
      shown.flatMap((aspect, i) =>
        aspect ? [{ urn: rows[i]?.urn ?? '', aspect, set: (next) => void (shown[i] = next) }] : [],
      ),
    );
    return shown;
  }
}
