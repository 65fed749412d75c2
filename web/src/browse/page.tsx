import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ask } from '../api.js';
import { Named, useNames } from '../entity/names.js';
import { BrowseDocument, ValuesDocument } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { Problem } from '../problem.js';
import { SameAs } from '../same-as.js';
import { Title } from '../title.js';
import { inWords, lastOf, numbers } from '../words.js';
import type { BrowsePlace } from './place.js';

/** Groups of one level that are shown. */
const MOST = 1000;

/** Asks for the platforms. */
const PLATFORMS = { input: { query: '*', facets: ['platform'], searchFlags: { maxAggValues: MOST } } };

/** What there is, by platform and then by what it lies in. */
export function BrowsePage() {
  const { platform, path = [] } = useSearch({ from: '/browse' });
  return (
    <Named value={[platform, ...path]}>
      <Title text="Browse · Catalog" />
      <Trail platform={platform} path={path} />
      {platform === undefined ? <Platforms /> : <Groups platform={platform} path={path} />}
    </Named>
  );
}

/** Where one is, with ways back. */
function Trail({ platform, path }: { platform: string | undefined; path: readonly string[] }) {
  const nameOf = useNames();
  const steps: Array<[string, BrowsePlace]> = [['All platforms', {}]];
  if (platform !== undefined) {
    steps.push([nameOf(platform), { platform }]);
    path.forEach((name, at) =>
      steps.push([labelOf(name, nameOf), { platform, path: path.slice(0, at + 1) }]),
    );
  }
  const last = steps.length - 1;
  return (
    <>
      <nav aria-label="Where you are" className="trail">
        <ol>
          {steps.slice(0, last).map(([name, place]) => (
            <li key={JSON.stringify(place)}>
              <Link to="/browse" search={place}>
                {name}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <h1>{last === 0 ? 'Browse' : steps[last]![0]}</h1>
    </>
  );
}

const labelOf = (name: string, nameOf: (urn: string) => string) =>
  name.startsWith('urn:li:') ? nameOf(name) : name;

function Platforms() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['platforms'],
    queryFn: ({ signal }) => ask(ValuesDocument, PLATFORMS, { signal }),
  });
  const platforms = data?.aggregateAcrossEntities?.facets?.[0]?.aggregations ?? [];
  if (error) return <Problem error={error} retry={refetch} />;
  if (isPending) return <p role="status">Loading…</p>;
  if (platforms.length === 0) return <p className="quiet">Nothing here names a platform.</p>;
  return (
    <>
      <Cards>
        {platforms.map(({ value, count, displayName }) => (
          <Card
            key={value}
            urn={value}
            name={displayName ?? lastOf(value)}
            count={count}
            deeper={{ platform: value }}
            search={{ filters: { platform: [value] } }}
          />
        ))}
      </Cards>
      <SameAs document={ValuesDocument} variables={PLATFORMS} />
    </>
  );
}

function Groups({ platform, path }: { platform: string; path: string[] }) {
  const filters = { platform: [platform] };
  const variables = {
    input: {
      path,
      query: '*',
      count: MOST,
      orFilters: [{ and: [{ field: 'platform', values: [platform] }] }],
    },
  };
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: ['browse', platform, path],
    queryFn: ({ signal }) => ask(BrowseDocument, variables, { signal }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Problem error={error} retry={refetch} />;
  if (isPending) return <p role="status">Loading…</p>;
  const found = data.browseV2;
  const all = found?.metadata.totalNumEntities ?? 0;
  const groups = found?.groups ?? [];
  return (
    <div aria-busy={isPlaceholderData}>
      <p>
        {all === 0 ? (
          'Nothing lies here.'
        ) : (
          <Link to="/" search={{ filters, path: path.length > 0 ? path : undefined }}>
            {all === 1 ? 'Show 1 asset' : `Show ${numbers.format(all)} assets`}
          </Link>
        )}
      </p>
      <Cards>
        {groups.map(({ name, count, hasSubGroups, entity }) => {
          const inside = [...path, name];
          return (
            <Card
              key={name}
              urn={entity?.urn ?? name}
              name={entity?.displayName ?? (name.startsWith('urn:li:') ? lastOf(name) : name)}
              count={count}
              deeper={hasSubGroups ? { platform, path: inside } : undefined}
              search={{ filters, path: inside }}
            />
          );
        })}
      </Cards>
      {found && found.total > groups.length && (
        <p className="quiet">
          The first {numbers.format(groups.length)} of {numbers.format(found.total)} are shown.
        </p>
      )}
      <SameAs document={BrowseDocument} variables={variables} />
    </div>
  );
}

const Cards = ({ children }: { children: ReactNode }) => <ul className="cards">{children}</ul>;

interface CardProps {
  /** What the icon is chosen by: of what is no entity, a text. */
  urn: string;
  name: string;
  count: number;
  /** Where its groups are, if it has any. */
  deeper: BrowsePlace | undefined;
  search: { filters: Record<string, string[]>; path?: string[] };
}

function Card({ urn, name, count, deeper, search }: CardProps) {
  const kind = urn.startsWith('urn:li:') ? inWords(urn.split(':')[2]!) : 'Folder';
  const text = count === 1 ? '1 asset' : `${numbers.format(count)} assets`;
  return (
    <li className="card">
      <EntityIcon urn={urn.startsWith('urn:li:') ? urn : 'urn:li:container:'} />
      {deeper ? (
        <Link to="/browse" search={deeper}>
          {name}
        </Link>
      ) : (
        <Link to="/" search={search}>
          {name}
        </Link>
      )}
      <span className="quiet">
        {kind} ·{' '}
        {deeper ? (
          <Link to="/" search={search} aria-label={`${text} of ${name}`}>
            {text}
          </Link>
        ) : (
          text
        )}
      </span>
    </li>
  );
}
