import type { Steps } from '../schedule/index.js';
import { endOfString } from './json-scan.js';

/** Characters of members that are parsed in one go: it takes about a millisecond. */
const TOGETHER = 64 * 1024;
/** Characters that are looked at in one go. */
const LOOKED_AT = 512 * 1024;

const BLANK = /^[ \t\n\r]*$/;

const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

type JsonObject = Record<string, unknown>;

/** Members of one list or object, one after the other, as they were parsed together. */
export interface Members {
  /** A list or an object of their own. */
  readonly text: string;
  readonly value: unknown[] | JsonObject;
  /** How many lists and objects stand around them. */
  readonly depth: number;
  /** Where the list or object is that they belong to. */
  readonly path: () => string[];
  /** Of a list: the index of the first. */
  readonly first: number;
}

/** A list or object that is open where the text is read. */
interface Level {
  readonly list: boolean;
  /** Where its bracket stands. */
  readonly open: number;
  /** Where its members begin that are not parsed yet. */
  from: number;
  /** The last comma between its members. */
  comma: number;
  /** What is parsed of it; undefined while it is to become a part of what stands around it. */
  value?: unknown[] | JsonObject | undefined;
  /** The last member was made part by part. It goes into the value when it ends. */
  after: boolean;
  /** Of an object: the key of that member. */
  key: string;
}

/**
 * Parses a large JSON text some members at a time, so that others can be served in between: `JSON.parse` of 9 MB with 250,000
 * keys takes 150 to 350 ms. Brackets, commas and strings say where the text can be cut; `parse` has to be given each part of
 * it, and finds whatever is not JSON. A list or object in which the text was cut is put together from its parts.
 */
export class JsonByParts {
  private readonly levels: Level[] = [];
  /** Up to where the text has been parsed. */
  private parsed = 0;
  private result: { value: unknown } | undefined;
  /** An object had a key twice, of which `parse` has not seen both. */
  repeated = false;

  /**
   * @param parse parses one part
   * @param check looks at each part before it is put together with the others, unless there is only one
   * @param together characters that are parsed in one go
   */
  constructor(
    private readonly text: string,
    private readonly parse: (text: string) => unknown,
    private readonly check: (members: Members) => void = () => undefined,
    private readonly together = TOGETHER,
  ) {}

  /** @throws SyntaxError where `JSON.parse` of the whole would do so */
  *read(): Steps<unknown> {
    const { text, levels } = this;
    let pause = LOOKED_AT;
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        at = endOfString(text, at);
        if (at < 0) throw malformed();
      } else if (code === COMMA) {
        const level = levels.at(-1);
        if (level === undefined) throw malformed();
        level.comma = at;
        if (level.after) this.goOnAfter(level, at);
        else if (at - this.parsed >= this.together) {
          this.take(at);
          yield;
        }
      } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        if (levels.length === 0) {
          if (end > 0) throw malformed();
          this.refuseText(0, at);
        }
        levels.push({
          list: code === OPEN_LIST,
          ...{ open: at, from: at + 1, comma: at, after: false, key: '' },
        });
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        const level = levels.at(-1);
        if (level === undefined || level.list !== (code === CLOSE_LIST)) throw malformed();
        this.close(level, at);
        if (levels.length === 0) end = at + 1;
        if (this.parsed > at) yield;
      }
      if (at >= pause) {
        pause = at + LOOKED_AT;
        yield;
      }
    }
    if (levels.length > 0) throw malformed();
    if (this.result === undefined) return this.parse(text);
    this.refuseText(end, text.length);
    return this.result.value;
  }

  /** Whether the text was cut at all. */
  get wasCut(): boolean {
    return this.result !== undefined;
  }

  /** A comma behind a member that was made part by part. */
  private goOnAfter(level: Level, comma: number): void {
    this.refuseText(level.from, comma);
    level.after = false;
    level.from = comma + 1;
  }

  /** Parses what stands before the comma that was reached, at each level. */
  private take(comma: number): void {
    const { levels } = this;
    levels.forEach((level, depth) => {
      const inner = levels[depth + 1];
      // It has been taken with what is open in it.
      if (inner?.value !== undefined) return;
      if (level.after) throw malformed();
      level.value ??= level.list ? [] : {};
      if (inner === undefined) {
        this.append(level, depth, comma);
        level.from = comma + 1;
      } else {
        if (level.comma >= level.from) this.append(level, depth, level.comma);
        this.begin(level, depth, Math.max(level.from, level.comma + 1), inner.open);
      }
    });
    this.parsed = comma + 1;
  }

  /** Parses members up to a comma, or to the end. */
  private append(level: Level, depth: number, to: number): void {
    const { list, from } = level;
    const inner = this.text.slice(from, to);
    const text = list ? `[${inner}]` : `{${inner}}`;
    const value = this.parse(text) as unknown[] | JsonObject;
    const target = level.value!;
    const first = list ? (target as unknown[]).length : 0;
    this.check({ text, value, depth, path: () => this.pathTo(depth), first });
    if (list) {
      for (const member of value as unknown[]) (target as unknown[]).push(member);
      if ((value as unknown[]).length === 0) throw malformed();
      return;
    }
    let none = true;
    for (const key in value as JsonObject) {
      none = false;
      this.set(target as JsonObject, key, (value as JsonObject)[key]);
    }
    if (none) throw malformed();
  }

  /** Reads the key of a member that is made part by part; the text has its value from `open` on. */
  private begin(level: Level, depth: number, from: number, open: number): void {
    level.after = true;
    if (level.list) {
      this.refuseText(from, open);
      return;
    }
    const text = `{${this.text.slice(from, open)}""}`;
    const value = this.parse(text) as JsonObject;
    const [key, other] = Object.keys(value);
    if (key === undefined || other !== undefined) throw malformed();
    this.check({ text, value, depth, path: () => this.pathTo(depth), first: 0 });
    level.key = key;
  }

  private close(level: Level, at: number): void {
    const { levels } = this;
    if (level.value === undefined) {
      levels.pop();
      return;
    }
    if (level.after) this.refuseText(level.from, at);
    else this.append(level, levels.length - 1, at);
    levels.pop();
    this.parsed = at + 1;
    const outer = levels.at(-1);
    if (outer === undefined) this.result = { value: level.value };
    else {
      outer.from = at + 1;
      if (outer.list) (outer.value as unknown[]).push(level.value);
      else this.set(outer.value as JsonObject, outer.key, level.value);
    }
  }

  private set(target: JsonObject, key: string, value: unknown): void {
    if (Object.hasOwn(target, key)) this.repeated = true;
    if (key !== '__proto__') target[key] = value;
    else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  }

  private pathTo(depth: number): string[] {
    return this.levels
      .slice(0, depth)
      .map(({ list, value, key }) => (list ? String((value as unknown[]).length) : key));
  }

  private refuseText(from: number, to: number): void {
    if (!BLANK.test(this.text.slice(from, to))) throw malformed();
  }
}

const malformed = (): SyntaxError => new SyntaxError('not JSON');
