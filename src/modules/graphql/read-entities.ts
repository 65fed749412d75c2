import type { Principal } from '../../catalog/auth/index.js';
import type { EntitySpec, Model } from '../../catalog/model/index.js';
import { PortionSize } from '../../catalog/schedule/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { charactersOf, type EntityReader, type StoredAspect, type StoredEntity } from '../entities/index.js';
import type { ParsedAspects, Value } from './parsed-aspects.js';
import type { Slices } from './slices.js';
import { entityNameIn, NOT_READ } from './types/index.js';

/** Entities that are read in one go: more take turns with other requests. */
const TOGETHER = 50;
/** Of more than these so many at the most. */
const PIECE = 200;
/** Characters from which on a JSON text is parsed in a piece of its own. */
const LARGE_TEXT = 64 * 1024;

/** What has been read of one entity. */
interface Known {
  /** Undefined when there is no such entity. */
  entity: StoredEntity | undefined;
  /** Names of the aspects that were read, whether it has them or not. */
  names: ReadonlySet<string> | 'all';
  /** What was shown already; null in the place of an aspect that it does not have. */
  readonly values: Map<string, Value | null>;
  /** The turn of this entity, while its fields wait for it. */
  turn: Promise<void> | undefined;
}

/** What is to be read next, together. */
interface Wanted {
  readonly aspects: Map<string, readonly string[] | 'all'>;
  readonly read: Promise<void>;
}

/** What entities are read for. */
interface Operation {
  /** Takes note of values: characters of their JSON. @throws CatalogError GRAPHQL_TOO_COSTLY */
  hold(characters: number): void;
}

/** What a field waits for. */
export interface Lack {
  /** Aspects that are read for it. */
  readonly aspects: readonly string[];
  readonly over: Promise<void>;
  /** Whether everything is read, and it was only not the turn of the entity. */
  readonly turn: boolean;
}

/**
 * What one request reads of entities: each aspect once, all that is asked for at the same moment with one statement for
 * each set of aspects, however many entities there are.
 */
export class ReadEntities {
  private known = new Map<string, Known>();
  /** The entity that was looked at last: fields of one are mostly resolved one after the other. */
  private last: { readonly urn: string; readonly known: Known } | undefined;
  private wanted: Wanted | undefined;
  private lack: Lack | undefined;
  /** Whether the piece of work under way had its turn. */
  private inTurn = false;

  constructor(
    private readonly principal: Principal,
    private readonly model: Model,
    private readonly reader: EntityReader,
    private readonly parsed: ParsedAspects,
    private readonly slices: Slices,
    private readonly operation: Operation,
  ) {}

  /** Latest values. @throws NOT_READ */
  latest(urn: string, aspects: readonly string[]): Array<Value | undefined> {
    const known = this.last?.urn === urn ? this.last.known : this.known.get(urn);
    if (!known || !hasRead(known, aspects)) this.lacks(aspects, this.read(urn, aspects));
    if (this.last?.known !== known) this.last = { urn, known };
    const shown: Array<Value | undefined> = [];
    let first = true;
    for (const name of aspects) {
      let value = known.values.get(name);
      if (value === undefined) {
        if (first) this.takeTurn(known, aspects);
        first = false;
        value = this.valueOf(known, name);
      }
      shown.push(value ?? undefined);
    }
    return shown;
  }

  /** JSON texts of all aspects by name; undefined when there is no such entity. @throws NOT_READ */
  all(urn: string): ReadonlyMap<string, string> | undefined {
    const known = this.known.get(urn);
    if (known?.names !== 'all') this.lacks([], this.read(urn, 'all'));
    const aspects = known.entity?.aspects;
    return aspects && new Map([...aspects].map(([name, { value }]) => [name, value]));
  }

  /** @throws NOT_READ */
  exists(urn: string): boolean {
    const known = this.known.get(urn);
    if (!known) this.lacks([], this.read(urn, []));
    return known.entity !== undefined;
  }

  /** Throws NOT_READ; {@link lacked} then says why. */
  lacks(aspects: readonly string[], over: Promise<void>, turn = false): never {
    this.lack = { aspects, over, turn };
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw NOT_READ;
  }

  /** What the field waits for that has just thrown NOT_READ. */
  lacked(): Lack {
    return this.lack!;
  }

  /** Runs a field whose turn it is. */
  takingTurn<T>(resolve: () => T): T {
    this.inTurn = true;
    try {
      return resolve();
    } finally {
      this.inTurn = false;
    }
  }

  /** Reads aspects of an entity together with whatever else is asked for at the moment. */
  read(urn: string, aspects: readonly string[] | 'all'): Promise<void> {
    const { aspects: wanted, read } = (this.wanted ??= this.next());
    const names = wanted.get(urn);
    if (names === undefined || aspects === 'all') wanted.set(urn, aspects);
    else if (names !== 'all' && names !== aspects) wanted.set(urn, [...new Set([...names, ...aspects])]);
    return read;
  }

  /** Whether there is nothing to read for it any more. */
  has(urn: string, aspects: readonly string[]): boolean {
    const known = this.known.get(urn);
    return (known !== undefined && hasRead(known, aspects)) || this.readsNow(urn, aspects);
  }

  /** Reads what can be read without waiting for it. */
  private readsNow(urn: string, names: readonly string[]): boolean {
    const spec = this.model.entities.get(entityNameIn(urn));
    const entity = spec && this.reader.storedNow(this.principal, urn, partOf(names, spec).aspects);
    if (!entity) return false;
    learn(this.known, urn, names, entity);
    return true;
  }

  /** Forgets everything: it may have changed. */
  clear(): void {
    // What is being read goes into the map of before.
    this.known = new Map();
    this.last = undefined;
    this.wanted = undefined;
  }

  /** Waits for the turn of the entity when the time of the slice is over. */
  private takeTurn(known: Known, aspects: readonly string[]): void {
    if (this.inTurn) return;
    const own = known.turn ? undefined : this.slices.pace();
    if (!known.turn && !own) return;
    const large = aspects.some((name) => (known.entity?.aspects.get(name)?.value.length ?? 0) > LARGE_TEXT);
    if (known.turn && !large) this.lacks([], known.turn, true);
    const turn = own ?? this.slices.pace();
    if (!turn) return;
    if (!large) known.turn = turn.finally(() => (known.turn = undefined));
    this.lacks([], known.turn ?? turn, true);
  }

  /** A value that is looked at for the first time; null where there is none. */
  private valueOf({ entity, values }: Known, name: string): Value | null {
    const stored = entity?.aspects.get(name);
    const value = stored ? this.parsed.of(stored) : null;
    values.set(name, value);
    return value;
  }

  private next(): Wanted {
    const aspects: Wanted['aspects'] = new Map();
    const read = new Promise<void>((resolve, reject) => {
      this.slices.whenAtRest(() => {
        if (this.wanted?.aspects === aspects) this.wanted = undefined;
        this.load(aspects, this.known).then(resolve, reject);
      });
    });
    return { aspects, read };
  }

  /** Entities of which the same aspects are wanted are read together. */
  private async load(wanted: Wanted['aspects'], known: Map<string, Known>): Promise<void> {
    this.slices.check();
    const groups = new Map<string, { urns: string[]; aspects: readonly string[] | 'all' }>();
    for (const [urn, names] of wanted) {
      const spec = this.model.entities.get(tryParseUrn(urn)?.type ?? '');
      // What cannot be an entity is only ever a reference to one: it does not exist.
      if (!spec) {
        learn(known, urn, 'all', undefined);
        continue;
      }
      const { aspects, key } = names === 'all' ? ALL : partOf(names, spec);
      const group = groups.get(key);
      if (group) group.urns.push(urn);
      else groups.set(key, { urns: [urn], aspects });
    }
    const read = async (urns: readonly string[], aspects: readonly string[] | 'all'): Promise<number> => {
      const found = await this.reader.stored(this.principal, urns, aspects === 'all' ? {} : { aspects });
      const characters = charactersOf(found.values());
      this.operation.hold(characters);
      for (const urn of urns) learn(known, urn, wanted.get(urn)!, found.get(urn));
      return characters;
    };
    if (wanted.size <= TOGETHER) {
      await Promise.all([...groups.values()].map(({ urns, aspects }) => read(urns, aspects)));
      return;
    }
    const size = new PortionSize(PIECE);
    for (const { urns, aspects } of groups.values())
      for (let at = 0; at < urns.length;) {
        await this.slices.turn();
        const some = urns.slice(at, at + size.next);
        at += some.length;
        size.learn(some.length, await read(some, aspects));
      }
  }
}

/** Aspects as they are read, and what groups have in common of which the same are read. */
interface Part {
  readonly aspects: readonly string[];
  readonly key: string;
}

const ALL = { aspects: 'all', key: '*' } as const;

/** Of lists of aspects: a query has the same one for all its entities of a type, each time it runs. */
const partsOf = new WeakMap<readonly string[], Map<EntitySpec, Part>>();
const setsOf = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Those of the aspects that entities of the type may have. */
function partOf(names: readonly string[], spec: EntitySpec): Part {
  const parts = partsOf.get(names) ?? new Map<EntitySpec, Part>();
  partsOf.set(names, parts);
  let part = parts.get(spec);
  if (!part) {
    const aspects = names.filter((name) => spec.has(name)).sort();
    parts.set(spec, (part = { aspects, key: aspects.join() }));
  }
  return part;
}

function setOf(names: readonly string[]): ReadonlySet<string> {
  let set = setsOf.get(names);
  if (!set) setsOf.set(names, (set = new Set(names)));
  return set;
}

function learn(
  all: Map<string, Known>,
  urn: string,
  wanted: readonly string[] | 'all',
  entity: StoredEntity | undefined,
): void {
  const before = all.get(urn);
  if (before?.names === 'all') return;
  const names = wanted === 'all' ? wanted : setOf(wanted);
  if (!before) {
    all.set(urn, { entity, names, values: new Map(), turn: undefined });
    return;
  }
  if (wanted === 'all' || !entity) {
    before.entity = entity;
    before.names = names;
    return;
  }
  const aspects = new Map<string, StoredAspect>([...(before.entity?.aspects ?? []), ...entity.aspects]);
  before.entity = { ...entity, aspects };
  before.names = new Set([...before.names, ...wanted]);
}

function hasRead({ names, entity }: Known, aspects: readonly string[]): boolean {
  if (names === 'all' || entity === undefined) return true;
  for (const name of aspects) if (!names.has(name)) return false;
  return true;
}
