import { Injectable } from '@nestjs/common';
import { readJson } from '../../catalog/json/index.js';
import { Model } from '../../catalog/model/index.js';
import { Database, type SqlReader } from '../../catalog/store/index.js';
import {
  AspectValueRepository,
  EdgeRepository,
  HeadRepository,
  type EntityValue,
} from '../entities/index.js';
import { edgesOf, type Edge } from './write/edges.js';

const PAGE = 100;

type StoredValue = Pick<EntityValue, 'id' | 'value'>;

/**
 * Backfills relationships of stored values. They are missing where a value was written before the model had the
 * relationship.
 */
@Injectable()
export class EdgeBackfill {
  constructor(
    private readonly model: Model,
    private readonly database: Database,
    private readonly heads: HeadRepository,
    private readonly values: AspectValueRepository,
    private readonly edges: EdgeRepository,
  ) {}

  /** Looks at all values of the aspect. @returns the target of each relationship that was missing */
  async add(aspect: string): Promise<string[]> {
    const targets: string[] = [];
    for (let after = 0; ;) {
      const page = await this.values.page(aspect, after, PAGE);
      const last = page.at(-1);
      if (last === undefined) return targets;
      const suspects = [...(await this.missing(this.database, aspect, page)).keys()];
      if (suspects.length > 0) targets.push(...(await this.addTo(suspects, aspect)));
      after = last.id;
    }
  }

  /** Locks the entities, so that no other process writes to them meanwhile. */
  private addTo(ids: readonly number[], aspect: string): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      await this.heads.lock(tx, ids);
      const missing = await this.missing(tx, aspect, await this.values.ofIds(ids, aspect, tx));
      const edges = [...missing].flatMap(([id, own]) => own.map((edge) => ({ id, ...edge })));
      const targets = await this.heads.byUrn([...new Set(edges.map(({ target }) => target))], tx);
      const numbers = new Map(targets.map(({ id, urn }) => [urn, id]));
      // A target that is not in the store needs no edge: it can never be deleted, so references to it are never looked
      // up.
      const known = edges.flatMap((edge) => {
        const number = numbers.get(edge.target);
        return number === undefined ? [] : [{ ...edge, number }];
      });
      const rows = known.map(({ id, type, number, path }) => ({
        ...{ source_id: id, type, target_id: number, aspect, path },
      }));
      await this.edges.add(tx, rows);
      return known.map(({ target }) => target);
    });
  }

  private async missing(
    reader: SqlReader,
    aspect: string,
    stored: readonly StoredValue[],
  ): Promise<Map<number, Edge[]>> {
    const spec = this.model.aspects.get(aspect);
    const ids = stored.map(({ id }) => id);
    const rows = await this.edges.ofAspect(ids, aspect, reader);
    const there = new Set(rows.map(({ id, type, path, urn }) => `${id}\n${type}\n${path}\n${urn}`));
    const missing = new Map<number, Edge[]>();
    if (spec === undefined) return missing;
    for (const { id, value } of stored) {
      const own = [...edgesOf(spec, readJson(value) as Record<string, unknown>).values()].filter(
        ({ type, path, target }) => !there.has(`${id}\n${type}\n${path}\n${target}`),
      );
      if (own.length > 0) missing.set(id, own);
    }
    return missing;
  }
}
