import { useEffect } from 'react';
import { afterPaint } from './after-paint.js';

/** Names the page in the browser, which redraws its window for that: once the page itself is painted. */
export function Title({ text }: { text: string }) {
  useEffect(() => {
    let current = true;
    void afterPaint().then(() => {
      if (current) document.title = text;
    });
    return () => {
      current = false;
    };
  }, [text]);
  return null;
}
