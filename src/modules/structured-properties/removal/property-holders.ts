import { Injectable } from '@nestjs/common';
import { Database, type SqlReader } from '../../../catalog/store/index.js';
import {
  AspectValueRepository,
  EdgeRepository,
  HeadRepository,
  type EdgeSource,
  type EntityValue,
} from '../../entities/index.js';
import type { Edge } from '../../ingest/index.js';
import { VALUES_ASPECT } from '../property-definition.js';

/** The name of the relationship between an entity and the properties it has values of. */
const HOLDS = 'HasStructuredProperty';

/** An entity that has values of a property, and these as stored. */
export interface HeldValues extends EdgeSource {
  value: string;
  version: number;
  systemMetadata: string;
}

/** The values of an entity, as they are stored. */
type StoredValues = Pick<EntityValue, 'id' | 'value'>;
type EdgesOf = (values: StoredValues) => readonly Edge[];

/** Finds who holds values of a property. */
@Injectable()
export class PropertyHolders {
  constructor(
    private readonly database: Database,
    private readonly heads: HeadRepository,
    private readonly values: AspectValueRepository,
    private readonly edges: EdgeRepository,
  ) {}

  /** Entities that have, or had, values of a property, in the order of their numbers. */
  of(property: number, after: number, limit: number): Promise<EdgeSource[]> {
    return this.edges.sources(property, HOLDS, after, limit);
  }

  /** What they hold. */
  async heldBy(holders: readonly EdgeSource[]): Promise<HeldValues[]> {
    const ids = holders.map(({ id }) => id);
    const rows = await this.values.ofIds(ids, VALUES_ASPECT);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return holders.flatMap((holder) => {
      const row = byId.get(holder.id);
      if (row === undefined) return [];
      const { value, version, system_metadata: systemMetadata } = row;
      return [{ ...holder, value, version: Number(version), systemMetadata }];
    });
  }

  /** All values there are, in the order of the entities that have them. */
  all(after: number, limit: number): Promise<EntityValue[]> {
    return this.values.page(VALUES_ASPECT, after, limit);
  }

  /** Those of the entities that lack some of the relationships that their values stand for. */
  async withoutEdges(stored: readonly StoredValues[], edgesOf: EdgesOf): Promise<number[]> {
    return [...(await this.missing(this.database, stored, edgesOf)).keys()];
  }

  /** Adds the relationships that these entities lack; answers the target of each. No other process writes to them meanwhile. */
  async addEdges(ids: readonly number[], edgesOf: EdgesOf): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      await this.heads.lock(tx, ids);
      const missing = await this.missing(tx, await this.values.ofIds(ids, VALUES_ASPECT, tx), edgesOf);
      const edges = [...missing].flatMap(([id, own]) => own.map((edge) => ({ id, ...edge })));
      const targets = await this.heads.byUrn([...new Set(edges.map(({ target }) => target))], tx);
      const numbers = new Map(targets.map(({ id, urn }) => [urn, id]));
      // A property that a value was ever written of has a head.
      const known = edges.flatMap((edge) => {
        const number = numbers.get(edge.target);
        return number === undefined ? [] : [{ ...edge, number }];
      });
      const rows = known.map(({ id, type, number, path }) => ({
        source_id: id,
        type,
        target_id: number,
        aspect: VALUES_ASPECT,
        path,
      }));
      await this.edges.add(tx, rows);
      return known.map(({ target }) => target);
    });
  }

  private async missing(
    reader: SqlReader,
    stored: readonly StoredValues[],
    edgesOf: EdgesOf,
  ): Promise<Map<number, Edge[]>> {
    const ids = stored.map(({ id }) => id);
    const rows = await this.edges.ofAspect(ids, VALUES_ASPECT, reader);
    const there = new Set(rows.map(({ id, type, path, urn }) => `${id}\n${type}\n${path}\n${urn}`));
    const missing = new Map<number, Edge[]>();
    for (const values of stored) {
      const own = edgesOf(values).filter(
        ({ type, path, target }) => !there.has(`${values.id}\n${type}\n${path}\n${target}`),
      );
      if (own.length > 0) missing.set(values.id, own);
    }
    return missing;
  }
}
