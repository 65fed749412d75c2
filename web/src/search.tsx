import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ask } from './api.js';
import { SearchDocument, type SearchQuery } from './generated.js';
import { EntityIcon } from './icons.js';
import { MarkedText } from './marked-text.js';
import { Problem } from './problem.js';
import { inWords, kindOf, lastOf, numbers, platformOf, wordsOf } from './words.js';

/** A search as the address has it. */
export interface SearchPlace {
  q?: string | undefined;
  /** Chosen values by the field of their facet. */
  filters?: Record<string, string[]> | undefined;
  /** From 1 on. */
  page?: number | undefined;
}

const PAGE = 20;
/** Values of a facet that are shown at once. */
const VALUES = 6;
/** The service finds no more by position. */
const REACH = 10_000;

type Found = NonNullable<SearchQuery['searchAcrossEntities']>;
type Hit = Found['searchResults'][number];
type Facet = NonNullable<Found['facets']>[number];

/** Reads the address; what it does not understand it leaves out. */
export function readSearch(given: Record<string, unknown>): SearchPlace {
  const { q, filters, page } = given;
  const read: SearchPlace = {};
  // The address of a number is read as one.
  if (typeof q === 'string' || typeof q === 'number') read.q = String(q);
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

export function SearchPage() {
  const { q, filters = {}, page = 1 } = useSearch({ from: '/' });
  const query = q?.trim() || '*';
  const { data, error, isPlaceholderData, isPending, refetch } = useQuery({
    queryKey: ['search', query, filters, page],
    queryFn: ({ signal }) =>
      ask(
        SearchDocument,
        {
          input: {
            query,
            start: (page - 1) * PAGE,
            count: PAGE,
            orFilters: [{ and: Object.entries(filters).map(([field, values]) => ({ field, values })) }],
            searchFlags: { includeStructuredPropertyFacets: true },
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const found = data?.searchAcrossEntities;
  const words = wordsOf(query);
  return (
    <>
      <title>{q ? `${q} · Catalog` : 'Catalog'}</title>
      <div className="search" aria-busy={isPending || isPlaceholderData}>
        <Facets facets={found?.facets ?? []} filters={filters} />
        <section aria-label="Results" className="results">
          <h1 role="status">{found ? totalText(found.total, q) : 'Searching…'}</h1>
          {error && <Problem error={error} retry={refetch} />}
          {found?.total === 0 && (
            <p>
              Nothing has all of these words{Object.keys(filters).length > 0 && ' and filters'}.{' '}
              <Link to="/">Show everything</Link>
            </p>
          )}
          <ol className="hits">
            {found?.searchResults.map((hit) => (
              <li key={hit.entity.urn}>
                <HitView hit={hit} words={words} />
              </li>
            ))}
          </ol>
          {found && <Pages page={page} total={found.total} />}
        </section>
      </div>
    </>
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

function HitView({ hit: { entity, matchedFields }, words }: { hit: Hit; words: string[] }) {
  const { urn, displayName } = entity;
  const platform = platformOf(urn);
  const text = textOf(entity);
  const others = matchedFields.filter(
    ({ name, value }) => !/^(name|id|urn|displayName|qualifiedName|description)$/.test(name) && value !== '',
  );
  return (
    <article className="hit">
      <h2>
        <EntityIcon urn={urn} />
        <Link to="/entity" search={{ urn }}>
          <MarkedText text={displayName ?? lastOf(urn)} words={words} />
        </Link>
      </h2>
      <p className="quiet">{[kindOf(urn), platform].filter(Boolean).join(' · ')}</p>
      {text && (
        <p className="text">
          <MarkedText text={text} words={words} />
        </p>
      )}
      {words.length > 0 && others.length > 0 && (
        <p className="quiet">
          {others.slice(0, 4).map(({ name, value }) => (
            <span key={`${name} ${value}`} className="match">
              {inWords(name)}: <MarkedText text={value.slice(0, 160)} words={words} />
            </span>
          ))}
        </p>
      )}
    </article>
  );
}

function Facets({ facets, filters }: { facets: readonly Facet[]; filters: Record<string, string[]> }) {
  const navigate = useNavigate({ from: '/' });
  const { q } = useSearch({ from: '/' });
  const choose = (field: string, value: string, chosen: boolean) => {
    const next = { ...filters };
    const values = (filters[field] ?? []).filter((one) => one !== value);
    if (chosen) values.push(value);
    if (values.length > 0) next[field] = values;
    else delete next[field];
    const some = Object.keys(next).length > 0;
    // Another choice begins with its first page.
    void navigate({ to: '/', search: { q, filters: some ? next : undefined }, resetScroll: false });
  };
  // Fields that say the same once more: the kind of entity under an older name, and two in one.
  const shown = facets.filter(
    ({ field, aggregations }) =>
      !/^(entity|_entityType␞typeNames)$/.test(field) && aggregations.some(({ count }) => count > 0),
  );
  return (
    <details className="facets" open={matchMedia('(min-width: 48rem)').matches}>
      <summary>Filters</summary>
      {shown.map((facet) => (
        <fieldset key={facet.field}>
          <legend>{facet.displayName ?? inWords(facet.field)}</legend>
          <FacetValues facet={facet} chosen={filters[facet.field] ?? []} choose={choose} />
        </fieldset>
      ))}
    </details>
  );
}

interface FacetProps {
  facet: Facet;
  chosen: readonly string[];
  choose: (field: string, value: string, chosen: boolean) => void;
}

function FacetValues({ facet: { field, aggregations }, chosen, choose }: FacetProps) {
  const there = aggregations.filter(({ count, value }) => count > 0 || chosen.includes(value));
  // What was chosen stays in sight, also where nothing has it any more.
  const gone = chosen.filter((value) => !there.some((one) => one.value === value));
  const all = [...gone.map((value) => ({ value, count: 0, displayName: null })), ...there];
  const row = ({ value, count, displayName }: (typeof all)[number]) => (
    <label key={value} className="check">
      <input
        type="checkbox"
        checked={chosen.includes(value)}
        onChange={(event) => choose(field, value, event.target.checked)}
      />
      <span className="name">{labelOf(value, displayName)}</span>
      <span className="quiet">{numbers.format(count)}</span>
    </label>
  );
  return (
    <>
      {all.slice(0, VALUES).map(row)}
      {all.length > VALUES && (
        <details>
          <summary>{all.length - VALUES} more</summary>
          {all.slice(VALUES).map(row)}
        </details>
      )}
    </>
  );
}

function labelOf(value: string, displayName: string | null): string {
  const name = displayName ?? (value.startsWith('urn:li:') ? lastOf(value) : value);
  return /^[A-Z][A-Z_]+$/.test(name) && name === value ? inWords(name) : name;
}

function Pages({ page, total }: { page: number; total: number }) {
  const last = Math.ceil(Math.min(total, REACH) / PAGE);
  if (last < 2) return null;
  const to = (number: number) => (old: SearchPlace) => ({ ...old, page: number > 1 ? number : undefined });
  return (
    <nav aria-label="Pages" className="pages">
      {page > 1 && (
        <Link to="/" search={to(page - 1)} rel="prev">
          Previous
        </Link>
      )}
      <span>
        Page {page} of {numbers.format(last)}
      </span>
      {page < last && (
        <Link to="/" search={to(page + 1)} rel="next">
          Next
        </Link>
      )}
    </nav>
  );
}
