import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { hasVendorWord, tryParseUrn } from '../../catalog/urn/index.js';
import { EntityReader, HeadRepository, NeighbourRepository } from '../entities/index.js';
import { LineageService } from './lineage/lineage.service.js';
import {
  MAX_PAGE,
  type EdgeQuery,
  type NeighboursPage,
  type NeighboursQuery,
  type Relationship,
} from './relationship.js';

interface RelationshipPage {
  start: number;
  total: number;
  relationships: Relationship[];
}

/** The neighbours of one entity that are asked for. */
type NeighboursOf = Omit<EdgeQuery, 'urns'> & { urn: string };

/** Neighbours that are looked at together. */
const PORTION = 1_000;

/** The relationships of an entity, in both directions. An unknown entity has none. */
@Injectable()
export class RelationshipsService {
  constructor(
    private readonly repository: NeighbourRepository,
    private readonly heads: HeadRepository,
    private readonly reader: EntityReader,
    private readonly lineage: LineageService,
  ) {}

  /** A page of neighbours as {@link page} answers them, of a column behind those that lineage between columns makes. */
  async pageWithColumns(principal: Principal, query: NeighboursOf): Promise<RelationshipPage> {
    const columns = await this.columns(principal, query);
    if (columns.length === 0) return this.page(principal, query);
    const { start } = query;
    const count = Math.min(query.count, MAX_PAGE);
    const first = columns.slice(start, start + count);
    const rest = { start: Math.max(0, start - columns.length), count: count - first.length };
    const { total, relationships } = await this.page(principal, { ...query, ...rest });
    return { start, total: columns.length + total, relationships: [...first, ...relationships] };
  }

  /** Columns one step away. They are no edges: aspects of datasets and jobs say which columns belong together. */
  private async columns(
    principal: Principal,
    { urn, direction, types }: NeighboursOf,
  ): Promise<Relationship[]> {
    const wanted = types === undefined || types.includes('DownstreamOf');
    if (!wanted || tryParseUrn(urn)?.type !== 'schemaField') return [];
    const up = direction === 'OUTGOING';
    const { nodes } = await this.lineage.walk(principal, urn, up ? 'UPSTREAM' : 'DOWNSTREAM', { hops: 1 });
    return nodes
      .filter((node) => tryParseUrn(node.urn)?.type === 'schemaField')
      .map((node) => ({ type: 'DownstreamOf', entity: node.urn }));
  }

  async page(principal: Principal, query: NeighboursOf): Promise<RelationshipPage> {
    authorize(principal, 'read');
    const urn = toUrn(query.urn, '/urn').text;
    await turn();
    const { start } = query;
    const urns = await this.heads.spellings(urn);
    const asked = { ...query, urns, count: Math.min(query.count, MAX_PAGE) };
    if (!readsInPart(principal)) return { start, ...(await this.repository.page(asked)) };
    const readable = await this.readable(principal, urn, asked, (part) => this.repository.page(part));
    return { start, ...readable };
  }

  /** Neighbours of several entities, a page of each, by one statement. */
  async pages(principal: Principal, query: NeighboursQuery): Promise<Map<string, NeighboursPage>> {
    authorize(principal, 'read');
    await turn();
    const asked = { ...query, count: Math.min(query.count, MAX_PAGE) };
    if (!readsInPart(principal)) return this.stored(asked);
    const pages = new Map<string, NeighboursPage>();
    for (const urn of query.urns) {
      const page = await this.readable(principal, urn, asked, async (part) => {
        const found = await this.stored({ ...asked, ...part, urns: [urn] });
        return found.get(urn) ?? { total: 0, relationships: [] };
      });
      if (page.total > 0) pages.set(urn, page);
    }
    return pages;
  }

  /** What the store has: data types and entity types have the neighbours that they have under any vendor word. */
  private async stored(query: NeighboursQuery): Promise<Map<string, NeighboursPage>> {
    const spelled = query.urns.filter(hasVendorWord);
    if (spelled.length === 0) return this.repository.pages(query);
    const pages = await this.repository.pages({
      ...query,
      urns: query.urns.filter((urn) => !hasVendorWord(urn)),
    });
    for (const urn of spelled) {
      const urns = await this.heads.spellings(urn);
      const page = (await this.repository.pages({ ...query, urns }, urn)).get(urn);
      if (page) pages.set(urn, page);
    }
    return pages;
  }

  /**
   * A page for a caller from whom policies hide entities: all neighbours are looked at, so that the total is that of the readable
   * ones and pages are full.
   */
  private async readable<Q extends Pick<EdgeQuery, 'start' | 'count'>>(
    principal: Principal,
    urn: string,
    query: Q,
    read: (part: Q) => Promise<NeighboursPage>,
  ): Promise<NeighboursPage> {
    const page: NeighboursPage = { total: 0, relationships: [] };
    if (!(await this.reader.tellable(principal, [urn])).has(urn)) return page;
    for (let start = 0; ; start += PORTION) {
      const { relationships } = await read({ ...query, start, count: PORTION });
      const told = await this.reader.tellable(
        principal,
        relationships.map(({ entity }) => entity),
      );
      for (const relationship of relationships) {
        if (!told.has(relationship.entity)) continue;
        page.total += 1;
        if (page.total > query.start && page.relationships.length < query.count)
          page.relationships.push(relationship);
      }
      if (relationships.length < PORTION) return page;
      await turn();
    }
  }
}
