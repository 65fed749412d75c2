import { useQuery } from '@tanstack/react-query';
import { ask } from './api.js';
import { SurroundingsDocument, type SurroundingsQuery } from './generated.js';
import { kindOf, lastOf, placeOf } from './words.js';

interface Named {
  readonly urn: string;
  readonly displayName: string | null;
}

type Answer = NonNullable<NonNullable<SurroundingsQuery['entities']>[number]>;

const nameOf = ({ urn, displayName }: Named): string => displayName ?? lastOf(urn);

/** What a list says beside each name. Who shares name and type with another in the list is asked for what it lies in. */
export function useSurroundings(found: readonly Named[]): (one: Named) => string {
  const sharing = [...Map.groupBy(found, (one) => `${kindOf(one.urn)} ${nameOf(one)}`).values()]
    .filter((group) => group.length > 1)
    .flat();
  const urns = sharing.map(({ urn }) => urn);
  const { data } = useQuery({
    queryKey: ['surroundings', urns],
    queryFn: ({ signal }) => ask(SurroundingsDocument, { urns }, { signal }),
    enabled: urns.length > 0,
  });
  const inside = new Map((data?.entities ?? []).flatMap((one) => (one ? [[one.urn, insideOf(one)]] : [])));
  const texts = new Map(
    found.map((one) => {
      const parts = [kindOf(one.urn), ...placeOf(one.urn, one.displayName), inside.get(one.urn)];
      return [one.urn, parts.filter(Boolean).join(' · ')] as const;
    }),
  );
  return (one) => {
    const text = texts.get(one.urn) ?? '';
    // Where nothing else tells them apart, the URN does.
    const same = sharing.filter((other) => nameOf(other) === nameOf(one) && texts.get(other.urn) === text);
    return same.length > 1 ? `${text} · ${lastOf(one.urn)}` : text;
  };
}

/** What an entity lies in, the outermost first; of users their address. */
function insideOf(one: Answer): string | undefined {
  if ('container' in one) return one.container?.displayName ?? undefined;
  if ('dataFlow' in one) return one.dataFlow?.displayName ?? undefined;
  if ('parentNodes' in one) return pathOf(one.parentNodes?.nodes);
  if ('parentDomains' in one) return pathOf(one.parentDomains?.domains);
  if ('properties' in one) return one.properties?.email ?? undefined;
  return undefined;
}

const pathOf = (parents: ReadonlyArray<{ displayName: string | null }> | undefined): string =>
  (parents ?? [])
    .toReversed()
    .map(({ displayName }) => displayName)
    .join(' / ');
