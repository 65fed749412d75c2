import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useLayoutEffect, useRef } from 'react';

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** HTML is text like any other; pictures are links, for the page asks nothing of other places. */
const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
  },
});

const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'a', 'ul', 'ol', 'li'],
    ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'align', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  RETURN_DOM_FRAGMENT: true as const,
};

/** A text of the catalog as Markdown. */
export default function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const html = marked.parse(text, { async: false }).replace(/(<\/?)h[12]\b/g, '$1h3');
    const fragment = DOMPurify.sanitize(html, ALLOWED);
    for (const link of fragment.querySelectorAll('a')) {
      link.rel = 'noreferrer noopener';
      link.target = '_blank';
    }
    place.current?.replaceChildren(fragment);
  }, [text]);
  return <div className="markdown" ref={place} />;
}
