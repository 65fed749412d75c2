import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, use, type ReactNode } from 'react';
import { afterPaint } from '../after-paint.js';
import { ask, Refusal } from '../api.js';
import { NamesDocument } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { lastOf } from '../words.js';
import { EntityAnchor } from './anchor.js';

const NamesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** URNs that are named at once. */
const MOST = 200;
/** How often names are asked for again without what was refused. */
const TRIES = 10;

/** All URNs in a value, each once. */
function urnsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (isUrn(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value)) urnsIn(one, found);
  }
  return found;
}

export const isUrn = (value: string): boolean => /^urn:li:\w+:\S/.test(value);

const typeOf = (urn: string): string | undefined => urn.split(':')[2];

/**
 * The names of entities. Values may hold texts that look like URNs of entities but name none that the catalog can have: these
 * are left out, and all others are named.
 */
async function namesOf(all: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  let urns = all;
  for (let tries = 1; urns.length > 0; tries += 1) {
    try {
      const { entities } = await ask(NamesDocument, { urns: [...urns] }, { signal });
      return new Map(
        (entities ?? []).flatMap((one) => (one?.displayName ? [[one.urn, one.displayName]] : [])),
      );
    } catch (error) {
      const [, place] =
        /^\/urns\/(\d+)$/.exec((error instanceof Refusal && error.faults[0]?.pointer) || '') ?? [];
      const refused = urns[Number(place)];
      if (refused === undefined || tries === TRIES) throw error;
      const unknownType = error instanceof Refusal && error.code === 'ENTITY_UNKNOWN';
      urns = urns.filter((urn) => (unknownType ? typeOf(urn) !== typeOf(refused) : urn !== refused));
    }
  }
  return new Map();
}

/** Asks for the names of all entities that a value refers to, for the links inside. */
export function Named({ value, children }: { value: unknown; children: ReactNode }) {
  const around = use(NamesContext);
  // Columns are named by their paths.
  const urns = [...urnsIn(value)].filter((urn) => !urn.startsWith('urn:li:schemaField:')).slice(0, MOST);
  const { data } = useQuery({
    queryKey: ['names', urns],
    queryFn: async ({ signal }) => {
      await afterPaint();
      return namesOf(urns, signal);
    },
    enabled: urns.length > 0,
    // An edit adds a name to those that are known.
    placeholderData: keepPreviousData,
  });
  return <NamesContext value={data ?? around}>{children}</NamesContext>;
}

/** What to call an entity. */
export function useNames(): (urn: string) => string {
  const names = use(NamesContext);
  return (urn) => names.get(urn) ?? lastOf(urn);
}

/** A link to an entity, by its name. */
export function EntityLink({ urn, plain = false }: { urn: string; plain?: boolean }) {
  const name = useNames()(urn);
  return (
    <EntityAnchor urn={urn} className="entity-link" title={urn}>
      {!plain && <EntityIcon urn={urn} />}
      {name}
    </EntityAnchor>
  );
}
