import { Injectable } from '@nestjs/common';
import { Actions, serve, type ValuesOf } from '../../../catalog/route/index.js';
import { currentRequest } from '../../../catalog/schedule/index.js';
import { EntityNames } from '../../entities/index.js';
import { ACTION_POINTERS, readSearch } from '../../search/index.js';
import { MAX_PAGE } from '../relationship.js';
import { lineageHits, lineageRelationships } from './lineage-answers.js';
import { LineageScroll } from './lineage-scroll.js';
import { LineageSearch, wantsColumns, type LineageQuery } from './lineage-search.js';
import { getLineage, scrollAcrossLineage, searchAcrossLineage } from './lineage.routes.js';
import { LineageService } from './lineage.service.js';

type Values = ValuesOf<typeof scrollAcrossLineage> | ValuesOf<typeof searchAcrossLineage>;

/** Walks along lineage: two actions of `POST /entities`, and `POST /relationships?action=getLineage`. */
@Injectable()
export class LineageActions extends Actions {
  readonly actions = [
    serve(searchAcrossLineage, async (principal, values) => {
      const { query, start, count } = this.asked(values);
      const found = await this.search.find(principal, query);
      return { from: start, ...lineageHits(found, found.hits.slice(start, start + count), count) };
    }),
    serve(scrollAcrossLineage, async (principal, values) => {
      const { query, count } = this.asked(values);
      const { found, page, next } = await this.scroll.page(principal, query, count, values.scrollId);
      return { ...lineageHits(found, page, count), ...(next !== undefined && { scrollId: next }) };
    }),
    serve(getLineage, async (principal, { urn, direction, start = 0, count = 100, maxHops = 1 }) => {
      const { text } = this.search.start(urn);
      const { nodes, truncated } = await this.lineage.walk(principal, text, direction, {
        hops: maxHops,
        signal: currentRequest()?.signal,
      });
      const page = nodes.slice(start, start + Math.min(count, MAX_PAGE));
      return {
        ...{ start, count: page.length, total: nodes.length },
        relationships: lineageRelationships(page),
        isPartial: truncated,
      };
    }),
  ];

  constructor(
    private readonly search: LineageSearch,
    private readonly scroll: LineageScroll,
    private readonly lineage: LineageService,
    private readonly names: EntityNames,
  ) {
    super();
  }

  private asked(values: Values): { query: LineageQuery; start: number; count: number } {
    const urn = this.search.start(values.urn);
    const { start, count, ...search } = readSearch(values, values.input?.trim() ? values.input : '*');
    const { startTimeMillis: from, endTimeMillis: to } = values;
    const signal = currentRequest()?.signal;
    const query = {
      ...search,
      ...(signal && { signal }),
      urn,
      direction: values.direction,
      hops: values.maxHops,
      span: from === undefined && to === undefined ? undefined : { from, to },
      at: ACTION_POINTERS,
      entities: search.entities.map((name, i) => this.names.entity(name, `/entities/${i}`).name),
      nearestFirst: search.sort.length === 0 && search.input.trim() === '*',
      columns: wantsColumns(values.searchFlags?.groupingSpec?.groupingCriteria),
    };
    return { query, start, count };
  }
}
