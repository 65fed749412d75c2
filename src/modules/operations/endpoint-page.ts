import type { ExampleCall } from '../../catalog/extension/documented.js';
import type { Endpoint, EndpointGroup } from './endpoint-listing.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: light-dark(#1d4ed8, #93b4ff); }
html { background: Canvas; color: CanvasText; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; border-block: 1px solid var(--line); }
a { color: var(--accent); }
h2 { margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0; }
h3 { margin: 0; font: 600 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h3 b { display: inline-block; min-width: 4.5rem; color: var(--accent); }
p { margin: .25rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0 0; }
dt { font-family: ui-monospace, monospace; } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: .75rem 0 0; padding: .5rem .75rem; background: var(--soft); border-radius: .25rem; overflow-x: auto; font-size: .85rem; }
.mark { font-size: .8rem; background: var(--soft); border-radius: .25rem; padding: .1rem .4rem; }`;

/** The page needs nothing from anywhere, and may load nothing. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The icon of the pages, in the page. */
const ICON =
  '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E' +
  '%3Cpath d=%22M3 3h10v2.5H3zm0 4h10v2.5H3zm0 4h6v2.5H3z%22 fill=%22%232563eb%22/%3E%3C/svg%3E">';

/** The listing for people. */
export function endpointPage(title: string, groups: readonly EndpointGroup[]): string {
  const links = groups.map(({ name }) => `<a href="#${escape(name)}">/${escape(name)}</a>`);
  const sections = groups.map(
    ({ name, endpoints }) =>
      `<section id="${escape(name)}"><h2>/${escape(name)}</h2>${endpoints.map(article).join('')}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>${ICON}<style>${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>
<p>Calls carry <code>Authorization: Bearer &lt;token&gt;</code>. URNs in paths are percent-encoded. The examples
name entities of the sample in <code>examples/</code>: see its README. They read the address of the service from
<code>CATALOG_URL</code> and the token from <code>CATALOG_TOKEN</code>. The same listing as JSON: ask for
<code>Accept: application/json</code>.</p>
<nav>${links.join(' ')}</nav>
${sections.join('\n')}
</main></body></html>
`;
}

function article(endpoint: Endpoint): string {
  const { method, path, summary, answer, deprecated, example, parameters = {} } = endpoint;
  const terms = Object.entries(parameters).map(([name, text]) => [name, text] as const);
  if (answer !== undefined) terms.push(['→', answer]);
  const list = terms.map(([name, text]) => `<dt>${escape(name)}</dt><dd>${escape(text)}</dd>`).join('');
  const mark = deprecated ? ' <span class="mark">deprecated</span>' : '';
  return `<article><h3><b>${escape(method)}</b> ${escape(path)}${mark}</h3>
${summary === undefined ? '' : `<p>${escape(summary)}</p>`}${list === '' ? '' : `<dl>${list}</dl>`}${example ? `<pre tabindex="0">${escape(curl(method, example))}</pre>` : ''}</article>`;
}

/** The example as a command of the shell. */
function curl(method: string, { path, headers = {}, body }: ExampleCall): string {
  const given = {
    Authorization: 'Bearer $CATALOG_TOKEN',
    ...headers,
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const lines = Object.entries(given).map(([name, value]) => `-H "${name}: ${value}"`);
  if (body) lines.push(`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  return [`curl -X ${method} "$CATALOG_URL${path}"`, ...lines].join(' \\\n  ');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
