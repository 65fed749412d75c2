import { globSync, readFileSync } from 'node:fs';

/** Names of classes, tables and columns: everything that is made of several words, as no word of a language is. */
function readNames() {
  const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
  const names = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const classes = [...text.matchAll(/\bclass ([A-Z]\w*[a-z][A-Z]\w*)/g)].map(([, name]) => name);
    const inTables = file.includes('/migrations/') ? (text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []) : [];
    return [...classes, ...inTables];
  });
  return new Set(names);
}

/** The public documents: their words may be in messages, also when a class has the same name. */
function readDocuments() {
  const files = [
    ...globSync('docs/schema.graphql'),
    ...globSync('docs/openapi/*.json'),
    ...globSync('src/**/*.yaml'),
  ];
  return files.map((file) => readFileSync(file, 'utf8'));
}

let names;
let documents;
const internal = new Map();

/** Whether a word is such a name and in no public document, which few words of messages make it necessary to look at. */
export function isInternalName(word) {
  names ??= readNames();
  if (!names.has(word)) return false;
  let known = internal.get(word);
  if (known === undefined) {
    documents ??= readDocuments();
    known = !documents.some((text) => new RegExp(`\\b${word}\\b`).test(text));
    internal.set(word, known);
  }
  return known;
}
