import { readFileSync } from 'node:fs';

/**
 * The text of the program of a thread, read while the module loads that starts it: a thread that starts later, after another
 * build, has to be the one that this process knows. From the sources, as in tests, it is that of the last build.
 * @param here `import.meta.url` of the module
 * @param program file beside it in the build, without `.js`
 */
export function threadSource(here: string, program: string): string {
  const folder = here.endsWith('.ts') ? here.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : here;
  return readFileSync(new URL(`./${program}.js`, folder), 'utf8');
}
