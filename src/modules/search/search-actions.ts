import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { Compatibility } from '../../catalog/compatibility/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { Actions, inSlice, serve } from '../../catalog/route/index.js';
import { BROWSE_V2_SEPARATOR, DEFAULT_COUNT, MAX_WINDOW, partsOfPath } from '../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { LargePages } from './large-pages.js';
import { autocompleteAnswer, browseAnswer, scrollAnswer, searchAnswer } from './search-answers.js';
import {
  ACTION_POINTERS,
  inWindow,
  readScope,
  readSearch,
  readSlice,
  type ScrollInput,
  type SearchInput,
} from './search-input.js';
import {
  autocomplete,
  browse,
  filter,
  getBrowsePaths,
  list,
  scrollAcrossEntities,
  search,
  searchAcrossEntities,
} from './search.routes.js';
import { SearchService } from './search.service.js';

/** `POST /entities?action=search` and the actions like it. */
@Injectable()
export class SearchActions extends Actions {
  readonly actions = [
    serve(search, (principal, values) => this.page(principal, readSearch(values, values.input))),
    serve(searchAcrossEntities, (principal, values) =>
      this.page(principal, readSearch(values, values.input)),
    ),
    serve(filter, (principal, values) => this.page(principal, readSearch(values, '*'))),
    serve(list, async (principal, values) => {
      const input = readSearch(values, '*');
      const plain = { ...input, flags: { ...input.flags, skipAggregates: true } };
      const { hits, total } = await this.service.search(principal, plain);
      return { entities: hits.map((hit) => hit.urn), start: input.start, count: hits.length, total };
    }),
    serve(scrollAcrossEntities, async (principal, values) => {
      const { start: _, ...input } = readSearch(values, values.input);
      const { scrollId } = values;
      const slice = readSlice(values);
      const scroll: ScrollInput = {
        ...input,
        ...(slice && { slice }),
        ...(scrollId !== undefined && { scrollId }),
      };
      return this.large.answer(input.count, async () => {
        const found = await this.service.scroll(principal, scroll);
        const hits = found.hits.filter(({ urn }) => inSlice(slice, urn));
        return scrollAnswer({ ...found, hits }, input.count, this.rules.searchHitsAsObjects);
      });
    }),
    serve(autocomplete, async (principal, values) => {
      const { query, field } = values;
      const asked = Math.min(values.limit ?? DEFAULT_COUNT, 100);
      const { start, count: limit } = inWindow(values.start ?? 0, asked);
      const input = {
        ...readScope(values, query, true),
        at: { ...ACTION_POINTERS, input: '/query' },
        start,
        limit,
        ...(field !== undefined && { field }),
      };
      return autocompleteAnswer(await this.service.autocomplete(principal, input), query, limit);
    }),
    serve(browse, async (principal, values) => {
      const { path: text = '' } = values;
      const asked = Math.min(values.limit ?? DEFAULT_COUNT, MAX_WINDOW);
      const { start, count } = inWindow(values.start ?? 0, asked);
      const secondForm = text.startsWith(BROWSE_V2_SEPARATOR);
      const path = partsOfPath(text, secondForm ? BROWSE_V2_SEPARATOR : '/');
      const scope = readScope(values, '*', secondForm);
      const input = { ...scope, path, secondForm, start: 0, count: start + count };
      return browseAnswer(
        await this.service.browse(principal, input),
        text,
        start,
        count,
        this.rules.browseCountsGroups,
      );
    }),
    serve(getBrowsePaths, (principal, { urn }) => this.service.browsePaths(principal, toUrn(urn, '/urn'))),
  ];

  private readonly rules: Compatibility;
  private readonly large = new LargePages();

  constructor(
    private readonly service: SearchService,
    @Inject(CATALOG_SETTINGS) settings: Pick<CatalogSettings, 'compatibility'>,
  ) {
    super();
    this.rules = settings.compatibility;
  }

  private page(principal: Principal, input: SearchInput): Promise<object> {
    const { start, count } = input;
    return this.large.answer(count, async () =>
      searchAnswer(await this.service.search(principal, input), start, count, this.rules.searchHitsAsObjects),
    );
  }
}
