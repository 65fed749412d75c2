import type { EntityType } from '../generated.js';
import { EntityIcon } from '../icons.js';
import type { FormProps } from './dialog.js';
import { entitiesOf, Finder } from './finder.js';

interface PickerProps extends Pick<FormProps<readonly string[]>, 'draft' | 'change' | 'nameOf' | 'learn'> {
  readonly label: string;
  readonly types: readonly EntityType[];
  /** Choosing another replaces the one that is there. */
  readonly single?: boolean;
  readonly focus?: boolean;
}

/** A list of entities: found by what is typed, added with Enter, taken out with a button. */
export function Picker({
  label,
  types,
  single = false,
  focus = false,
  draft,
  change,
  nameOf,
  learn,
}: PickerProps) {
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
      <Finder
        label={`Find ${label.toLowerCase()}`}
        source={entitiesOf(types)}
        excluded={draft}
        focus={focus}
        onFound={(urn, name) => {
          learn(urn, name);
          change(single ? [urn] : [...draft, urn]);
        }}
      />
    </>
  );
}
