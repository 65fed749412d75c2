// All benchmarks, one after the other: npm run bench [name ...]
import { spawnSync } from 'node:child_process';
import { nodeOptions, ROOT } from './lib.mjs';

/** What runs in the process of its benchmark has the memory that the service would give it. */
const optionsOf = (name) => (name === 'growth' ? nodeOptions('start') : []);

const names = process.argv.slice(2);
for (const name of names.length > 0
  ? names
  : [
      'start',
      'memory',
      'ingest',
      'read',
      'graphql',
      'openapi',
      'structured-properties',
      'search',
      'growth',
      'mixed',
      'feed',
      'audit',
      'policies',
      'keep',
      'web',
    ]) {
  const { status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...optionsOf(name), `bench/${name}.mjs`],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}
