/** A query as it was written. `at` is where in the text a part begins, in UTF-16 units from 0. */
export type QueryAst =
  | { is: 'everything'; at: number }
  | { is: 'and'; parts: readonly QueryAst[]; at: number }
  | { is: 'or'; parts: readonly QueryAst[]; at: number }
  | { is: 'not'; part: QueryAst; at: number }
  | TermAst
  | PhraseAst
  | PatternAst
  | ExpressionAst
  | RangeAst
  | { is: 'exists'; field: string; at: number };

/** One word or value, escapes undone. */
export interface TermAst {
  is: 'term';
  /** Absent: anywhere in the text of the entity. */
  field?: string;
  text: string;
  /** Letters that may differ; `auto` leaves it to the length of the word. */
  fuzziness?: Fuzziness;
  at: number;
}

export type Fuzziness = 0 | 1 | 2 | 'auto';

/** What stood in quotes. */
export interface PhraseAst {
  is: 'phrase';
  field?: string;
  text: string;
  /** How many moves of words there may be. */
  slop?: number;
  at: number;
}

/** A word with wildcards; literal pieces between them. */
export interface PatternAst {
  is: 'pattern';
  field?: string;
  pieces: readonly PatternPiece[];
  at: number;
}

export type PatternPiece = { text: string } | { wildcard: '*' | '?' };

/** As tests of values want it: wildcards bare, all else that could be one escaped. */
export function patternOf(pieces: readonly PatternPiece[]): string {
  return pieces.map((p) => ('text' in p ? p.text.replace(/[\\*?]/g, '\\$&') : p.wildcard)).join('');
}

/** A regular expression, as it stood between its slashes. */
export interface ExpressionAst {
  is: 'expression';
  field?: string;
  text: string;
  at: number;
}

export interface RangeAst {
  is: 'range';
  field: string;
  from?: BoundAst;
  to?: BoundAst;
  at: number;
}

export interface BoundAst {
  text: string;
  inclusive: boolean;
  at: number;
}

/** Whether a name in a query stands for all fields of that form. */
export function isFieldPattern(name: string): boolean {
  return name.includes('*');
}

/** Whether the name is of the form, in which `*` is any text. */
export function isNameLike(name: string, pattern: string): boolean {
  const [first, ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first!) || !name.endsWith(last)) return false;
  let at = first!.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= name.length;
}

/** All field names that a query brings, each once. */
export function fieldNames(ast: QueryAst): Set<string> {
  const names = new Set<string>();
  const visit = (node: QueryAst): void => {
    if (node.is === 'and' || node.is === 'or') node.parts.forEach(visit);
    else if (node.is === 'not') visit(node.part);
    else if (node.is !== 'everything' && node.field !== undefined) names.add(node.field);
  };
  visit(ast);
  return names;
}
