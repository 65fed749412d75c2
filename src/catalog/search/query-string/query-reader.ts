import { refuse, type CatalogError } from '../../errors/index.js';
import type { PatternPiece } from './query-ast.js';

export const URN_START = /urn:li:/y;
const NUMBER = /\d+(?:\.\d+)?|\.\d+/y;
const BLANKS = /\s*/y;

/** An error about a place of a query; places are told as characters from 1. */
function queryError(text: string, at: number, message: string, pointer: string): CatalogError {
  const character = [...text.slice(0, at)].length + 1;
  return refuse('QUERY_SYNTAX', `query, character ${character}: ${message}`, pointer);
}

/** Reads the text of a query from its start to its end: characters, signs, words, quotes. What they mean, the parser says. */
export abstract class QueryReader {
  protected at = 0;

  /** @param pointer JSON pointer of the text in the request */
  constructor(
    protected readonly text: string,
    private readonly pointer: string,
  ) {}

  protected quoted(): string {
    const open = this.at++;
    let text = '';
    for (;;) {
      if (this.ended) throw this.error(open, 'this quote is not closed');
      const c = this.peek();
      if (c === '\\') text += this.escaped();
      else {
        this.at++;
        if (c === '"') return this.wellFormed(text, open);
        text += c;
      }
    }
  }

  /** A bare word up to a blank, a quote, a parenthesis, `^` or `~`. Parentheses of a URN belong to it. */
  protected pieces(colons: boolean): { pieces: PatternPiece[] } {
    const start = this.at;
    const urn = this.matchHere(URN_START) !== null;
    const pieces: PatternPiece[] = [];
    let text = '';
    const flush = () => {
      if (text !== '') pieces.push({ text: this.wellFormed(text, start) });
      text = '';
    };
    while (!this.ended) {
      const c = this.peek();
      if (/[\s)^~"]/.test(c) || (c === '(' && !urn)) break;
      if (c === '\\') text += this.escaped();
      else if (c === '*' || c === '?') {
        flush();
        pieces.push({ wildcard: c });
        this.at++;
      } else if (c === '(') text += this.parenthesised();
      else if (/[[\]{}]/.test(c) || (c === ':' && !colons && !urn)) {
        throw this.error(this.at, `${c} in a value needs quotes around the value or a backslash before it`);
      } else text += this.next();
    }
    flush();
    if (this.at === start) throw this.unexpected();
    return { pieces };
  }

  private parenthesised(): string {
    const open = this.at;
    for (let depth = 0; !this.ended;) {
      const c = this.next();
      if (c === '(') depth++;
      else if (c === ')' && --depth === 0) return this.text.slice(open, this.at);
    }
    throw this.error(open, 'this parenthesis is not closed');
  }

  protected literal(pieces: readonly PatternPiece[], at: number): string {
    return pieces
      .map((piece) => {
        if ('wildcard' in piece) throw this.error(at, 'no wildcards here');
        return piece.text;
      })
      .join('');
  }

  protected takeNumber(): number | undefined {
    const digits = this.takeMatch(NUMBER);
    return digits === undefined ? undefined : Number(digits);
  }

  protected wellFormed(text: string, at: number): string {
    if (!text.isWellFormed()) throw this.error(at, 'half of a character');
    return text;
  }

  /** The character that a backslash stands for. */
  protected escaped(): string {
    const at = this.at++;
    if (this.ended) throw this.error(at, 'nothing follows the backslash');
    const unicode = /^u([0-9a-fA-F]{4})/.exec(this.text.slice(this.at, this.at + 5))?.[1];
    if (unicode === undefined) return this.next();
    this.at += 5;
    return String.fromCharCode(parseInt(unicode, 16));
  }

  protected operatorHere(word: string, sign: string): boolean {
    if (this.text.startsWith(sign, this.at)) return true;
    return (
      this.text.startsWith(word, this.at) &&
      /^[\s()"]|^$/.test(this.text.slice(this.at + word.length).slice(0, 1))
    );
  }

  protected takeOperator(word: string, sign: string): boolean {
    this.blanks();
    if (!this.operatorHere(word, sign)) return false;
    this.at += this.text.startsWith(sign, this.at) ? sign.length : word.length;
    return true;
  }

  protected take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  protected takeMatch(pattern: RegExp): string | undefined {
    const found = this.matchHere(pattern)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  protected matchHere(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  protected blanks(): void {
    this.takeMatch(BLANKS);
  }

  protected peek(): string {
    return this.text[this.at] ?? '';
  }

  protected next(): string {
    return this.text[this.at++]!;
  }

  protected get ended(): boolean {
    return this.at >= this.text.length;
  }

  protected unexpected(): CatalogError {
    if (this.ended) return this.error(this.at, 'something is missing at the end');
    return this.error(
      this.at,
      `${JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at)!))} is not expected here`,
    );
  }

  protected error(at: number, message: string): CatalogError {
    return queryError(this.text, at, message, this.pointer);
  }
}
