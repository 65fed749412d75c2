import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ask } from '../api.js';
import { EntityDocument } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { Problem } from '../problem.js';
import { kindOf, lastOf, platformOf } from '../words.js';
import { RawAspects } from './raw-aspects.js';

export interface EntityPlace {
  urn: string;
}

export const readEntity = ({ urn }: Record<string, unknown>): EntityPlace => ({
  urn: typeof urn === 'string' ? urn : '',
});

export function EntityPage() {
  const { urn } = useSearch({ from: '/entity' });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['entity', urn],
    queryFn: ({ signal }) => ask(EntityDocument, { urn }, { signal }),
  });
  const entity = data?.entity;
  const name = entity?.displayName ?? lastOf(urn);
  return (
    <article className="entity" aria-busy={isPending}>
      <title>{`${name} · Catalog`}</title>
      <p className="quiet">{[kindOf(urn), platformOf(urn)].filter(Boolean).join(' · ')}</p>
      <h1>
        <EntityIcon urn={urn} />
        {name}
      </h1>
      <p className="urn">{urn}</p>
      {error && <Problem error={error} retry={refetch} />}
      {data && !entity?.exists && <p role="alert">Nothing is known of this entity.</p>}
      {entity?.aspects && <RawAspects aspects={entity.aspects} />}
    </article>
  );
}
