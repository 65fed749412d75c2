import { atOnce, type Steps } from '../schedule/index.js';

/** Values that are checked in one go. */
const TOGETHER = 4_000;
/** An object of so many members is a map, whose members are checked some at a time; others are looked into. */
const MAP = 1_000;

type JsonObject = Record<string, unknown>;

/** A large list or map, and what it is a member of. */
interface Part {
  readonly holder: JsonObject;
  readonly key: string;
  readonly whole: object;
}

/**
 * Whether a large value fits its schema, some members of its large lists and maps at a time: all but those are left out while
 * they are checked, at their place. `validate` must judge each member of a list or a map by itself, and fills in defaults.
 * @returns true when the value fits; false when it does not, or this cannot tell
 */
export function* fitsInSteps(value: JsonObject, validate: (value: JsonObject) => boolean): Steps<boolean> {
  const large = new Map<object, Large>();
  yield* weigh(value, large);
  return yield* new Portions(value, validate, large).fit(value);
}

/** What is known of a list or object that is too large for one go. */
interface Large {
  readonly weight: number;
  /** Of an object: looking for them takes long in itself. */
  readonly keys: readonly string[] | undefined;
}

class Portions {
  constructor(
    private readonly root: JsonObject,
    private readonly validate: (value: JsonObject) => boolean,
    private readonly large: ReadonlyMap<object, Large>,
  ) {}

  /** Checks what the value has at present, of which only `scope` may have large parts. */
  *fit(scope: object): Steps<boolean> {
    const parts = this.partsOf(scope);
    const empty = ({ holder, key, whole }: Part): void => {
      holder[key] = Array.isArray(whole) ? [] : {};
    };
    parts.forEach(empty);
    try {
      if (!this.validate(this.root)) return false;
      yield;
      for (const part of parts) {
        for (const portion of this.portionsOf(part.whole)) {
          const count = Object.keys(portion).length;
          part.holder[part.key] = portion;
          if (!(yield* this.fit(portion))) return false;
          // A default that was filled in belongs to the whole.
          if (Object.keys(portion).length !== count) return false;
        }
        empty(part);
      }
      return true;
    } finally {
      for (const { holder, key, whole } of parts) holder[key] = whole;
    }
  }

  /** The outermost large lists and maps within. */
  private partsOf(scope: object, parts: Part[] = []): Part[] {
    for (const [key, member] of Object.entries(scope)) {
      const known = this.large.get(member as object);
      if (known === undefined) continue;
      const whole = member as object;
      if (known.keys === undefined || known.keys.length > MAP)
        parts.push({ holder: scope as JsonObject, key, whole });
      else this.partsOf(whole, parts);
    }
    return parts;
  }

  private *portionsOf(whole: object): Generator<object> {
    const keys = this.large.get(whole)?.keys;
    const members = whole as JsonObject & unknown[];
    const count = keys?.length ?? members.length;
    const memberAt = (index: number): unknown => members[(keys?.[index] ?? index) as number];
    for (let from = 0; from < count;) {
      let to = this.endOf(memberAt, from, count);
      if (keys === undefined) yield members.slice(from, to);
      else {
        // Never one alone, which a schema may tell from several.
        to = Math.max(to, Math.min(from + 2, count));
        const first = to - from === 1 ? from - 1 : from;
        yield Object.fromEntries(keys.slice(first, to).map((key) => [key, (whole as JsonObject)[key]]));
      }
      from = to;
    }
  }

  /** Behind the last of the members that are checked together. */
  private endOf(memberAt: (index: number) => unknown, from: number, count: number): number {
    let weight = 0;
    for (let to = from; to < count; to += 1) {
      weight += this.weightOf(memberAt(to));
      if (weight > TOGETHER) return Math.max(to, from + 1);
    }
    return count;
  }

  private weightOf(member: unknown): number {
    if (typeof member !== 'object' || member === null) return 1;
    let weight = this.large.get(member)?.weight;
    if (weight !== undefined) return weight;
    weight = 1;
    for (const inner of Object.values(member)) weight += this.weightOf(inner);
    return weight;
  }
}

/** Counts the values in lists and objects, and notes those that have very many. */
function* weigh(value: object, large: Map<object, Large>, depth = 0): Steps<number> {
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  if (keys !== undefined && keys.length > TOGETHER) yield;
  const members = value as JsonObject & unknown[];
  const count = keys?.length ?? members.length;
  let weight = 1;
  let since = 0;
  for (let next = 0; next < count; next += 1) {
    const member: unknown = members[(keys?.[next] ?? next) as number];
    // Steps cost more than the counting: only the outer ones pause.
    if (typeof member !== 'object' || member === null) weight += 1;
    else if (depth < 2) weight += yield* weigh(member, large, depth + 1);
    else weight += atOnce(weigh(member, large, depth + 1));
    if (weight - since > TOGETHER) {
      since = weight;
      yield;
    }
  }
  if (weight > TOGETHER) large.set(value, { weight, keys });
  return weight;
}
