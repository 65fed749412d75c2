import { useState } from 'react';
import { ENDPOINT, SERVICE } from './api.js';
import type { TypedDocumentString } from './generated.js';

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const TOKEN = '-H "Authorization: Bearer $CATALOG_TOKEN"';

interface WaysProps<Data, Variables> {
  readonly document: TypedDocumentString<Data, Variables>;
  readonly variables: Variables;
  /** Words behind the name of the command line, where it can print the same. */
  readonly command?: string | undefined;
}

/** How programs get what a page shows. */
export function Ways<Data, Variables>({ document, variables, command }: WaysProps<Data, Variables>) {
  const query = document.toString().trim();
  const body = JSON.stringify({ query: query.replace(/\s+/g, ' '), variables });
  return (
    <>
      <Snippet title="GraphQL" text={query} />
      <Snippet title="Variables" text={JSON.stringify(variables, null, 2)} />
      <Snippet
        title="curl"
        text={`curl -sSf ${quoted(ENDPOINT.href)} \\\n  ${TOKEN} -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`}
      />
      {command !== undefined && <Snippet title="Command line" text={`npm run catalog -- ${command}`} />}
    </>
  );
}

/** The same at the end of a page, folded. */
export function SameAs<Data, Variables>(props: WaysProps<Data, Variables>) {
  const [open, setOpen] = useState(false);
  return (
    <details className="same-as" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The same as</summary>
      {open && <Ways {...props} />}
    </details>
  );
}

/** Of what GraphQL does not have. @param path below the service */
export function SameAsRead({ path }: { path: string }) {
  return (
    <details className="same-as">
      <summary>The same as</summary>
      <Snippet title="curl" text={`curl -sSf ${quoted(new URL(path, SERVICE).href)} \\\n  ${TOKEN}`} />
    </details>
  );
}

function Snippet({ title, text }: { title: string; text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <section className="snippet" aria-label={title}>
      <h2>
        {title} {/* Browsers let pages copy on secure addresses only. */}
        {isSecureContext && (
          <button
            aria-label={`Copy ${title}`}
            onClick={() => {
              void navigator.clipboard.writeText(text).then(() => setCopied(true));
            }}
          >
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
      </h2>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
