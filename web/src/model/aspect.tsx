import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Problem } from '../problem.js';
import { numbers } from '../words.js';
import { Kinds } from './links.js';
import { aspectOf, fieldsOf, holdersOf, type AspectDetail, type FieldRow, type Kind } from './model.js';

/** An aspect: its fields, what they refer to, by what they are found, and which types have it. */
export function AspectView({ name, kinds }: { name: string; kinds: readonly Kind[] }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['model', name],
    queryFn: ({ signal }) => aspectOf(name, signal),
    staleTime: Infinity,
  });
  const fields = useMemo(() => (data ? fieldsOf(data.schema) : []), [data]);
  return (
    <article aria-busy={isPending}>
      <p className="quiet">Aspect{data?.timeseries && ', over time'}</p>
      <h2 className="name">{name}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {isPending && !error && <p role="status">Loading…</p>}
      {data && (
        <>
          <p className="urn">{data.recordName}</p>
          <p>{data.description}</p>
          <h3>Of these types</h3>
          <Kinds names={holdersOf(name, kinds)} />
          <h3>Fields ({numbers.format(fields.length)})</h3>
          <ul className="fields-of plain" aria-label="Fields">
            {fields.map((field) => (
              <FieldView key={field.path} field={field} aspect={data} />
            ))}
          </ul>
        </>
      )}
    </article>
  );
}

/** A field of an array is named with its elements where something is said of them. */
const at = (path: string) => (one: { path: string }) => one.path.replace(/\/\*$/, '') === path;

function FieldView({ field, aspect }: { field: FieldRow; aspect: AspectDetail }) {
  const { path, type, description, required, deprecated } = field;
  const targets = aspect.relationshipFieldSpecs.filter(at(path));
  const searched = aspect.searchableFieldSpecs.filter(at(path));
  return (
    <li>
      <p>
        <b className="path">{path.slice(1)}</b> <code>{type}</code>
        {required && <span className="badge">required</span>}
        {deprecated && <span className="badge">deprecated</span>}
      </p>
      {description && <p>{description}</p>}
      {searched.length > 0 && (
        <p className="quiet">
          Found by {searched.map(({ searchableAnnotation }) => searchableAnnotation.fieldName).join(', ')}
        </p>
      )}
      {targets.map(({ relationshipAnnotation: { name, validDestinationTypes } }) => (
        <div key={name} className="row refers">
          <span className="quiet">{name}:</span>
          <Kinds names={validDestinationTypes} />
        </div>
      ))}
    </li>
  );
}
