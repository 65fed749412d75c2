import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { CursorSigner } from '../../paging/index.js';
import { versionsInWalk } from '../../search/index.js';
import { LineageSearch, type LineageFindings, type LineageHit, type LineageQuery } from './lineage-search.js';

/** Some of the hits, and the scroll id of the next page if there is one. */
export interface LineagePage {
  found: LineageFindings;
  page: LineageHit[];
  next: string | undefined;
}

/** Hits along lineage page by page: the walk is made anew for each, and a scroll id holds how many hits were shown. */
@Injectable()
export class LineageScroll {
  constructor(
    private readonly search: LineageSearch,
    private readonly cursors: CursorSigner,
  ) {}

  /** @throws CatalogError as the search does, and PARAMETER_INVALID for a scroll id of another walk, or none */
  async page(
    principal: Principal,
    query: LineageQuery,
    count: number,
    scrollId: string | null | undefined,
  ): Promise<LineagePage> {
    const walk = walkOf(query);
    const start = scrollId ? Number(await this.cursors.verify(walk, scrollId)) : 0;
    const found = await this.search.find(principal, query);
    const page = found.hits.slice(start, start + count);
    const end = start + page.length;
    const more = page.length > 0 && end < found.hits.length;
    return { found, page, next: more ? await this.cursors.sign(walk, String(end)) : undefined };
  }
}

/** What must be the same on all pages of a walk. */
function walkOf(query: LineageQuery): string {
  const { urn, direction, hops, span, passes, entities, input, filter, sort } = query;
  const { includeSoftDeleted, nearestFirst, columns } = query;
  return JSON.stringify([
    ...['lineage', urn.text, direction, hops, span, passes?.asked, entities.toSorted(), input, filter, sort],
    ...[includeSoftDeleted, nearestFirst, columns, ...versionsInWalk(query)],
  ]);
}
