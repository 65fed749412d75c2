import { readFileSync } from 'node:fs';

/** The version in package.json, which lies one folder up from the sources and from the build alike. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
