import { createHash } from 'node:crypto';
import {
  indexText,
  lastPieceToken,
  NAME_BOOST,
  STATIC_BOOST_FIELD,
  URN_FIELD,
  wholeToken,
  type FieldMap,
  type FieldValue,
  type SearchDocument,
  type SearchField,
} from '../../../catalog/search/index.js';
import { browseTerms } from './browse-terms.js';
import { columnName, isProse, keyOf } from './columns.js';
import { keyedTerm, orderKey, termOf, valueTerm } from './terms.js';

/** The id of a document: URNs may be longer than ids may. */
export function idOf(urn: string): string {
  return createHash('sha256').update(urn).digest('hex');
}

/** What is left of a deleted entity: its version, and nothing to find it by. */
export function tombstoneSource(urn: string, sequence: number): object {
  return { urn: urn.toWellFormed(), seq: sequence };
}

/** What walks are divided by, evenly: a number of 32 bits from the id. */
function sliceOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16);
}

/**
 * A document as the mappings of `index-layout.ts` want it. `body` is the whole of it, to answer from.
 * @param completed names of fields whose values are offered as completions
 */
export function documentSource(
  document: SearchDocument,
  schema: FieldMap,
  completed: ReadonlySet<string>,
): object {
  const { urn, entity, sequence, fields } = document;
  const tokens = tokensOnce();
  const staticBoost = Number(fields[STATIC_BOOST_FIELD]?.[0] ?? 1);
  const tree = browseTerms(schema, fields);
  return {
    urn: urn.toWellFormed(),
    urn_l: foldOf(urn),
    entity,
    seq: sequence,
    slice: sliceOf(idOf(urn)),
    standing: staticBoost,
    body: JSON.stringify(fields),
    ...words(schema, fields, tokens),
    ...columns(schema, fields, tokens),
    c: completionColumns(schema, fields, completed, staticBoost, tokens),
    paths: tree.paths,
    ...tree.columns,
  };
}

type Fields = SearchDocument['fields'];

type Tokens = (text: string) => string;

/** The tokens of a text, separated by blanks. Most texts go into two columns. */
function tokensOnce(): Tokens {
  const known = new Map<string, string>();
  return (text) => {
    let tokens = known.get(text);
    if (tokens === undefined) known.set(text, (tokens = indexText(text)));
    return tokens;
  };
}

function columns(schema: FieldMap, fields: Fields, tokens: Tokens): object {
  const k: Record<string, string[]> = {};
  const l: Record<string, string[]> = {};
  const n: Record<string, number[]> = {};
  const w: Record<string, string[]> = {};
  const sp = { sp_k: [] as string[], sp_s: [] as string[], sp_l: [] as string[], sp_n: [] as string[] };
  for (const [field, values] of Object.entries(fields)) {
    if (field === URN_FIELD || values.length === 0) continue;
    const known = schema.get(field);
    if (!known) {
      addKeyed(sp, keyOf(field), values);
      continue;
    }
    const column = columnName(field);
    k[column] = values.map(valueTerm);
    const folds = values.flatMap(foldOf);
    if (folds.length > 0) l[column] = folds;
    const numbers = values.filter((value) => typeof value === 'number');
    if (numbers.length > 0) n[column] = numbers;
    if (isProse(known)) {
      w[column] = values.flatMap((value) => (typeof value === 'string' ? [tokens(value)] : []));
    }
  }
  return { k, l, n, w, ...sp };
}

function addKeyed(
  sp: { sp_k: string[]; sp_s: string[]; sp_l: string[]; sp_n: string[] },
  key: string,
  values: readonly FieldValue[],
): void {
  sp.sp_k.push(key.toWellFormed());
  for (const value of values) {
    sp.sp_s.push(keyedTerm(key, valueTerm(value)));
    for (const fold of foldOf(value)) sp.sp_l.push(keyedTerm(key, fold));
    if (typeof value === 'number') sp.sp_n.push(keyedTerm(key, orderKey(value)));
  }
}

/** The lower-case form of a text; numbers have none. */
function foldOf(value: FieldValue): string[] {
  return typeof value === 'number' ? [] : [termOf(String(value).toLowerCase())];
}

/** Tokens by class of text, and names as one token each. */
function words(schema: FieldMap, fields: Fields, tokens: Tokens): object {
  const t = { name: [] as string[], text: [] as string[], minor: [] as string[] };
  const whole = new Set<string>();
  const last = new Set<string>();
  for (const field of schema.values()) {
    if (!field.queryByDefault) continue;
    const column = t[classOf(field)];
    for (const value of fields[field.name] ?? []) {
      if (typeof value !== 'string') continue;
      const found = tokens(value);
      if (found !== '') column.push(found);
      if (field.boost < NAME_BOOST) continue;
      const token = wholeToken(value);
      if (token === '') continue;
      whole.add(token);
      last.add(lastPieceToken(value));
    }
  }
  return {
    t: { name: t.name.join(' '), text: t.text.join(' '), minor: t.minor.join(' ') },
    whole: [...whole],
    last: [...last],
  };
}

/**
 * The values that are offered as completions: each of them as one token, and the tokens of those that `t.name` does not
 * have. The distance orders documents that begin with what was typed: by the shortest of their own names, and by their
 * static boost. What they refer to, such as a platform, has one name for all of them.
 */
function completionColumns(
  schema: FieldMap,
  fields: Fields,
  completed: ReadonlySet<string>,
  staticBoost: number,
  tokens: Tokens,
): object {
  const [words, whole] = [new Set<string>(), new Set<string>()];
  let [own, other] = [Infinity, Infinity];
  for (const [field, values] of Object.entries(fields)) {
    if (!completed.has(field)) continue;
    for (const value of values) {
      if (typeof value !== 'string') continue;
      const token = wholeToken(value);
      if (token === '') continue;
      whole.add(token);
      const known = schema.get(field);
      if (!known?.queryByDefault || classOf(known) !== 'name') words.add(tokens(value));
      if (known?.kind === 'URN') other = Math.min(other, token.length);
      else own = Math.min(own, token.length);
    }
  }
  const length = own === Infinity ? other : own;
  const distance = length / Math.max(staticBoost, 0.01);
  return { words: [...words], whole: [...whole], ...(distance !== Infinity && { distance }) };
}

function classOf({ name, boost }: SearchField): 'name' | 'text' | 'minor' {
  if (boost >= NAME_BOOST) return 'name';
  return boost >= 1 && name !== URN_FIELD ? 'text' : 'minor';
}
