// Writes docs/configuration.md from the variables that the service reads; with --check, compares. Runs on the build.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { VARIABLES } = await import('../dist/config/variables.js');
const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const rows = Object.values(VARIABLES).map(({ name, meaning, allowed, fallback }) =>
  ['', `\`${name}\``, meaning, allowed, fallback, ''].join(' | ').trim(),
);
const text = `# Configuration

All of it comes from the environment, is read once at start, and a wrong value stops the start with a message that says
what is allowed. This page is made from \`src/config/variables/\` by \`npm run generate\`.

| Variable | Meaning | Allowed | When it is not set |
| --- | --- | --- | --- |
${rows.join('\n')}

\`npm run catalog\` reads \`PORT\` and \`CATALOG_HOME\` to find the service and its token, and two variables more:
\`CATALOG_URL\`, where the service is, and \`CATALOG_TOKEN\`, the token to call with instead of \`CATALOG_ADMIN_TOKEN\` or the one in \`<CATALOG_HOME>/admin-token\`.
`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('docs/configuration.md is out of date: npm run generate');
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
}
