import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useCallback } from 'react';
import { afterPaint } from './after-paint.js';
import { ask, SERVICE } from './api.js';
import { belowPath, readPath } from './browse/place.js';
import { EntityAnchor } from './entity/anchor.js';
import { Named, useNames } from './entity/names.js';
import { Facets, type Facet, type Filters } from './facets.js';
import { FacetsDocument, SearchDocument, type SearchQuery } from './generated.js';
import { EntityIcon } from './icons.js';
import { MarkedText } from './marked-text.js';
import { isMisspelt, Problem } from './problem.js';
import { quoted, SameAs } from './same-as.js';
import { Title } from './title.js';
import { inWords, kindOf, lastOf, numbers, placeOf, wordsOf } from './words.js';

/** A search as the address has it. */
export interface SearchPlace {
  q?: string | undefined;
  filters?: Filters | undefined;
  /** Whether removed entities are found too. */
  removed?: boolean | undefined;
  /** What it lies in, from the top: a part of a browse path. */
  path?: string[] | undefined;
  /** From 1 on. */
  page?: number | undefined;
}

const PAGE = 20;
/** The service finds no more by position. */
const REACH = 10_000;

type Found = NonNullable<SearchQuery['searchAcrossEntities']>;
type Hit = Found['searchResults'][number];

/** Reads the address; what it does not understand it leaves out. */
export function readSearch(given: Record<string, unknown>): SearchPlace {
  const { q, filters, page, removed } = given;
  const path = readPath(given['path']);
  const read: SearchPlace = path ? { path } : {};
  // The address of a number is read as one.
  if (typeof q === 'string' || typeof q === 'number') read.q = String(q);
  if (removed === true) read.removed = true;
  if (typeof page === 'number' && page > 1 && page <= REACH / PAGE) read.page = Math.floor(page);
  if (typeof filters === 'object' && filters !== null) {
    const lists = Object.entries(filters).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].length > 0 && entry[1].every((one) => typeof one === 'string'),
    );
    if (lists.length > 0) read.filters = Object.fromEntries(lists);
  }
  return read;
}

/** What a place asks for, without its page. */
function scopeOf({ q, filters = {}, path, removed }: SearchPlace) {
  const and = Object.entries(filters).map(([field, values]) => ({ field, values }));
  return {
    query: q?.trim() || '*',
    orFilters: path ? belowPath(path, and) : [{ and }],
    searchFlags: { includeSoftDeleted: removed === true },
  };
}

function pageOf(place: SearchPlace) {
  const { searchFlags, ...scope } = scopeOf(place);
  const start = ((place.page ?? 1) - 1) * PAGE;
  return {
    ...scope,
    start,
    count: PAGE,
    searchFlags: {
      ...searchFlags,
      fetchExtraFields: ['removed'],
      // Nothing is marked where no words are looked for.
      skipHighlighting: scope.query === '*',
    },
  };
}

/** The hits of a page. Counting takes longer than finding, so they come without facets. */
export function searchQuery(place: SearchPlace) {
  const { searchFlags, ...page } = pageOf(place);
  const input = { ...page, searchFlags: { ...searchFlags, skipAggregates: true } };
  return queryOptions({
    queryKey: ['search', input],
    queryFn: async ({ signal }) => {
      const { searchAcrossEntities: found } = await ask(SearchDocument, { input }, { signal });
      // What was asked goes with the answer: it is shown until the next one is there.
      return { found, q: place.q, words: wordsOf(input.query) };
    },
  });
}

/** The counts; the same for all pages. */
function facetsQuery(place: SearchPlace) {
  const { searchFlags, ...scope } = scopeOf(place);
  const input = { ...scope, searchFlags: { ...searchFlags, includeStructuredPropertyFacets: true } };
  return queryOptions({
    queryKey: ['facets', input],
    queryFn: async ({ signal }) => {
      // The hits are painted first: counting takes the service, and the page, as long as finding.
      await afterPaint();
      return ask(FacetsDocument, { input }, { signal });
    },
  });
}

const NO_FILTERS: Filters = {};
const NO_FACETS: readonly Facet[] = [];
const WIDE = matchMedia('(min-width: 48rem)');

export function SearchPage() {
  const place = useSearch({ from: '/' });
  const { q, filters = NO_FILTERS, path, page = 1, removed } = place;
  const navigate = useNavigate({ from: '/' });
  const { data, error, isPlaceholderData, isPending, refetch } = useQuery({
    ...searchQuery(place),
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({
    ...facetsQuery(place),
    placeholderData: keepPreviousData,
    enabled: data !== undefined && !isPlaceholderData,
  });
  const query = q?.trim() || '*';
  const { searchFlags, ...shown } = pageOf(place);
  const input = { ...shown, searchFlags: { ...searchFlags, includeStructuredPropertyFacets: true } };
  const found = data?.found;
  const choose = useCallback(
    (next: Filters) => {
      // Another choice begins with its first page.
      const chosen = Object.keys(next).length > 0 ? next : undefined;
      void navigate({
        to: '/',
        search: (old) => ({ ...old, page: undefined, filters: chosen }),
        resetScroll: false,
      });
    },
    [navigate],
  );
  return (
    <>
      <Title text={q ? `${q} · Catalog` : 'Catalog'} />
      <div className="search" aria-busy={isPending || isPlaceholderData}>
        <Facets
          facets={counts.data?.aggregateAcrossEntities?.facets ?? NO_FACETS}
          busy={counts.data === undefined ? !counts.isError : counts.isPlaceholderData}
          filters={filters}
          open={WIDE.matches}
          onFilters={choose}
        >
          <label className="check">
            <input
              type="checkbox"
              checked={removed === true}
              onChange={({ target: { checked } }) =>
                void navigate({
                  to: '/',
                  search: (old) => ({ ...old, page: undefined, removed: checked || undefined }),
                  resetScroll: false,
                })
              }
            />
            Removed entities too
          </label>
        </Facets>
        <section aria-label="Results" className="results">
          <h1>
            <span role="status">
              {found ? totalText(found.total, data?.q) : error ? 'Not searched' : 'Searching…'}
            </span>
          </h1>
          {found && query === '*' && !path && Object.keys(filters).length === 0 && (
            <p className="quiet">
              Types that are rarely looked for, such as policies and platforms, are left out: the{' '}
              <a href={SERVICE.href}>first page</a> counts all.
            </p>
          )}
          {path && (
            <Named value={path}>
              <Within path={path} />
            </Named>
          )}
          {error &&
            (isMisspelt(error) ? (
              <>
                <Problem error={error} />
                <p>
                  Correct the query above, or{' '}
                  <Link to="/" search={(old) => ({ ...old, q: undefined, page: undefined })}>
                    search without it
                  </Link>
                </p>
              </>
            ) : (
              <Problem error={error} retry={refetch} />
            ))}
          {counts.error && <Problem error={counts.error} retry={counts.refetch} />}
          {found?.total === 0 && (
            <p>
              Nothing has all of these words{Object.keys(filters).length > 0 && ' and filters'}.{' '}
              <Link to="/">Show everything</Link>
            </p>
          )}
          <Hits hits={found?.searchResults ?? NO_HITS} words={data?.words ?? NO_WORDS} />
          {found && <Pages page={page} total={found.total} />}
          <SameAs
            document={SearchDocument}
            variables={{ input }}
            command={commandOf(query, filters, path, page)}
          />
        </section>
      </div>
    </>
  );
}

/** The command that finds the same, where there is one: it knows one value of a field, and no second page. */
function commandOf(query: string, filters: Filters, path: unknown, page: number): string | undefined {
  const all = Object.entries(filters);
  if (path !== undefined || page > 1 || all.some(([, values]) => values.length > 1)) return undefined;
  const words = all.map(([field, [value]]) => `--filter ${quoted(`${field}=${value}`)}`);
  return ['search', quoted(query), ...words, `--count ${PAGE}`].join(' ');
}

/** Says what the search is limited to, and lifts it. */
function Within({ path }: { path: string[] }) {
  const nameOf = useNames();
  const names = path.map((part) => (part.startsWith('urn:li:') ? nameOf(part) : part));
  return (
    <p>
      In {names.join(' / ')}{' '}
      <Link to="/" search={(old) => ({ ...old, path: undefined, page: undefined })}>
        Search everywhere
      </Link>
    </p>
  );
}

function totalText(total: number, q: string | undefined): string {
  const what = total === 1 ? 'entity' : 'entities';
  return `${numbers.format(total)} ${what}${q ? ` for “${q}”` : ''}`;
}

/** The description of a hit, whatever its type calls it. */
function textOf(entity: Hit['entity']): string | undefined {
  for (const value of Object.values(entity)) {
    if (typeof value === 'object' && value !== null && 'description' in value && value.description)
      return value.description;
  }
  return undefined;
}

const NO_HITS: readonly Hit[] = [];
const NO_WORDS: readonly string[] = [];

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly words: readonly string[];
}

/** Drawn again only when other hits are there: the page around it says in between that it waits. */
const Hits = memo(function Hits({ hits, words }: HitsProps) {
  return (
    <ol className="hits">
      {hits.map((hit) => (
        <li key={hit.entity.urn}>
          <HitView hit={hit} words={words} />
        </li>
      ))}
    </ol>
  );
});

function HitView({ hit, words }: { hit: Hit; words: readonly string[] }) {
  const { entity, matchedFields, extraProperties } = hit;
  const { urn, displayName } = entity;
  const text = textOf(entity);
  const others = matchedFields.filter(
    ({ name, value }) => !/^(name|id|urn|displayName|qualifiedName|description)$/.test(name) && value !== '',
  );
  return (
    <article className="hit">
      <h2>
        <EntityIcon urn={urn} />
        <EntityAnchor urn={urn} early>
          <MarkedText text={displayName ?? lastOf(urn)} words={words} />
        </EntityAnchor>
        {extraProperties?.some(({ name, value }) => name === 'removed' && value === 'true') && (
          <span className="badge removed">removed</span>
        )}
      </h2>
      <p className="quiet">{[kindOf(urn), ...placeOf(urn, displayName)].join(' · ')}</p>
      {text && (
        <p className="text">
          <MarkedText text={text} words={words} />
        </p>
      )}
      {words.length > 0 && others.length > 0 && (
        <p className="quiet">
          {others.slice(0, 4).map(({ name, value, entity: named }) => (
            <span key={`${name} ${value}`} className="match">
              {inWords(name)}:{' '}
              <MarkedText
                text={named ? (named.displayName ?? lastOf(named.urn)) : value.slice(0, 160)}
                words={words}
              />
            </span>
          ))}
        </p>
      )}
    </article>
  );
}

function Pages({ page, total }: { page: number; total: number }) {
  const last = Math.ceil(Math.min(total, REACH) / PAGE);
  if (last < 2) return null;
  const to = (number: number) => (old: SearchPlace) => ({ ...old, page: number > 1 ? number : undefined });
  return (
    <nav aria-label="Pages" className="pages">
      {page > 1 && (
        <Link to="/" search={to(page - 1)} rel="prev" preload="intent">
          Previous
        </Link>
      )}
      <span>
        Page {page} of {numbers.format(last)}
      </span>
      {page < last && (
        <Link to="/" search={to(page + 1)} rel="next" preload="intent">
          Next
        </Link>
      )}
    </nav>
  );
}
