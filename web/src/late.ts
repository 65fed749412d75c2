import { useEffect, useState } from 'react';

/** After so many milliseconds without a key, suggestions are asked for. */
const PAUSE_MS = 40;

/** What was typed, once nothing more is. */
export function useLate(value: string): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return late;
}
