import { useState } from 'react';
import { ENDPOINT } from '../api.js';
import { EntityDocument } from '../generated.js';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** How programs get what the page shows. */
export function SameAs({ urn }: { urn: string }) {
  const query = EntityDocument.toString().trim();
  const body = JSON.stringify({ query: query.replace(/\s+/g, ' '), variables: { urn } });
  return (
    <>
      <Snippet title="GraphQL" text={query} />
      <Snippet title="Variables" text={JSON.stringify({ urn }, null, 2)} />
      <Snippet
        title="curl"
        text={`curl -sSf ${quoted(ENDPOINT.href)} \\\n  -H "Authorization: Bearer $CATALOG_TOKEN" -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`}
      />
      <Snippet title="Command line" text={`npm run catalog -- get ${quoted(urn)}`} />
    </>
  );
}

function Snippet({ title, text }: { title: string; text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <section className="snippet" aria-label={title}>
      <h3>
        {title} {/* Browsers let pages copy on secure addresses only. */}
        {isSecureContext && (
          <button
            onClick={() => {
              void navigator.clipboard.writeText(text).then(() => setCopied(true));
            }}
          >
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
      </h3>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
