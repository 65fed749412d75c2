import { useState, type ReactNode } from 'react';
import { numbers } from './words.js';

interface LongProps<One> {
  readonly items: readonly One[];
  /** Shown at first. */
  readonly most?: number;
  readonly list: (shown: readonly One[]) => ReactNode;
}

/** A list of which the first are shown, and all when asked for. */
export function Long<One>({ items, most = 20, list }: LongProps<One>) {
  const [all, setAll] = useState(false);
  // A button in the place of one more would save nothing.
  const cut = items.length > most + 1;
  return (
    <>
      {list(cut && !all ? items.slice(0, most) : items)}
      {cut && (
        <button className="small more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${numbers.format(items.length)}`}
        </button>
      )}
    </>
  );
}
