import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineCounter, isNode, parseDocument } from 'yaml';
import type { ModelProblem } from './model-error.js';

/** One model file after parsing. */
export interface ModelDocument {
  readonly file: string;
  readonly content: unknown;
}

/** Where the model that ships with the service comes from: one JSON made by the build, or the YAML folders. */
export type ModelSource = { readonly bundle: string } | { readonly folders: readonly string[] };

const MODEL_FILE = /\.(ya?ml|json)$/;

/** The build's bundle where there is one, else the folders of the source tree. */
export function builtInSource(): ModelSource {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const bundle = join(here, 'model.json');
  return existsSync(bundle) ? { bundle } : { folders: sourceFolders(join(here, '..', '..')) };
}

/** The folders below a source root that hold model files: the kernel's own, and `models/` of each module. */
export function sourceFolders(sourceRoot: string): string[] {
  const own = ['entities', 'aspects', 'records'].map((f) => join(sourceRoot, 'catalog', 'model', f));
  const modules = join(sourceRoot, 'modules');
  const owned = existsSync(modules)
    ? readdirSync(modules)
        .sort()
        .map((name) => join(modules, name, 'models'))
    : [];
  return [...own, ...owned].filter((folder) => existsSync(folder));
}

/** Reads a source. Problems of syntax are added to `problems`, the files concerned left out. */
export function readSource(source: ModelSource, problems: ModelProblem[]): ModelDocument[] {
  if ('bundle' in source) return JSON.parse(readFileSync(source.bundle, 'utf8')) as ModelDocument[];
  return source.folders.flatMap((folder) => readFolder(folder, problems));
}

/** Reads every `.yaml`, `.yml` and `.json` below a folder, in the order of their paths. */
export function readFolder(folder: string, problems: ModelProblem[]): ModelDocument[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    problems.push({ file: folder, place: '', reason: 'no such folder' });
    return [];
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => MODEL_FILE.test(name))
    .sort()
    .map((name) => join(folder, name));
  return files.flatMap((file) => readFile(file, problems));
}

function readFile(file: string, problems: ModelProblem[]): ModelDocument[] {
  const document = parseDocument(readFileSync(file, 'utf8'), { prettyErrors: true });
  for (const error of document.errors) {
    const at = error.linePos?.[0];
    // The library appends an excerpt of the file; the first line says it all.
    const reason = (error.message.split('\n')[0] ?? error.code).replace(/ at line \d+, column \d+:?$/, '');
    problems.push({ file, place: at ? `line ${at.line}, column ${at.col}` : '', reason });
  }
  return document.errors.length > 0 ? [] : [{ file, content: document.toJS() as unknown }];
}

/** The place of a problem for people: the JSON pointer, with the line where the file can be read again. */
export function placeOf(file: string, path: readonly string[]): string {
  const pointer = path.length === 0 ? '' : `/${path.join('/')}`;
  if (!existsSync(file)) return pointer;
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  // The innermost node that exists: a missing key has no line of its own.
  for (let depth = path.length; depth >= 0; depth--) {
    const keys = path.slice(0, depth).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const node = depth === 0 ? document.contents : document.getIn(keys, true);
    if (isNode(node) && node.range) return `line ${lines.linePos(node.range[0]).line} ${pointer}`.trimEnd();
  }
  return pointer;
}
