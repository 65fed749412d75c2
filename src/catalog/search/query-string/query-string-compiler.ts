import { CatalogError, refuse } from '../../errors/index.js';
import { ENTITY_TYPE_FIELD } from '../search-document.js';
import {
  anyVendorWord,
  beginsLongerWords,
  equal,
  exactValue,
  numberIn,
  type FieldLookup,
} from '../query-compiler.js';
import {
  ALL,
  allOf,
  anyOf,
  NONE,
  not,
  type FieldTest,
  type QueryNode,
  type RangeEnd,
  type TextPattern,
  type TextWord,
} from '../search-query.js';
import { fieldLabel } from '../property-fields.js';
import { NUMBER_KINDS, type SearchField } from '../search-schema.js';
import { chunksOf, folded, partTokens } from '../text/tokens.js';
import { dateMath } from './date-math.js';
import { isFieldPattern, patternOf } from './query-ast.js';
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

/** Longer values are not typed from memory. */
const MAX_MISSPELT = 256;

/** What the names in a query stand for. */
export interface QueryFields {
  lookup: FieldLookup;
  /** All fields whose names are of a form, in which `*` is any text. */
  named: FieldLookup;
  /** The time that `now` means, epoch milliseconds. */
  now: number;
  /** Fields that words without a field name are looked for in. */
  queried: readonly SearchField[];
}

/**
 * A query as a query tree. An unknown field has no values.
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
          ? textNode(ast.text, phraseWords(ast))
          : this.inFields(ast.field, (field) => this.phrase(field, ast));
      case 'pattern':
        return ast.field === undefined
          ? this.patternAnywhere(ast)
          : this.inFields(ast.field, (field) => this.pattern(field, ast));
      case 'expression':
        return ast.field === undefined
          ? this.anywhere(ast.text, { is: 'regexp', expression: ast.text }, (field) =>
              this.wholeExpression(field, ast),
            )
          : this.inFields(ast.field, (field) => this.expression(field, ast));
      case 'range':
        return this.inFields(ast.field, (field) => this.range(field, ast));
    }
  }

  private inFields(name: string, compile: (field: SearchField) => QueryNode): QueryNode {
    if (!isFieldPattern(name)) return anyOf(this.fields.lookup(name).map(compile));
    // What some of many fields cannot hold, others may.
    const lenient = (field: SearchField): QueryNode => {
      try {
        return compile(field);
      } catch (error) {
        if (error instanceof CatalogError && error.code === 'FILTER_INVALID') return NONE;
        throw error;
      }
    };
    return anyOf(this.fields.named(name).map(lenient));
  }

  /** Tokens of texts, or whole values of the fields that are searched by default. */
  private anywhere(text: string, pattern: TextPattern, whole: (field: SearchField) => QueryNode): QueryNode {
    const fields = this.fields.queried.filter(hasTexts);
    return anyOf([textNode(text, [patternWord(text, pattern)]), ...fields.map(whole)]);
  }

  private term(field: SearchField, ast: TermAst): QueryNode {
    if (isText(field)) return anyVendorWord(field, ast.text) ?? inText(field, ast.text, this.termWords(ast));
    return ast.fuzziness === undefined
      ? this.value(field, ast.text)
      : this.misspelt(field, ast.text, ast.fuzziness);
  }

  private misspelt(field: SearchField, text: string, fuzziness: Fuzziness): QueryNode {
    if (!hasTexts(field)) throw this.invalid(`"~" is for texts, and ${fieldLabel(field.name)} holds none`);
    if (isUrn(field) && !text.startsWith('urn:'))
      throw this.invalid(
        `"~" needs a whole URN in ${fieldLabel(field.name)}, which ${JSON.stringify(text)} is not`,
      );
    const { length } = [...text];
    if (length > MAX_MISSPELT)
      throw this.invalid(`"~" takes a value of at most ${MAX_MISSPELT} characters, this one has ${length}`);
    const edits = editsOf(fuzziness, text);
    return edits === 0 ? this.value(field, text) : test(field, { is: 'near', text, edits });
  }

  private phrase(field: SearchField, ast: PhraseAst): QueryNode {
    if (!isText(field)) return this.value(field, ast.text);
    return anyVendorWord(field, ast.text) ?? inText(field, ast.text, phraseWords(ast));
  }

  private value(field: SearchField, text: string): QueryNode {
    if (field.kind === 'DATETIME') return this.time(field, text);
    if (NUMBER_KINDS.has(field.kind)) this.number(field, text);
    if (field.kind === 'BOOLEAN' && !/^(true|false)$/i.test(text)) {
      throw this.invalid(`${fieldLabel(field.name)} is true or false, not ${JSON.stringify(text)}`);
    }
    return field.kind === 'BOOLEAN' || NUMBER_KINDS.has(field.kind)
      ? equal(field, [text])
      : exactValue(field, text);
  }

  /** A date without its hours is the whole day, and so on. */
  private time(field: SearchField, text: string): QueryNode {
    const [first, last] = [this.moment(field, text, false), this.moment(field, text, true)];
    if (first === last) return test(field, { is: 'equal', values: [first] });
    const end = (value: number) => ({ value, inclusive: true });
    return test(field, { is: 'range', from: end(first), to: end(last) });
  }

  /** `user*` is any longer word; other wildcards are compared with tokens and with whole values. */
  private patternAnywhere({ pieces }: PatternAst): QueryNode {
    const beginning = beginningOf(pieces);
    if (beginning !== undefined) return textNode(beginning, beginningWords(beginning));
    const pattern = patternOf(pieces);
    return this.anywhere(pattern, tokenPattern(pieces), (field) => like(field, pattern));
  }

  private pattern(field: SearchField, { pieces }: PatternAst): QueryNode {
    if (!hasTexts(field))
      throw this.invalid(`wildcards are for texts, and ${fieldLabel(field.name)} holds none`);
    const beginning = isText(field) ? beginningOf(pieces) : undefined;
    if (beginning !== undefined) return inText(field, beginning, beginningWords(beginning));
    const pattern = patternOf(pieces);
    const bareId = isUrn(field) && !/^(urn:|[*?])/.test(pattern);
    const whole = like(field, bareId ? `*:${pattern}` : pattern);
    if (!isText(field)) return whole;
    return anyOf([inText(field, pattern, [patternWord(pattern, tokenPattern(pieces))]), whole]);
  }

  private expression(field: SearchField, ast: ExpressionAst): QueryNode {
    if (!hasTexts(field))
      throw this.invalid(`regular expressions are for texts, and ${fieldLabel(field.name)} holds none`);
    const whole = this.wholeExpression(field, ast);
    if (!isText(field)) return whole;
    const word = patternWord(ast.text, { is: 'regexp', expression: ast.text });
    return anyOf([inText(field, ast.text, [word]), whole]);
  }

  private wholeExpression(field: SearchField, { text }: ExpressionAst): QueryNode {
    const whole = test(field, { is: 'regexp', expression: text });
    // A URN, or its id, as with other values.
    return isUrn(field) && text !== ''
      ? anyOf([whole, test(field, { is: 'regexp', expression: `urn:li:[^:]+:(${text})` })])
      : whole;
  }

  private range(field: SearchField, { from, to }: RangeAst): QueryNode {
    if (field.kind === 'BOOLEAN')
      throw this.invalid(`${fieldLabel(field.name)} is true or false and has no order`);
    return test(field, {
      is: 'range',
      // Of a whole day, "after" means after its end, and "up to" with it.
      ...(from && { from: this.end(field, from, !from.inclusive) }),
      ...(to && { to: this.end(field, to, to.inclusive) }),
    });
  }

  private end(field: SearchField, { text, inclusive }: BoundAst, last: boolean): RangeEnd {
    if (field.kind === 'DATETIME') return { value: this.moment(field, text, last), inclusive };
    return { value: NUMBER_KINDS.has(field.kind) ? this.number(field, text) : text, inclusive };
  }

  private number(field: SearchField, text: string): number {
    const number = numberIn(field, text);
    if (!Number.isNaN(number)) return number;
    throw this.invalid(`${fieldLabel(field.name)} holds numbers, ${JSON.stringify(text)} is none`);
  }

  private moment(field: SearchField, text: string, last: boolean): number {
    const precise = dateMath(text, this.fields.now, last);
    const time = Number.isNaN(precise) ? numberIn(field, text) : precise;
    if (!Number.isNaN(time)) return time;
    const times = 'times (milliseconds, ISO dates, now, sums such as now-1d/d)';
    throw this.invalid(`${fieldLabel(field.name)} holds ${times}, ${JSON.stringify(text)} is none`);
  }

  private termWords({ text, fuzziness }: TermAst): TextWord[] {
    const words = chunksOf(text).map(({ parts, whole }) => ({
      parts,
      whole,
      prefix: fuzziness === undefined && beginsLongerWords(parts.at(-1)!),
    }));
    if (fuzziness === undefined) return words;
    if (words.length > 1) {
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

function isUrn(field: SearchField): boolean {
  return field.kind === 'URN' || field.kind === 'URN_PARTIAL';
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

function phraseWords({ text, slop }: PhraseAst): TextWord[] {
  const parts = partTokens(text);
  if (parts.length === 0) return [];
  const apart = slop !== undefined && parts.length > 1 && { slop };
  return [{ parts, whole: parts.join(''), prefix: false, ...apart }];
}

function patternWord(text: string, pattern: TextPattern): TextWord {
  return { parts: [text], whole: text, prefix: false, pattern };
}

/** As tokens are: without accents. */
function tokenPattern(pieces: readonly PatternPiece[]): TextPattern {
  const plain = pieces.map((piece) => ('text' in piece ? { text: folded(piece.text) } : piece));
  return { is: 'like', pattern: patternOf(plain) };
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

/** How many letters may differ: none of two, one of five, else two. */
function editsOf(fuzziness: Fuzziness, word: string): 0 | 1 | 2 {
  if (fuzziness !== 'auto') return fuzziness;
  const length = [...word].length;
  return length <= 2 ? 0 : length <= 5 ? 1 : 2;
}
