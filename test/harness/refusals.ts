/** What a caller sent and got, as far as a refusal is about it. */
export interface Exchange {
  /** Method, address and body, as they were sent. */
  request: string;
  status: number;
  body: any;
}

/** Whether a word names a class, table or column, and no public document has it; of build-environment.mjs. */
declare const isInternalName: (word: string) => boolean;

const HOUR_MS = 3_600_000;
/** What no text for callers has, whatever it is about. */
const NEVER =
  /\[object \w+\]|\bundefined\b|\bNaN\b|\b(Type|Range|Reference|Syntax)Error\b|\bSQLITE_\w+|\bER_[A-Z_]+|\bE(NOENT|ACCES|CONNREFUSED|PIPE)\b|\w_exception\b|(?:\/[\w.-]+)+\.(?:ts|js|mjs|db)\b|node_modules|\bat \w+ \(/;

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
  const found = messagesOf(exchange).flatMap((message) => [
    ...(NEVER.exec(message)?.slice(0, 1) ?? []),
    ...(message.match(/[A-Za-z0-9_]+/g) ?? []).filter((word) => isInternalName(word) || isGeneration(word)),
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
