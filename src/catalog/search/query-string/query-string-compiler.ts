import { refuse } from '../../errors/index.js';
import { ENTITY_TYPE_FIELD } from '../search-document.js';
import { beginsLongerWords, equal, exactValue, numberIn, type FieldLookup } from '../query-compiler.js';
import {
  ALL,
  allOf,
  anyOf,
  NONE,
  not,
  type FieldTest,
  type QueryNode,
  type RangeEnd,
  type TextWord,
} from '../search-query.js';
import { NUMBER_KINDS, type SearchField } from '../search-schema.js';
import { chunksOf, partTokens } from '../tokens.js';
import type {
  BoundAst,
  ExpressionAst,
  Fuzziness,
  PatternAst,
  PatternPiece,
  PhraseAst,
  QueryAst,
  RangeAst,
  TermAst,
} from './query-ast.js';

/** What the names in a query stand for. */
interface QueryFields {
  lookup: FieldLookup;
  /** Fields that words without a field name are looked for in. */
  queried: readonly SearchField[];
}

/**
 * A query as a query tree. A field that nobody knows has no values.
 * @throws CatalogError FILTER_INVALID when a value is not what its field holds
 */
export function compileQuery(ast: QueryAst, fields: QueryFields, pointer: string): QueryNode {
  return new QueryStringCompiler(fields, pointer).node(ast);
}

class QueryStringCompiler {
  constructor(
    private readonly fields: QueryFields,
    private readonly pointer: string,
  ) {}

  node(ast: QueryAst): QueryNode {
    switch (ast.is) {
      case 'everything':
        return ALL;
      case 'and':
        return allOf(ast.parts.map((part) => this.node(part)));
      case 'or':
        return anyOf(ast.parts.map((part) => this.node(part)));
      case 'not':
        return not(this.node(ast.part));
      case 'exists':
        return this.inFields(ast.field, (field) => test(field, { is: 'exists' }));
      case 'term':
        return ast.field === undefined
          ? textNode(ast.text, this.termWords(ast))
          : this.inFields(ast.field, (field) => this.term(field, ast));
      case 'phrase':
        return ast.field === undefined
          ? textNode(ast.text, phraseWords(ast.text))
          : this.inFields(ast.field, (field) => this.phrase(field, ast));
      case 'pattern':
        return ast.field === undefined
          ? this.patternAnywhere(ast)
          : this.inFields(ast.field, (field) => this.pattern(field, ast));
      case 'expression':
        return ast.field === undefined
          ? anyOf(this.fields.queried.filter(hasTexts).map((field) => this.expression(field, ast)))
          : this.inFields(ast.field, (field) => this.expression(field, ast));
      case 'range':
        return this.inFields(ast.field, (field) => this.range(field, ast));
    }
  }

  private inFields(name: string, compile: (field: SearchField) => QueryNode): QueryNode {
    return anyOf(this.fields.lookup(name).map(compile));
  }

  private term(field: SearchField, ast: TermAst): QueryNode {
    if (isText(field)) return inText(field, ast.text, this.termWords(ast));
    if (ast.fuzziness !== undefined)
      throw this.invalid(`"~" is for words of texts, and ${field.name} holds none`);
    return this.value(field, ast.text);
  }

  private phrase(field: SearchField, { text }: PhraseAst): QueryNode {
    return isText(field) ? inText(field, text, phraseWords(text)) : this.value(field, text);
  }

  private value(field: SearchField, text: string): QueryNode {
    if (NUMBER_KINDS.has(field.kind)) this.number(field, text);
    if (field.kind === 'BOOLEAN' && !/^(true|false)$/i.test(text)) {
      throw this.invalid(`${field.name} is true or false, not ${JSON.stringify(text)}`);
    }
    return field.kind === 'BOOLEAN' || NUMBER_KINDS.has(field.kind)
      ? equal(field, [text])
      : exactValue(field, text);
  }

  /** `user*` is any longer word; wildcards elsewhere are compared with whole values. */
  private patternAnywhere({ pieces }: PatternAst): QueryNode {
    const beginning = beginningOf(pieces);
    if (beginning !== undefined) return textNode(beginning, beginningWords(beginning));
    const pattern = patternOf(pieces);
    return anyOf(this.fields.queried.filter(hasTexts).map((field) => like(field, pattern)));
  }

  private pattern(field: SearchField, { pieces }: PatternAst): QueryNode {
    if (!hasTexts(field)) throw this.invalid(`wildcards are for texts, and ${field.name} holds none`);
    const beginning = isText(field) ? beginningOf(pieces) : undefined;
    if (beginning !== undefined) return inText(field, beginning, beginningWords(beginning));
    const pattern = patternOf(pieces);
    const bareId = (field.kind === 'URN' || field.kind === 'URN_PARTIAL') && !/^(urn:|[*?])/.test(pattern);
    return like(field, bareId ? `*:${pattern}` : pattern);
  }

  private expression(field: SearchField, { text }: ExpressionAst): QueryNode {
    if (!hasTexts(field))
      throw this.invalid(`regular expressions are for texts, and ${field.name} holds none`);
    const whole = test(field, { is: 'regexp', expression: text });
    if (field.kind !== 'URN' && field.kind !== 'URN_PARTIAL') return whole;
    // A URN, or its id, as with other values.
    return anyOf([whole, test(field, { is: 'regexp', expression: `urn:li:[^:]+:(${text})` })]);
  }

  private range(field: SearchField, { from, to }: RangeAst): QueryNode {
    if (field.kind === 'BOOLEAN') throw this.invalid(`${field.name} is true or false and has no order`);
    return test(field, {
      is: 'range',
      ...(from && { from: this.end(field, from) }),
      ...(to && { to: this.end(field, to) }),
    });
  }

  private end(field: SearchField, { text, inclusive }: BoundAst): RangeEnd {
    return { value: NUMBER_KINDS.has(field.kind) ? this.number(field, text) : text, inclusive };
  }

  private number(field: SearchField, text: string): number {
    const number = numberIn(field, text);
    if (!Number.isNaN(number)) return number;
    const kind = field.kind === 'DATETIME' ? 'times (milliseconds or ISO dates)' : 'numbers';
    throw this.invalid(`${field.name} holds ${kind}, ${JSON.stringify(text)} is none`);
  }

  private termWords({ text, fuzziness }: TermAst): TextWord[] {
    const words = chunksOf(text).map(({ parts, whole }) => ({
      parts,
      whole,
      prefix: fuzziness === undefined && beginsLongerWords(parts.at(-1)!),
    }));
    if (fuzziness === undefined) return words;
    if (words.some(({ parts }) => parts.length > 1)) {
      throw this.invalid(`"~" is for single words, and ${JSON.stringify(text)} has several`);
    }
    return words.map((word) => {
      const edits = editsOf(fuzziness, word.whole);
      return edits === 0 ? word : { ...word, edits };
    });
  }

  private invalid(message: string) {
    return refuse('FILTER_INVALID', message, this.pointer);
  }
}

const TEXT_KINDS: ReadonlySet<string> = new Set(['TEXT', 'TEXT_PARTIAL', 'WORD_GRAM']);

/** Whether the values are texts of words; those of other fields are compared as a whole. */
function isText(field: SearchField): boolean {
  return TEXT_KINDS.has(field.kind);
}

function hasTexts(field: SearchField): boolean {
  return !NUMBER_KINDS.has(field.kind) && field.kind !== 'BOOLEAN';
}

function test(field: SearchField, what: FieldTest): QueryNode {
  return { op: 'field', field: field.name, test: what };
}

function like(field: SearchField, pattern: string): QueryNode {
  // Entity types are kept in capitals with `_`; clients write them as the model does.
  const text = field.name === ENTITY_TYPE_FIELD ? pattern.toUpperCase() : pattern;
  return test(field, { is: 'like', pattern: text });
}

function textNode(text: string, words: readonly TextWord[]): QueryNode {
  return words.length === 0 ? NONE : { op: 'text', text, words };
}

/** The words within one value of the field. */
function inText(field: SearchField, text: string, words: readonly TextWord[]): QueryNode {
  if (words.length === 0) return NONE;
  const here = test(field, { is: 'words', words });
  // Searching the words of the whole document first is what engines are fast at.
  return field.queryByDefault ? allOf([{ op: 'text', text, words }, here]) : here;
}

function phraseWords(text: string): TextWord[] {
  const parts = partTokens(text);
  return parts.length === 0 ? [] : [{ parts, whole: parts.join(''), prefix: false }];
}

function beginningWords(text: string): TextWord[] {
  const chunks = chunksOf(text);
  return chunks.map(({ parts, whole }, i) => ({ parts, whole, prefix: i === chunks.length - 1 }));
}

/** What stands before the one star at the end; undefined when there are other wildcards. */
function beginningOf(pieces: readonly PatternPiece[]): string | undefined {
  const [first, last] = pieces;
  if (pieces.length !== 2 || !first || !('text' in first) || !last || !('wildcard' in last)) return undefined;
  return last.wildcard === '*' && chunksOf(first.text).length > 0 ? first.text : undefined;
}

/** As {@link FieldTest} wants it: wildcards bare, all else that could be one escaped. */
function patternOf(pieces: readonly PatternPiece[]): string {
  return pieces.map((p) => ('text' in p ? p.text.replace(/[\\*?]/g, '\\$&') : p.wildcard)).join('');
}

/** How many letters may differ: none of two, one of five, else two. */
function editsOf(fuzziness: Fuzziness, word: string): 0 | 1 | 2 {
  if (fuzziness !== 'auto') return fuzziness;
  const length = [...word].length;
  return length <= 2 ? 0 : length <= 5 ? 1 : 2;
}
