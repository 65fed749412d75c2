import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.js';
import { EntityLink, Named } from '../entity/names.js';
import { Facets } from '../facets.js';
import { ImpactDocument, type LineageDirection } from '../generated.js';
import { useLate } from '../late.js';
import { Problem } from '../problem.js';
import { kindOf, numbers, platformOf } from '../words.js';

const PAGE = 20;
/** What people narrow lineage by. */
const FACETS = ['degree', '_entityType', 'platform', 'owners', 'domains', 'tags'];

/** Everything that a change reaches, or that something depends on, near or far, as a list. */
export function Impact({ urn }: { urn: string }) {
  const [direction, setDirection] = useState<LineageDirection>('DOWNSTREAM');
  const [typed, setTyped] = useState('');
  const [filters, setFilters] = useState<Record<string, string[]>>({});
  const [count, setCount] = useState(PAGE);
  const query = useLate(typed.trim()) || '*';
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: ['impact', urn, direction, query, filters, count],
    queryFn: ({ signal }) =>
      ask(
        ImpactDocument,
        {
          input: {
            ...{ urn, direction, query, count },
            orFilters: [{ and: Object.entries(filters).map(([field, values]) => ({ field, values })) }],
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const found = data?.searchAcrossLineage;
  const turn = (to: LineageDirection) => {
    setDirection(to);
    setFilters({});
    setCount(PAGE);
  };
  return (
    <section aria-label="Impact" className="impact" aria-busy={isPending || isPlaceholderData}>
      <div role="radiogroup" aria-label="Direction" className="row">
        {(['DOWNSTREAM', 'UPSTREAM'] as const).map((one) => (
          <label key={one} className="check">
            <input type="radio" name="direction" checked={direction === one} onChange={() => turn(one)} />
            {one === 'DOWNSTREAM' ? 'Used by' : 'Made of'}
          </label>
        ))}
      </div>
      <input
        type="search"
        aria-label="Search in lineage"
        placeholder="Search in lineage"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setCount(PAGE);
        }}
      />
      {error && <Problem error={error} retry={refetch} />}
      <p role="status" className="quiet">
        {found ? `${numbers.format(found.total)} at any distance` : 'Asking…'}
      </p>
      {found?.isPartial && (
        <p className="warning">
          There is more: the walk ended at its limit, or at something you may not see.
        </p>
      )}
      <Named value={data}>
        <ul className="plain">
          {found?.searchResults.map(({ entity, degree }) => (
            <li key={entity.urn}>
              <EntityLink urn={entity.urn} />{' '}
              <span className="quiet">
                {[kindOf(entity.urn), platformOf(entity.urn), degree === 1 ? '1 step' : `${degree} steps`]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </Named>
      {found && found.total > count && count < 1_000 && (
        <button onClick={() => setCount(count + 5 * PAGE)}>Show more</button>
      )}
      <Facets
        facets={(found?.facets ?? []).filter(({ field }) => FACETS.includes(field))}
        filters={filters}
        open={false}
        onFilters={(next) => {
          setFilters(next);
          setCount(PAGE);
        }}
      />
    </section>
  );
}
