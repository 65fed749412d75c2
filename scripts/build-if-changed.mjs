// Builds when something that the build is made from is newer than the last build. A build takes seconds, a look none.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
  'src',
  'scripts',
  'playground',
  'home-page',
  'web',
  'docs/openapi',
  'examples',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  '.swcrc',
  'tsconfig.json',
];
/** Written by the last step of the build, so that one that failed is repeated. */
const BUILT = 'dist/.built';

const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The time of a folder changes when a file in it comes or goes.
  return readdirSync(path, { recursive: true }).reduce(
    (time, name) => Math.max(time, timeOf(join(path, name))),
    stat.mtimeMs,
  );
}

if (Math.max(...SOURCES.map(newest)) >= timeOf(BUILT)) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
