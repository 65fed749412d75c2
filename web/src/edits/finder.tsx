import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.js';
import { SuggestDocument, type EntityType } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { useLate } from '../late.js';
import { MarkedText } from '../marked-text.js';
import { useSurroundings } from '../surroundings.js';
import { lastOf, wordsOf } from '../words.js';

/** Names that are offered at a time. */
export const OFFERED = 8;

export interface Found {
  readonly urn: string;
  readonly displayName: string | null;
}

/** Where names are looked for. */
export interface Source {
  readonly key: readonly unknown[];
  readonly find: (query: string, signal: AbortSignal) => Promise<Found[]>;
  /** Whether it has names before anything is typed. */
  readonly browses?: boolean;
}

/** Entities of some types, of all where none is named, by their names. */
export const entitiesOf = (types: readonly EntityType[]): Source => ({
  key: ['suggest', types],
  find: async (query, signal) => {
    const input = { query, types: [...types], limit: OFFERED };
    const { autoCompleteForMultiple } = await ask(SuggestDocument, { input }, { signal });
    const found = (autoCompleteForMultiple?.suggestions ?? []).flatMap(({ entities }) => entities);
    // Who is found by several names is offered once.
    return [...new Map(found.map((one) => [one.urn, one])).values()];
  },
});

function hasWords({ urn, displayName }: Found, typed: string): boolean {
  const name = (displayName ?? lastOf(urn)).toLowerCase();
  return wordsOf(typed.toLowerCase()).every((word) => name.includes(word));
}

interface FinderProps {
  readonly label: string;
  readonly source: Source;
  readonly excluded?: readonly string[];
  readonly focus?: boolean;
  readonly onFound: (urn: string, name: string) => void;
}

/** Finds an entity by a part of its name; Enter takes the one that the arrow keys chose. */
export function Finder({ label, source, excluded = [], focus = false, onFound }: FinderProps) {
  const [typed, setTyped] = useState('');
  const query = useLate(typed.trim());
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...source.key, query],
    queryFn: ({ signal }) => source.find(query, signal),
    enabled: query !== '' || source.browses === true,
    placeholderData: keepPreviousData,
  });
  const answered = query === typed.trim() && !isPlaceholderData;
  const offered = typed.trim() === '' && !source.browses ? [] : (data ?? []);
  const found = offered.filter(
    // Enter takes the first one: of what was found for other words only those with the new words stay.
    (one) => !excluded.includes(one.urn) && (answered || hasWords(one, typed)),
  );
  const surroundingsOf = useSurroundings(found);
  const add = (urn: string | null) => {
    if (urn === null) return;
    onFound(urn, found.find((one) => one.urn === urn)?.displayName ?? lastOf(urn));
    setTyped('');
  };
  return (
    <>
      <Combobox value={null as string | null} onChange={add} immediate={source.browses === true}>
        <ComboboxInput
          aria-label={label}
          placeholder="Type a name"
          autoComplete="off"
          spellCheck={false}
          autoFocus={focus}
          displayValue={() => typed}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {found.length > 0 && (
          <ComboboxOptions className="options" modal={false}>
            {found.map((one) => (
              <ComboboxOption key={one.urn} value={one.urn} className="option">
                <EntityIcon urn={one.urn} />
                <span className="name">
                  <MarkedText text={one.displayName ?? lastOf(one.urn)} words={wordsOf(typed)} />
                </span>
                <span className="quiet">{surroundingsOf(one)}</span>
              </ComboboxOption>
            ))}
          </ComboboxOptions>
        )}
      </Combobox>
      {error && (
        <p role="alert" className="problem">
          {error.message}
        </p>
      )}
      {typed.trim() !== '' && answered && data && found.length === 0 && (
        <p className="quiet">Nothing found.</p>
      )}
    </>
  );
}
