import { globSync, readFileSync } from 'node:fs';

/** Words of the public documents: they may be in messages, also when a class has the same name. */
function publicWords() {
  const files = [
    ...globSync('docs/schema.graphql'),
    ...globSync('docs/openapi/*.json'),
    ...globSync('src/**/*.yaml'),
  ];
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
}

/** Names of classes, tables and columns: everything that is made of several words, as no word of a language is. */
function readNames() {
  const words = publicWords();
  const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
  const names = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const classes = [...text.matchAll(/\bclass ([A-Z]\w*[a-z][A-Z]\w*)/g)].map(([, name]) => name);
    const inTables = file.includes('/migrations/') ? (text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []) : [];
    return [...classes, ...inTables];
  });
  return new Set(names.filter((name) => !words.has(name)));
}

let known;

/** What {@link readNames} finds, read once in each worker: it takes a third of a second. */
export const internalNames = () => (known ??= readNames());
