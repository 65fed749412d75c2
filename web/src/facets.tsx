import { memo, type ReactNode } from 'react';
import type { FacetsQuery } from './generated.js';
import { Long } from './long.js';
import { inWords, lastOf, numbers, typeText } from './words.js';

/** Values of a facet that are shown at once. */
const VALUES = 6;

/** Two fields have the same name, as entities of different types have them; here they stand beside each other. */
const TITLES: Readonly<Record<string, string>> = {
  origin: 'Environment of datasets and models',
  env: 'Environment of containers and pipelines',
};

/** Chosen values by the field of their facet. */
export type Filters = Record<string, string[]>;

type Found = NonNullable<FacetsQuery['aggregateAcrossEntities']>;
export type Facet = NonNullable<Found['facets']>[number];

interface FacetsProps {
  facets: readonly Facet[];
  filters: Filters;
  onFilters: (filters: Filters) => void;
  /** Whether the numbers are still those of a choice before. */
  busy?: boolean;
  /** Whether they are unfolded at first. */
  open: boolean;
  /** What else narrows or widens it. */
  children?: ReactNode;
}

/** What narrows a search, with the number of hits that have each value. */
export function Facets({ facets, filters, onFilters, busy = false, open, children }: FacetsProps) {
  return (
    <details className="facets" open={open} aria-busy={busy}>
      <summary>Filters</summary>
      {children}
      <FacetList facets={facets} filters={filters} onFilters={onFilters} />
    </details>
  );
}

/** Drawn again only when there are other numbers or choices. */
const FacetList = memo(function FacetList(props: Pick<FacetsProps, 'facets' | 'filters' | 'onFilters'>) {
  const { facets, filters, onFilters } = props;
  const choose = (field: string, value: string, chosen: boolean) => {
    const next = { ...filters };
    const values = (filters[field] ?? []).filter((one) => one !== value);
    if (chosen) values.push(value);
    if (values.length > 0) next[field] = values;
    else delete next[field];
    onFilters(next);
  };
  // Fields that say the same once more: the kind of entity under an older name, and two in one.
  const shown = facets.filter(
    ({ field, aggregations }) =>
      !/^(entity|_entityType␞typeNames)$/.test(field) && aggregations.some(({ count }) => count > 0),
  );
  return shown.map((facet) => (
    <fieldset key={facet.field}>
      <legend>{TITLES[facet.field] ?? facet.displayName ?? inWords(facet.field)}</legend>
      <FacetValues facet={facet} chosen={filters[facet.field] ?? []} choose={choose} />
    </fieldset>
  ));
});

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
  return <Long items={all} most={VALUES} list={(shown) => shown.map(row)} />;
}

function labelOf(value: string, displayName: string | null): string {
  const name = displayName ?? (value.startsWith('urn:li:') ? lastOf(value) : value);
  return /^[A-Z][A-Z_]+$/.test(name) && name === value ? typeText(name) : name;
}
