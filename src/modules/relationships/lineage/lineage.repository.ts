import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../../catalog/store/index.js';
import type { EntityRow } from '../../entities/index.js';

const s = columnsOf<EntityRow>('s');
const t = columnsOf<EntityRow>('t');

/** An edge as it is stored: which mark of the model it comes from says which way data flows. */
interface StoredEdge {
  source: string;
  target: string;
  aspect: string;
  path: string;
}

/** Reads the edges around many entities at once. An edge counts while its source exists. */
@Injectable()
export class LineageRepository {
  constructor(private readonly database: Database) {}

  /** Edges of those types that start (`outgoing`) or end at one of the entities. */
  async edges(urns: readonly string[], types: readonly string[], outgoing: boolean): Promise<StoredEdge[]> {
    if (urns.length === 0 || types.length === 0) return [];
    const ends = this.database.dialect.in(outgoing ? s.urn : t.urn, urns);
    const named = this.database.dialect.in('r.type', types);
    return this.database.all<StoredEdge>(
      `SELECT ${s.urn} AS source, ${t.urn} AS target, r.aspect AS aspect, r.path AS path
       FROM relationship r JOIN entity s ON ${s.id} = r.source_id JOIN entity t ON ${t.id} = r.target_id
       WHERE ${ends.sql} AND ${named.sql} AND ${s.live} = 1 ORDER BY ${s.id}, ${t.id}`,
      [...ends.params, ...named.params],
    );
  }
}
