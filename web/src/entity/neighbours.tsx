import { useQuery } from '@tanstack/react-query';
import { ask } from '../api.js';
import { NeighboursDocument } from '../generated.js';
import { Problem } from '../problem.js';
import { numbers, platformOf, kindOf } from '../words.js';
import { EntityLink, Named } from './names.js';

/** Neighbours that are listed of each direction. */
const COUNT = 100;

/** What an entity is made of, and what is made of it, one step each way. */
export function Neighbours({ urn }: { urn: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['neighbours', urn],
    queryFn: ({ signal }) =>
      ask(
        NeighboursDocument,
        {
          urn,
          upstream: { direction: 'UPSTREAM', count: COUNT },
          downstream: { direction: 'DOWNSTREAM', count: COUNT },
        },
        { signal },
      ),
  });
  if (error) return <Problem error={error} retry={refetch} />;
  if (isPending) return <p role="status">Loading…</p>;
  return (
    <Named value={data}>
      <div className="two">
        {(['upstream', 'downstream'] as const).map((direction) => {
          const found = data.entity?.[direction];
          const urns = [...new Set((found?.relationships ?? []).map(({ entity }) => entity?.urn))];
          return (
            <section key={direction}>
              <h3>
                {direction === 'upstream' ? 'Made of' : 'Used by'} ({numbers.format(found?.total ?? 0)})
              </h3>
              <ul className="plain">
                {urns.map(
                  (neighbour) =>
                    neighbour && (
                      <li key={neighbour}>
                        <EntityLink urn={neighbour} />{' '}
                        <span className="quiet">
                          {[kindOf(neighbour), platformOf(neighbour)].filter(Boolean).join(' · ')}
                        </span>
                      </li>
                    ),
                )}
              </ul>
              {(found?.total ?? 0) > COUNT && <p>The first {COUNT}.</p>}
            </section>
          );
        })}
      </div>
    </Named>
  );
}
