import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { NO_FILTER, type SearchFilter, type SortKey } from '../../../catalog/search/index.js';
import type { EntitySpec } from '../../../catalog/model/index.js';
import { inSlice, type PageInput } from '../../../catalog/route/index.js';
import { ChangeFeed, writeCursor } from '../../change-log/index.js';
import { DEFAULT_FLAGS, SEARCH_INDEX_CONSUMER, SearchService } from '../../search/index.js';
import { ok, type ListAnswer } from '../answers/answer.js';
import type { EntityForm } from '../answers/entity-form.js';
import { listText, textInParts } from '../../../routing/text-in-parts.js';
import { EntityNames } from '../../entities/index.js';
import type { ListInput, ScrollInput } from '../request/list-parameters.js';
import { EntityReadService } from './entity-read.service.js';

/** A walk over entities of several kinds. */
interface WalkInput extends PageInput {
  entities: readonly EntitySpec[];
  query: string;
  filter: SearchFilter;
  sort: readonly SortKey[];
  /** Names of aspects; undefined: all of them; `urn`: none, only the URNs. */
  aspects: readonly string[] | undefined | 'urn';
  systemMetadata: boolean;
  facets: boolean;
}

/**
 * Lists entities page by page. What is listed, and in which order, comes from the search index; what is shown, from
 * the store. Each entity that is not changed meanwhile comes exactly once, however long the walk.
 */
@Injectable()
export class EntityListService {
  constructor(
    private readonly names: EntityNames,
    private readonly search: SearchService,
    private readonly reading: EntityReadService,
    private readonly feed: ChangeFeed,
  ) {}

  /** The entities of one kind. */
  list(principal: Principal, form: EntityForm, entityName: string, input: ListInput): Promise<ListAnswer> {
    const entity = this.names.entity(entityName);
    const aspects = this.versioned(entity, input.aspects);
    return this.walk(principal, form, {
      ...input,
      entities: [entity],
      aspects,
      filter: NO_FILTER,
      facets: false,
    });
  }

  /** Entities of several kinds. */
  async scroll(principal: Principal, form: EntityForm, input: ScrollInput): Promise<ListAnswer> {
    const entities =
      input.entities.length > 0
        ? input.entities.map((name, i) => this.names.entity(name, `/entities/${i}`))
        : this.names.common();
    const aspects = input.aspects === 'urn' ? input.aspects : this.ofAny(entities, input.aspects);
    // Before the first page is searched: a change that it does not show comes after the cursor.
    const cursor = input.scrollId === undefined && (await this.feed.behind(SEARCH_INDEX_CONSUMER));
    const answer = await this.walk(principal, form, { ...input, entities: [...new Set(entities)], aspects });
    return cursor ? { ...answer, headers: { 'x-feed-cursor': writeCursor(cursor) } } : answer;
  }

  async walk(principal: Principal, form: EntityForm, input: WalkInput): Promise<ListAnswer> {
    const { entities, query, filter, sort, aspects, systemMetadata } = input;
    const names = entities.map((entity) => entity.name);
    const { includeSoftDelete, slice, scrollId } = input;
    const found = await this.search.scroll(principal, {
      entities: names,
      entitiesPointer: '/entity',
      input: query,
      queryPointer: '/query',
      filter,
      includeSoftDeleted: includeSoftDelete,
      sort,
      knownSortOnly: true,
      count: input.count,
      flags: { ...DEFAULT_FLAGS, skipHighlighting: true, skipAggregates: !input.facets },
      ...(slice && { slice }),
      ...(scrollId !== undefined && { scrollId }),
    });
    const urns = found.hits.map((hit) => hit.urn).filter((urn) => inSlice(slice, urn));
    const portions =
      aspects === 'urn'
        ? onlyUrns(form, urns)
        : this.reading.texts(principal, form, urns, { aspects, systemMetadata });
    const next = input.count > 0 ? found.next : undefined;
    const [before, after] = form.page({
      total: found.total,
      ...(next !== undefined && { scrollId: next }),
      facets: found.facets.map(({ name, values }) => ({
        field: name,
        aggregations: Object.fromEntries(values.map(({ value, count }) => [value, count])),
      })),
    });
    return ok(await textInParts(listText(before, portions, after)));
  }

  /** Names of versioned aspects, canonical; undefined when none are named. */
  versioned(entity: EntitySpec, given: readonly string[], pointer = '/aspects'): string[] | undefined {
    const names = this.names.aspectsToRead(entity, given, pointer);
    const events = names?.find((name) => entity.aspects.get(name)?.kind === 'timeseries');
    if (events === undefined) return names;
    const message = `"${events}" is a time-series aspect: read its events with GET /openapi/v2/timeseries/${entity.name}/${events}`;
    throw refuse('ASPECT_KIND_WRONG', message, pointer);
  }

  /** Names of aspects that at least one of the entities has. */
  private ofAny(entities: readonly EntitySpec[], given: readonly string[]): string[] | undefined {
    if (given.length === 0) return undefined;
    return given.flatMap((name, i) => {
      const owner = entities.find((entity) => this.names.has(entity, name));
      return this.versioned(owner ?? entities[0]!, [name], `/aspects/${i}`) ?? [];
    });
  }
}

async function* onlyUrns(form: EntityForm, urns: readonly string[]): AsyncGenerator<string[]> {
  yield urns.map((urn) => form.entity(urn, []));
}
