import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { inSlice, type PageInput } from '../../catalog/route/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { hasVendorWord } from '../../catalog/urn/index.js';
import {
  type EdgePlace,
  type EdgeTest,
  type EdgeWalk,
  EdgeWalkRepository,
  EntityReader,
  HeadRepository,
  type WalkedEdge,
} from '../entities/index.js';
import { CursorSigner } from '../paging/index.js';
import type { LineageDirection } from './relationship.js';
import { RelationshipNames } from './relationship-names.js';

/** Edges that are read together at the most. */
const PORTION = 1_000;

const URN_COLUMNS: ReadonlySet<EdgeTest['column']> = new Set<EdgeTest['column']>([
  'source.urn',
  'target.urn',
]);

export interface EdgePage {
  /** The cursor of the next page; null on the last page. */
  scrollId: string | null;
  edges: WalkedEdge[];
  /** Whether policies hide edges of it from the caller. */
  isPartial: boolean;
}

/** Walks over relationships page by page: each edge that is not changed meanwhile exactly once. */
@Injectable()
export class EdgeWalkService {
  constructor(
    private readonly repository: EdgeWalkRepository,
    private readonly cursors: CursorSigner,
    private readonly names: RelationshipNames,
    private readonly reader: EntityReader,
    private readonly heads: HeadRepository,
  ) {}

  async walk(
    principal: Principal,
    any: ReadonlyArray<readonly EdgeTest[]>,
    page: PageInput,
  ): Promise<EdgePage> {
    authorize(principal, 'read');
    const { count, includeSoftDelete, scrollId, slice } = page;
    const list = JSON.stringify(['edges', any, includeSoftDelete, ...(slice ? [slice] : [])]);
    const place = scrollId === undefined ? undefined : await this.cursors.verify(list, scrollId);
    const after = place === undefined ? undefined : (readJson(place) as EdgePlace);
    const asked = {
      any: await this.underAnyVendorWord(any),
      includeRemoved: includeSoftDelete,
      limit: count + 1,
      after,
    };
    const { edges, isPartial } = await this.readable(principal, asked);
    const shown = edges.slice(0, count);
    const last = edges.length > count ? shown.at(-1) : undefined;
    return {
      scrollId: last === undefined ? null : await this.cursors.sign(list, JSON.stringify(last.place)),
      edges: shown.filter(({ source }) => inSlice(slice, source.urn)),
      isPartial,
    };
  }

  /** Data types and entity types are meant under each of their URNs. */
  private underAnyVendorWord(any: ReadonlyArray<readonly EdgeTest[]>): Promise<EdgeTest[][]> {
    const spelled = async (test: EdgeTest): Promise<EdgeTest> => {
      if (!URN_COLUMNS.has(test.column) || !test.values.some(hasVendorWord)) return test;
      const urns = await Promise.all(test.values.map((urn) => this.heads.spellings(urn)));
      return { ...test, values: urns.flat() };
    };
    return Promise.all(any.map((tests) => Promise.all(tests.map(spelled))));
  }

  /** Edges of which the caller may read both ends, as many as were asked for, if there are, read some at a time. */
  private async readable(
    principal: Principal,
    asked: EdgeWalk,
  ): Promise<Pick<EdgePage, 'edges' | 'isPartial'>> {
    const edges: WalkedEdge[] = [];
    let [isPartial, hasHiddenAfter] = [false, false];
    let { after } = asked;
    const inPart = readsInPart(principal);
    for (;;) {
      await turn();
      const limit = inPart ? PORTION : Math.min(PORTION, asked.limit - edges.length);
      const page = await this.repository.page({ ...asked, after, limit });
      const ends = page.flatMap(({ source, target }) => [source.urn, target.urn]);
      const told = inPart ? await this.reader.tellable(principal, ends) : new Set(ends);
      for (const edge of page) {
        // What is hidden behind the last edge of a page belongs to the next one, if there is one.
        if (edges.length === asked.limit) break;
        if (told.has(edge.source.urn) && told.has(edge.target.urn)) edges.push(edge);
        else if (edges.length < asked.limit - 1) isPartial = true;
        else hasHiddenAfter = true;
      }
      after = page.at(-1)?.place;
      if (edges.length >= asked.limit) return { edges, isPartial };
      if (page.length < limit) return { edges, isPartial: isPartial || hasHiddenAfter };
    }
  }

  /**
   * Lineage edges that lead to what is upstream (or downstream) of some entities; of all when none are named. Without a
   * direction, those at which the entities stand at either end.
   * @param types names of relationships; none: all that make lineage.
   */
  async lineageOf(
    principal: Principal,
    urns: readonly string[],
    types: readonly string[],
    direction: LineageDirection | undefined,
    page: PageInput,
  ): Promise<EdgePage> {
    const names = [...this.names.lineage.keys()].filter((name) => types.length === 0 || types.includes(name));
    const upwards = names.filter((name) => this.names.lineage.get(name));
    const downwards = names.filter((name) => !this.names.lineage.get(name));
    if (urns.length === 0) return this.walk(principal, [[{ column: 'type', values: names }]], page);
    // Of an edge whose target is upstream, the source is the one that has it upstream.
    const [held, referred] =
      direction === undefined
        ? [names, names]
        : direction === 'UPSTREAM'
          ? [upwards, downwards]
          : [downwards, upwards];
    return this.walk(
      principal,
      [
        [
          { column: 'source.urn', values: urns },
          { column: 'type', values: held },
        ],
        [
          { column: 'target.urn', values: urns },
          { column: 'type', values: referred },
        ],
      ],
      page,
    );
  }
}
