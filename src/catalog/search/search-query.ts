/**
 * The query tree: what is searched for, as data. Fields are resolved (groups expanded, suffixes gone, numbers
 * parsed) and words cut into tokens, so that an adapter only translates.
 */
export type QueryNode =
  | { op: 'all' }
  | { op: 'none' }
  | { op: 'and'; nodes: readonly QueryNode[] }
  | { op: 'or'; nodes: readonly QueryNode[] }
  | { op: 'not'; node: QueryNode }
  | SharedNode
  | TextNode
  | FieldNode;

/** A condition that many searches share: what matches may be kept under its key until the index changes. */
export interface SharedNode {
  op: 'shared';
  /** Short, and another one for every other node. */
  key: string;
  node: QueryNode;
}

/** All words must occur somewhere in the text of the document. */
export interface TextNode {
  op: 'text';
  /** As it was typed, for ranking a name that equals it. */
  text: string;
  words: readonly TextWord[];
}

/** One word or quoted phrase. */
export interface TextWord {
  /** Tokens that must stand next to each other. */
  parts: readonly string[];
  /** The same as one token, which is as good as the parts. */
  whole: string;
  /** Whether longer words that begin with it count. */
  prefix: boolean;
  /**
   * Tokens count that differ from the whole by so many letters added, left out, changed or swapped with their
   * neighbours.
   */
  edits?: 1 | 2;
  /** Tokens of that form count, and the parts and the whole mean nothing. */
  pattern?: TextPattern;
  /** By how much the parts may stand apart or in another order; see `phrase-distance.ts`. */
  slop?: number;
}

/** A test of a whole text, whatever its case. */
export type TextPattern =
  /** `*` is any text, `?` one character, a backslash takes their meaning. */
  | { is: 'like'; pattern: string }
  /** See {@link RegularExpression}. */
  | { is: 'regexp'; expression: string }
  /** Differs by so many characters added, left out, changed or swapped with their neighbours. */
  | { is: 'near'; text: string; edits: 1 | 2 };

/** At least one value of the field passes the test. */
export interface FieldNode {
  op: 'field';
  field: string;
  test: FieldTest;
}

export type FieldValue = string | number | boolean;

export type FieldTest =
  | { is: 'exists' }
  | { is: 'equal'; values: readonly FieldValue[] }
  | { is: 'range'; from?: RangeEnd; to?: RangeEnd }
  /** Comparisons of strings; without `ignoreCase` byte for byte. */
  | { is: 'same' | 'contains' | 'starts' | 'ends'; text: string; ignoreCase: boolean }
  /** About the whole value. */
  | TextPattern
  /** All words occur in one value, as in a text. */
  | { is: 'words'; words: readonly TextWord[] };

/** Numbers compare as numbers, strings by code points. */
export interface RangeEnd {
  value: string | number;
  inclusive: boolean;
}

export const ALL: QueryNode = { op: 'all' };
export const NONE: QueryNode = { op: 'none' };

/** Every node must match; flattens what is trivial. */
export function allOf(nodes: readonly QueryNode[]): QueryNode {
  const real = nodes.flatMap((n) => (n.op === 'all' ? [] : n.op === 'and' ? n.nodes : [n]));
  if (real.some((n) => n.op === 'none')) return NONE;
  return real.length === 0 ? ALL : real.length === 1 ? real[0]! : { op: 'and', nodes: real };
}

/** Any node may match; of no nodes, none does. */
export function anyOf(nodes: readonly QueryNode[]): QueryNode {
  const real = nodes.flatMap((n) => (n.op === 'none' ? [] : n.op === 'or' ? n.nodes : [n]));
  if (real.some((n) => n.op === 'all')) return ALL;
  return real.length === 0 ? NONE : real.length === 1 ? real[0]! : { op: 'or', nodes: real };
}

export function not(node: QueryNode): QueryNode {
  if (node.op === 'not') return node.node;
  return node.op === 'all' ? NONE : node.op === 'none' ? ALL : { op: 'not', node };
}

/** The text leaves that a hit may owe its place to: those that are not negated. */
export function textNodes(node: QueryNode): TextNode[] {
  if (node.op === 'text') return [node];
  return node.op === 'and' || node.op === 'or' ? node.nodes.flatMap(textNodes) : [];
}
