import { globSync, readFileSync } from 'node:fs';

/** What a caller sent and got, as far as a refusal is about it. */
export interface Exchange {
  /** Method, address and body, as they were sent. */
  request: string;
  status: number;
  body: any;
}

const HOUR_MS = 3_600_000;
/** What no text for callers has, whatever it is about. */
const NEVER =
  /\[object \w+\]|\bundefined\b|\bNaN\b|\b(Type|Range|Reference|Syntax)Error\b|\bSQLITE_\w+|\bER_[A-Z_]+|\bE(NOENT|ACCES|CONNREFUSED|PIPE)\b|\w_exception\b|(?:\/[\w.-]+)+\.(?:ts|js|mjs|db)\b|node_modules|\bat \w+ \(/;

/** Words of the public documents: they may be in messages, also when a class has the same name. */
function publicWords(): Set<string> {
  const files = [
    ...globSync('docs/schema.graphql'),
    ...globSync('docs/openapi/*.json'),
    ...globSync('src/**/*.yaml'),
  ];
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
}

/** Names of classes, tables and columns: everything that is made of several words, as no word of a language is. */
function internalNames(): Set<string> {
  const words = publicWords();
  const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
  const names = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const classes = [...text.matchAll(/\bclass ([A-Z]\w*[a-z][A-Z]\w*)/g)].map(([, name]) => name!);
    const inTables = file.includes('/migrations/') ? (text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []) : [];
    return [...classes, ...inTables];
  });
  return new Set(names.filter((name) => !words.has(name)));
}

let known: Set<string> | undefined;

/** Every text of an answer that says what was wrong. */
function messagesOf({ status, body }: Exchange): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const own = status >= 400 ? [body.message, body.detail, body.error] : [];
  const errors = Array.isArray(body.errors) ? body.errors : [];
  const inner = errors.flatMap((e: any) => [
    e?.message,
    ...(e?.extensions?.errors ?? []).map((x: any) => x?.message),
  ]);
  return [...own, ...inner].filter((text) => typeof text === 'string');
}

/** The fields of the index have the time of their generation in their names, in base 36. */
function isGeneration(word: string): boolean {
  return /^[0-9a-z]{8}$/.test(word) && Math.abs(Number.parseInt(word, 36) - Date.now()) < 24 * HOUR_MS;
}

/**
 * Internal words in a refusal: names of classes, tables, columns, generated fields and files, and what a program writes
 * where a value is missing. What the caller sent itself may be repeated.
 */
export function insidesIn(exchange: Exchange): string[] {
  known ??= internalNames();
  const internal = known;
  const found = messagesOf(exchange).flatMap((message) => [
    ...(NEVER.exec(message)?.slice(0, 1) ?? []),
    ...(message.match(/[A-Za-z0-9_]+/g) ?? []).filter((word) => internal.has(word) || isGeneration(word)),
  ]);
  if (found.length === 0) return [];
  let sent = exchange.request;
  try {
    sent += decodeURIComponent(exchange.request);
  } catch {
    // Not everything that is sent can be decoded.
  }
  return [...new Set(found)].filter((word) => !sent.includes(word));
}

/** @throws Error when a refusal tells of the insides. Called for every answer that a test gets. */
export function checkRefusal(exchange: Exchange): void {
  const insides = insidesIn(exchange);
  if (insides.length === 0) return;
  const texts = messagesOf(exchange).join(' | ').slice(0, 500);
  throw new Error(`a refusal tells of the insides (${insides.join(', ')}): ${texts}`);
}
