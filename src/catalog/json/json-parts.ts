import type { Steps } from '../schedule/index.js';

/** Values, of whatever kind, that become text in one go. */
const TOGETHER = 5_000;

/** Texts that make up the JSON of plain data: small values in one, large ones taken apart, some members in each text. */
export function* jsonParts(value: unknown): Generator<string> {
  if (typeof value === 'object' && value !== null && isLarge(value)) yield* partsOf(value);
  else yield JSON.stringify(value) ?? 'null';
}

/** Looking for the keys of a map takes long in itself, so nothing does so twice between two parts. */
function* partsOf(value: object): Generator<string> {
  const list = Array.isArray(value);
  const keys = list ? undefined : Object.keys(value);
  const members = value as Record<string | number, unknown>;
  const count = keys?.length ?? (value as unknown[]).length;
  let before = list ? '[' : '{';
  let run: Run = list ? new ListRun() : new ObjectRun();
  const taken = (): string => {
    const text = run.text();
    run = list ? new ListRun() : new ObjectRun();
    if (text === '') return '';
    const part = before + text;
    before = ',';
    return part;
  };
  for (let next = 0; next < count; next += 1) {
    const key = keys?.[next];
    const member = members[key ?? next];
    const size = sizeOf(member, TOGETHER);
    if (size > TOGETHER) {
      const part = taken();
      yield part + (key === undefined ? before : `${before}${JSON.stringify(key)}:`);
      before = ',';
      yield* partsOf(member as object);
    } else if (run.add(size, member, key) >= TOGETHER) yield taken();
  }
  const rest = taken();
  yield rest + (before === ',' ? '' : before) + (list ? ']' : '}');
}

/** The JSON of a large value of plain data, in steps. */
export function* jsonInSteps(value: object): Steps<string> {
  yield;
  let text = '';
  for (const part of partsOf(value)) {
    text += part;
    yield;
  }
  return text;
}

/** Whether there are so many values in one that work on it should be divided. */
export function isLarge(value: unknown): value is object {
  return sizeOf(value, TOGETHER) > TOGETHER;
}

/** How many values there are in one, itself included; counts no further than a little beyond `enough`. */
function sizeOf(value: unknown, enough: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    if (value.length > enough) return value.length;
    for (let i = 0; i < value.length && count <= enough; i++) count += sizeOf(value[i], enough - count);
    return count;
  }
  for (const key in value) {
    count += sizeOf((value as Record<string, unknown>)[key], enough - count);
    if (count > enough) break;
  }
  return count;
}

/** Members that become text together. */
interface Run {
  /** @returns how many values there are in all of them */
  add(size: number, member: unknown, key: string | undefined): number;
  /** Without the brackets. */
  text(): string;
}

class ListRun implements Run {
  private readonly members: unknown[] = [];
  private size = 0;

  add(size: number, member: unknown): number {
    this.members.push(member);
    return (this.size += size);
  }

  text(): string {
    return JSON.stringify(this.members).slice(1, -1);
  }
}

class ObjectRun implements Run {
  private readonly members: Record<string, unknown> = {};
  private size = 0;

  add(size: number, member: unknown, key: string): number {
    if (key !== '__proto__') this.members[key] = member;
    else Object.defineProperty(this.members, key, { value: member, enumerable: true });
    return (this.size += size);
  }

  text(): string {
    return JSON.stringify(this.members).slice(1, -1);
  }
}
