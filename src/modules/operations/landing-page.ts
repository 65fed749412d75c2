import { ICON } from './endpoint-page.js';

/** The pages of the service, and what each is good for. */
const PAGES = [
  [
    'graphiql',
    'GraphQL playground',
    'Query and edit the catalog in GraphQL, with examples and the whole schema.',
  ],
  ['openapi/swagger-ui', 'OpenAPI explorer', 'The entity API, to try out in the browser.'],
  ['restli/docs', 'Endpoints', 'Every endpoint with its parameters and responses.'],
  ['health', 'Health', 'Status of the service and its dependencies.'],
] as const;

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --accent: #2563eb; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 3rem 1rem; }
li { list-style: none; border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0; }
ul { padding: 0; } a { color: var(--accent); font-weight: 600; } p { margin: .25rem 0; }`;

/** The page at `/`. */
export function landingPage(version: string): string {
  const items = PAGES.map(
    ([path, name, text]) => `<li><a href="${path}">${name}</a><p>${text}</p></li>`,
  ).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Metadata catalog</title>${ICON}<style>${STYLE}</style></head>
<body><main><h1>Metadata catalog</h1><p>Version ${version}. Calls carry <code>Authorization: Bearer &lt;token&gt;</code>.</p>
<ul>
${items}
</ul></main></body></html>
`;
}
