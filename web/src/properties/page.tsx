import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ask } from '../api.js';
import {
  StructuredPropertiesDocument,
  TotalDocument,
  type StructuredPropertiesQuery,
  type StructuredPropertiesQueryVariables,
} from '../generated.js';
import { Problem } from '../problem.js';
import { SameAs } from '../same-as.js';
import { Title } from '../title.js';
import { lastOf, numbers, typeText } from '../words.js';

const PAGE = 50;

type Entity = NonNullable<
  StructuredPropertiesQuery['searchAcrossEntities']
>['searchResults'][number]['entity'];
type Definition = NonNullable<Extract<Entity, { definition: unknown }>['definition']>;

/** Structured properties, their rules, and how many assets carry them. */
export function PropertiesPage() {
  const { page = 1 } = useSearch({ from: '/properties' });
  const navigate = useNavigate();
  const variables: StructuredPropertiesQueryVariables = {
    input: {
      query: '*',
      types: ['STRUCTURED_PROPERTY'],
      start: (page - 1) * PAGE,
      count: PAGE,
      sortInput: { sortCriteria: [{ field: '_entityName', sortOrder: 'ASCENDING' }] },
    },
  };
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: ['structured-properties', page],
    queryFn: ({ signal }) => ask(StructuredPropertiesDocument, variables, { signal }),
    placeholderData: keepPreviousData,
  });
  const found = data?.searchAcrossEntities;
  const last = Math.ceil((found?.total ?? 0) / PAGE);
  const turn = (to: number) => () => void navigate({ to: '/properties', search: to > 1 ? { page: to } : {} });
  return (
    <div aria-busy={isPending || isPlaceholderData}>
      <Title text="Structured properties · Catalog" />
      <h1>Structured properties</h1>
      {error && <Problem error={error} retry={refetch} />}
      {isPending && !error && <p role="status">Loading…</p>}
      {found?.total === 0 && <p className="quiet">Nobody has defined structured properties yet.</p>}
      {found && found.total > 0 && (
        <table className="rules stacked">
          <thead>
            <tr>
              <th scope="col">Property</th>
              <th scope="col">Values</th>
              <th scope="col">Allowed</th>
              <th scope="col">On</th>
              <th scope="col">Assets</th>
            </tr>
          </thead>
          <tbody>
            {found.searchResults.map(({ entity }) => (
              <PropertyRow key={entity.urn} entity={entity} />
            ))}
          </tbody>
        </table>
      )}
      {last > 1 && (
        <nav aria-label="Pages" className="pages">
          {page > 1 && <button onClick={turn(page - 1)}>Previous</button>}
          <span>
            Page {page} of {numbers.format(last)}
          </span>
          {page < last && <button onClick={turn(page + 1)}>Next</button>}
        </nav>
      )}
      <SameAs
        document={StructuredPropertiesDocument}
        variables={variables}
        command={page > 1 ? undefined : `search --entity structuredProperty --count ${PAGE}`}
      />
    </div>
  );
}

function PropertyRow({ entity }: { entity: Entity }) {
  const { urn, displayName } = entity;
  const definition = 'definition' in entity ? entity.definition : null;
  const name = definition?.qualifiedName ?? lastOf(urn);
  return (
    <tr>
      <th scope="row">
        <Link to="/entity" search={{ urn }}>
          {displayName ?? name}
        </Link>
        <p className="urn">{name}</p>
        {definition?.description && <p className="plain-text">{definition.description}</p>}
      </th>
      <td data-label="Values">{definition && kindText(definition)}</td>
      <td data-label="Allowed">{definition && <Allowed definition={definition} />}</td>
      <td data-label="On">{definition?.entityTypes.map((one) => typeOf(one.urn)).join(', ')}</td>
      <td data-label="Assets">
        <Carriers name={name} label={displayName ?? name} />
      </td>
    </tr>
  );
}

/** `urn:li:entityType:platform.dataFlow` → `Data flow`. */
const typeOf = (urn: string): string => typeText(urn.slice(urn.lastIndexOf('.') + 1));

function kindText({ valueType, cardinality, immutable }: Definition): string {
  const type = typeOf(valueType.urn);
  const many = cardinality === 'MULTIPLE' ? 'several' : 'one';
  return [type, many, immutable && 'never changed'].filter(Boolean).join(', ');
}

function Allowed({ definition: { allowedValues, typeQualifier } }: { definition: Definition }) {
  const types = typeQualifier?.allowedTypes;
  if (types && types.length > 0) return types.map((one) => typeOf(one.urn)).join(', ');
  if (!allowedValues || allowedValues.length === 0) return <span className="quiet">Any</span>;
  return (
    <ul className="plain">
      {allowedValues.map(({ value, description }) => {
        const text = 'stringValue' in value ? value.stringValue : String(value.numberValue);
        return (
          <li key={text}>
            <b>{text}</b> {description && <span className="quiet">{description}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** How many assets carry a property, and the search for them. */
function Carriers({ name, label }: { name: string; label: string }) {
  // In the query language, where other signs have meanings.
  const query = `structuredProperties.${name.replace(/[^\w.-]/g, '\\$&')}:*`;
  const { data, error } = useQuery({
    queryKey: ['total', query],
    queryFn: ({ signal }) => ask(TotalDocument, { input: { query, count: 0 } }, { signal }),
  });
  if (error) return <span className="problem">{error.message}</span>;
  const total = data?.searchAcrossEntities?.total;
  if (total === undefined) return '…';
  if (total === 0) return '0';
  return (
    <Link to="/" search={{ q: query }} aria-label={`${total} with ${label}`}>
      {numbers.format(total)}
    </Link>
  );
}
