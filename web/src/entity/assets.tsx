import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../api.js';
import { TotalDocument } from '../generated.js';
import { numbers } from '../words.js';
import { ASSET_FIELDS } from './asset-fields.js';

type Words = (count: number) => string;

const assets = (count: number): string => `${numbers.format(count)} ${count === 1 ? 'asset' : 'assets'}`;
const have: Words = (count) => `${assets(count)} ${count === 1 ? 'has' : 'have'} it`;
const lie: Words = (count) => `${assets(count)} ${count === 1 ? 'lies' : 'lie'} in it`;
const owns: Words = (count) => `Owns ${assets(count)}`;

type Named = keyof typeof ASSET_FIELDS;

/** How it is said that assets name an entity. */
const WORDS: Record<Named, Words> = {
  corpuser: owns,
  corpGroup: owns,
  tag: have,
  glossaryTerm: have,
  domain: have,
  container: lie,
  dataPlatform: lie,
};

/** How many assets name an entity, and the way to them; nothing where assets do not name its type. */
export function Assets({ urn }: { urn: string }) {
  const type = urn.split(':')[2] ?? '';
  const named = type in ASSET_FIELDS ? (type as Named) : undefined;
  const field = named ? ASSET_FIELDS[named] : '';
  const { data } = useQuery({
    queryKey: ['total', field, urn],
    queryFn: ({ signal }) =>
      ask(
        TotalDocument,
        { input: { query: '*', count: 0, orFilters: [{ and: [{ field, values: [urn] }] }] } },
        { signal },
      ),
    enabled: named !== undefined,
  });
  const total = data?.searchAcrossEntities?.total;
  if (!named || total === undefined) return null;
  const text = WORDS[named](total);
  if (total === 0) return <span className="quiet">{text}</span>;
  return (
    <Link to="/" search={{ filters: { [field]: [urn] } }}>
      {text}
    </Link>
  );
}
