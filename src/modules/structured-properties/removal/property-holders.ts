import { Injectable } from '@nestjs/common';
import {
  AspectValueRepository,
  EdgeRepository,
  type EdgeSource,
  type EntityValue,
} from '../../entities/index.js';
import { VALUES_ASPECT } from '../property-definition.js';

/** The name of the relationship between an entity and the properties it has values of. */
const HOLDS = 'HasStructuredProperty';

/** An entity that has values of a property, and these as stored. */
export interface HeldValues extends EdgeSource {
  value: string;
  version: number;
  systemMetadata: string;
}

/** Finds who holds values of a property. */
@Injectable()
export class PropertyHolders {
  constructor(
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
}
