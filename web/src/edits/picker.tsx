import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.js';
import { SuggestDocument, type EntityType } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { useLate } from '../late.js';
import { MarkedText } from '../marked-text.js';
import { lastOf, wordsOf } from '../words.js';
import type { FormProps } from './dialog.js';

/** Names that are offered at a time. */
const OFFERED = 8;

interface PickerProps extends FormProps<readonly string[]> {
  readonly label: string;
  readonly types: readonly EntityType[];
  /** Choosing another replaces the one that is there. */
  readonly single?: boolean;
}

/** A list of entities: found by what is typed, added with Enter, taken out with a button. */
export function Picker({ label, types, single = false, draft, change, nameOf, learn }: PickerProps) {
  const [typed, setTyped] = useState('');
  const query = useLate(typed.trim());
  const { data, error } = useQuery({
    queryKey: ['suggest', types, query],
    queryFn: ({ signal }) =>
      ask(SuggestDocument, { input: { query, types: [...types], limit: OFFERED } }, { signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const found =
    typed.trim() === ''
      ? []
      : (data?.autoCompleteForMultiple?.suggestions ?? [])
          .flatMap(({ entities }) => entities)
          .filter(({ urn }) => !draft.includes(urn));
  const add = (urn: string | null) => {
    if (urn === null) return;
    learn(urn, found.find((one) => one.urn === urn)?.displayName ?? lastOf(urn));
    change(single ? [urn] : [...draft, urn]);
    setTyped('');
  };
  return (
    <>
      <ul className="chips" aria-label={label}>
        {draft.map((urn) => (
          <li key={urn} className="picked">
            <EntityIcon urn={urn} />
            {nameOf(urn)}
            <button
              type="button"
              className="small"
              aria-label={`Take out ${nameOf(urn)}`}
              onClick={() => change(draft.filter((one) => one !== urn))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <Combobox value={null as string | null} onChange={add} immediate={false}>
        <ComboboxInput
          aria-label={`Find ${label.toLowerCase()}`}
          placeholder="Type a name"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          displayValue={() => typed}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {found.length > 0 && (
          <ComboboxOptions className="options" modal={false}>
            {found.map(({ urn, displayName }) => (
              <ComboboxOption key={urn} value={urn} className="option">
                <EntityIcon urn={urn} />
                <span className="name">
                  <MarkedText text={displayName ?? lastOf(urn)} words={wordsOf(typed)} />
                </span>
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
      {typed.trim() !== '' && query === typed.trim() && data && found.length === 0 && (
        <p className="quiet">Nothing found.</p>
      )}
    </>
  );
}
