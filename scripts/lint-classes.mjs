// No two classes of the service have one name: a reader who looks for one finds it. Part of `npm run lint`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('/generated/'));

const places = new Map();
for (const file of files) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)) {
    places.set(name, [...(places.get(name) ?? []), file]);
  }
}
const shared = [...places].filter(([, found]) => found.length > 1);
for (const [name, found] of shared)
  console.error(`class ${name} stands in ${found.join(' and ')}: rename one`);
if (shared.length > 0) process.exit(1);
