import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from './api.js';
import { SuggestDocument } from './generated.js';
import { EntityIcon } from './icons.js';
import { useLate } from './late.js';
import { MarkedText } from './marked-text.js';
import { useSurroundings } from './surroundings.js';
import { lastOf, wordsOf } from './words.js';

/** Suggestions of each type, and of all. */
const OF_TYPE = 3;
const SHOWN = 10;

/** The one box: Enter searches, a suggestion leads to its entity. */
export function SearchBox() {
  const navigate = useNavigate();
  const searched = useSearch({ strict: false, select: ({ q }) => q });
  const [typed, setTyped] = useState(searched ?? '');
  const [before, setBefore] = useState(searched);
  // A link or the back button changes the query too.
  if (before !== searched) {
    setBefore(searched);
    setTyped(searched ?? '');
  }
  const query = useLate(typed.trim());
  const { data } = useQuery({
    queryKey: ['suggest', query],
    queryFn: ({ signal }) => ask(SuggestDocument, { input: { query, limit: OF_TYPE } }, { signal }),
    // What is no longer in the box is not asked for.
    enabled: query.length > 1 && query === typed.trim() && query !== searched,
    placeholderData: keepPreviousData,
  });
  const found =
    typed.trim().length > 1
      ? (data?.autoCompleteForMultiple?.suggestions ?? []).flatMap(({ entities }) => entities).slice(0, SHOWN)
      : [];
  const words = wordsOf(typed);
  const surroundingsOf = useSurroundings(found);
  const choose = (value: string | null) => {
    if (value === null) return;
    if (value.startsWith('?')) void navigate({ to: '/', search: { q: value.slice(1) || undefined } });
    else void navigate({ to: '/entity', search: { urn: value } });
  };
  return (
    <search className="search-box">
      <Combobox value={null as string | null} onChange={choose} immediate={false}>
        <ComboboxInput
          aria-label="Search the catalog"
          placeholder="Search tables, charts, terms, people…"
          autoComplete="off"
          spellCheck={false}
          displayValue={() => typed}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {typed.trim() !== '' && (
          <ComboboxOptions className="options" modal={false}>
            <ComboboxOption value={`?${typed.trim()}`} className="option">
              <span>
                Search for <b>{typed.trim()}</b>
              </span>
            </ComboboxOption>
            {found.map((one) => (
              <ComboboxOption key={one.urn} value={one.urn} className="option">
                <EntityIcon urn={one.urn} />
                <span className="name">
                  <MarkedText text={one.displayName ?? lastOf(one.urn)} words={words} />
                </span>
                <span className="quiet">{surroundingsOf(one)}</span>
              </ComboboxOption>
            ))}
          </ComboboxOptions>
        )}
      </Combobox>
    </search>
  );
}
