import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../api.js';
import { TotalDocument } from '../generated.js';
import { numbers } from '../words.js';

type Words = (count: number) => string;

const assets = (count: number): string => `${numbers.format(count)} ${count === 1 ? 'asset' : 'assets'}`;
const have: Words = (count) => `${assets(count)} ${count === 1 ? 'has' : 'have'} it`;
const lie: Words = (count) => `${assets(count)} ${count === 1 ? 'lies' : 'lie'} in it`;
const owns: Words = (count) => `Owns ${assets(count)}`;

/** By type: the field with which assets name an entity, and how that is said. */
const WAYS: Record<string, readonly [field: string, words: Words]> = {
  corpuser: ['owners', owns],
  corpGroup: ['owners', owns],
  tag: ['tags', have],
  glossaryTerm: ['glossaryTerms', have],
  domain: ['domains', have],
  container: ['container', lie],
  dataPlatform: ['platform', lie],
};

/** How many assets name an entity, and the way to them; nothing where assets do not name its type. */
export function Assets({ urn }: { urn: string }) {
  const way = WAYS[urn.split(':')[2] ?? ''];
  const field = way?.[0] ?? '';
  const { data } = useQuery({
    queryKey: ['total', field, urn],
    queryFn: ({ signal }) =>
      ask(
        TotalDocument,
        { input: { query: '*', count: 0, orFilters: [{ and: [{ field, values: [urn] }] }] } },
        { signal },
      ),
    enabled: way !== undefined,
  });
  const total = data?.searchAcrossEntities?.total;
  if (!way || total === undefined) return null;
  const text = way[1](total);
  if (total === 0) return <span className="quiet">{text}</span>;
  return (
    <Link to="/" search={{ filters: { [field]: [urn] } }}>
      {text}
    </Link>
  );
}
