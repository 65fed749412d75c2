import { withinSlop } from '../../../../catalog/search/index.js';
import type { IndexConnection } from '../index-connection.js';
import type { Place } from './word-match.js';

/** So many tokens are looked up at once. */
const TOKENS_AT_ONCE = 1000;

/** Documents that have one of the tokens at the place, in pieces. */
export function* docsWithTokens(
  file: IndexConnection,
  tokens: readonly string[],
  place: Place,
): Generator<readonly number[]> {
  for (let from = 0; from < tokens.length; from += TOKENS_AT_ONCE) {
    const some = JSON.stringify(tokens.slice(from, from + TOKENS_AT_ONCE));
    const sql = `SELECT json_group_array(doc) FROM (
      SELECT DISTINCT doc FROM instance WHERE term IN (SELECT value FROM json_each(?))${at(place)})`;
    yield JSON.parse(file.row<[string]>(sql, some)![0]) as number[];
  }
}

/** Those of the documents that have the parts at that distance in one column of the place. */
export function docsWithinSlop(
  file: IndexConnection,
  docs: Iterable<number>,
  parts: readonly string[],
  slop: number,
  place: Place,
): number[] {
  const among = JSON.stringify([...docs]);
  const byToken = new Map<string, Map<number, number[]>>();
  for (const part of parts) {
    if (!byToken.has(part)) byToken.set(part, positionsOf(file, part, among, place));
  }
  const found = new Set<number>();
  for (const column of byToken.get(parts[0]!)!.keys()) {
    const positions = parts.map((part) => byToken.get(part)!.get(column) ?? []);
    if (withinSlop(parts, positions, slop)) found.add(Math.floor(column / 4));
  }
  return [...found];
}

/** Where the token stands, by document and column, written as one number. */
function positionsOf(
  file: IndexConnection,
  token: string,
  among: string,
  place: Place,
): Map<number, number[]> {
  const sql = `SELECT json_group_array(doc * 4 + CASE col WHEN 'name' THEN 1 WHEN 'text' THEN 2 ELSE 3 END),
      json_group_array(offset)
    FROM instance WHERE term = ? AND doc IN (SELECT value FROM json_each(?))${at(place)}`;
  const [columns, offsets] = file
    .row<[string, string]>(sql, token, among)!
    .map((list) => JSON.parse(list) as number[]);
  const found = new Map<number, number[]>();
  for (const [i, column] of columns!.entries()) {
    const list = found.get(column);
    if (list) list.push(offsets![i]!);
    else found.set(column, [offsets![i]!]);
  }
  return found;
}

function at(place: Place): string {
  return place === 'anywhere' ? '' : ` AND col = '${place}'`;
}
