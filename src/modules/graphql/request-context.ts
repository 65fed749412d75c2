import DataLoader from 'dataloader';
import type { Principal } from '../../catalog/auth/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import type { Model } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import type { AuthenticatedRequest } from '../auth/index.js';
import type { EntityReader, StoredEntity } from '../entities/index.js';
import { Slices } from './slices.js';
import { aspectsOfFields, Entity, entityClass, typeNamed, type EntityContext } from './types/index.js';

/** One aspect of one entity, or, without `aspect`, all of them. */
interface Wanted {
  urn: string;
  aspect?: string;
}

/** Entities that are read in one go: more take turns with other requests. */
const PIECE = 200;

type Value = Record<string, unknown>;

/**
 * What the resolvers of one request share: who asks, and one reader that answers everything asked at the same moment
 * with one statement for each set of aspects, however many entities there are.
 */
export class RequestContext implements EntityContext {
  private readonly loader: DataLoader<Wanted, StoredEntity | undefined, string>;
  private readonly parsed = new Map<string, Value | undefined>();
  private readonly versions = new Map<string, Promise<Value | undefined>>();
  private readonly loaders = new Map<string, DataLoader<string, unknown>>();
  private readonly ending = new AbortController();
  private entities = 0;
  /** Whether the operation is interpreted; compiled queries cannot wait everywhere. */
  interpreted = false;
  readonly slices = new Slices(this.ending.signal);

  constructor(
    /** Where the guard notes who is calling; parameter decorators of resolvers look here. */
    readonly req: AuthenticatedRequest,
    readonly principal: Principal,
    readonly model: Model,
    private readonly reader: EntityReader,
    /** The most entities that the answer may have; see `GraphqlLimits.maxCost`. */
    private readonly maxEntities: number,
  ) {
    this.loader = new DataLoader((wanted) => this.load(wanted), {
      batchScheduleFn: this.slices.whenAtRest,
      cacheKeyFn: ({ urn, aspect }) => (aspect === undefined ? urn : `${urn}\n${aspect}`),
    });
  }

  /** Ends what is under way for this request: its reason is a CatalogError. To be handed to searches and walks. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  value<A extends keyof AspectValues>(urn: string, aspect: A): Promise<AspectValues[A] | undefined> {
    return this.aspect(urn, aspect) as Promise<AspectValues[A] | undefined>;
  }

  async aspect(urn: string, name: string): Promise<Value | undefined> {
    const key = `${urn}\n${name}`;
    if (this.parsed.has(key)) return this.parsed.get(key);
    const entity = await this.loader.load({ urn, aspect: name });
    const wait = this.slices.pace();
    if (wait) await wait;
    if (this.parsed.has(key)) return this.parsed.get(key);
    const stored = entity?.aspects.get(name);
    const value = stored && (JSON.parse(stored.value) as Value);
    this.parsed.set(key, value);
    return value;
  }

  async version<A extends keyof AspectValues>(
    urn: string,
    aspect: A,
    version: number,
  ): Promise<AspectValues[A] | undefined> {
    const key = `${urn}\n${aspect}\n${version}`;
    let found = this.versions.get(key);
    if (!found) this.versions.set(key, (found = this.readVersion(urn, aspect, version)));
    return found as Promise<AspectValues[A] | undefined>;
  }

  async all(urn: string): Promise<ReadonlyMap<string, string> | undefined> {
    const entity = await this.loader.load({ urn });
    return entity && new Map([...entity.aspects].map(([name, { value }]) => [name, value]));
  }

  async exists(urn: string): Promise<boolean> {
    const key = this.model.entities.get(tryParseUrn(urn)?.type ?? '')?.key.name;
    return key !== undefined && (await this.loader.load({ urn, aspect: key })) !== undefined;
  }

  entity(urn: string): Entity;
  entity(urn: string | undefined | null): Entity | undefined;
  entity(urn: string | undefined | null): Entity | undefined {
    if (urn === undefined || urn === null) return undefined;
    this.entities += 1;
    if (this.entities > this.maxEntities)
      throw refuse(
        'GRAPHQL_TOO_COSTLY',
        `the answer has ${this.entities} entities and more, at most ${this.maxEntities} are allowed`,
      );
    const type = entityClass(urn.split(':', 3)[2] ?? '') ?? typeNamed('GenericEntity');
    return new type(urn, this);
  }

  /**
   * The entity that a caller names; null when it does not exist.
   * @param fields names of its fields that are selected, where they are known: their aspects come along
   * @throws CatalogError URN_MALFORMED, ENTITY_UNKNOWN, and PARAMETER_INVALID for an entity of another kind.
   */
  async find(
    text: string,
    kind?: string,
    pointer = '/urn',
    check = true,
    fields: readonly string[] = [],
  ): Promise<Entity | null> {
    const urn = toUrn(text, pointer);
    if (!this.model.entities.has(urn.type)) {
      throw refuse('ENTITY_UNKNOWN', `unknown entity type "${urn.type}" in ${urn.text}`, pointer);
    }
    if (kind !== undefined && urn.type !== kind) {
      throw refuse('PARAMETER_INVALID', `${urn.text} is the URN of a ${urn.type}, not of a ${kind}`, pointer);
    }
    const entity = this.entity(urn.text);
    // What the fields will ask for is read together with the answer whether there is such an entity.
    for (const aspect of aspectsOfFields(entity.constructor.name, fields)) {
      this.loader.load({ urn: urn.text, aspect }).catch(() => undefined);
    }
    return !check || (await this.exists(urn.text)) ? entity : null;
  }

  /** A loader of one request, made when it is first asked for: what is asked at one moment is loaded together. */
  batched<V>(name: string, load: (keys: readonly string[]) => Promise<readonly V[]>): DataLoader<string, V> {
    let loader = this.loaders.get(name);
    if (!loader) {
      const inTurn = async (keys: readonly string[]) => {
        await this.slices.turn();
        return load(keys);
      };
      this.loaders.set(
        name,
        (loader = new DataLoader<string, unknown>(inTurn, { batchScheduleFn: this.slices.whenAtRest })),
      );
    }
    return loader as DataLoader<string, V>;
  }

  /** Forgets what was read: for the answer of a mutation, which shows what has just been written. */
  refresh(): void {
    this.loader.clearAll();
    this.parsed.clear();
    this.versions.clear();
    this.loaders.clear();
  }

  /** From now on nothing more is read: the time of the request is over. */
  end(error: CatalogError): void {
    this.ending.abort(error);
  }

  private async readVersion(urn: string, aspect: string, version: number): Promise<Value | undefined> {
    this.signal.throwIfAborted();
    try {
      return (await this.reader.version(this.principal, urn, aspect, version)).value;
    } catch (error) {
      const absent = ['ASPECT_NOT_FOUND', 'VERSION_NOT_FOUND', 'ENTITY_NOT_FOUND'];
      if (error instanceof CatalogError && absent.includes(error.code)) return undefined;
      throw error;
    }
  }

  /** Entities of which the same aspects are wanted are read together. */
  private async load(wanted: readonly Wanted[]): Promise<Array<StoredEntity | undefined>> {
    this.signal.throwIfAborted();
    const aspectsByUrn = new Map<string, Set<string> | 'all'>();
    for (const { urn, aspect } of wanted) {
      const names = aspectsByUrn.get(urn) ?? new Set<string>();
      if (names === 'all') continue;
      if (aspect === undefined) aspectsByUrn.set(urn, 'all');
      else aspectsByUrn.set(urn, names.add(aspect));
    }
    const groups = new Map<string, { urns: string[]; aspects: string[] | undefined }>();
    for (const [urn, names] of aspectsByUrn) {
      const aspects = names === 'all' ? undefined : this.known(urn, names);
      // What cannot be an entity is only ever a reference to one: it does not exist.
      if (!this.model.entities.has(tryParseUrn(urn)?.type ?? '')) continue;
      const key = aspects?.join() ?? '*';
      const group = groups.get(key);
      if (group) group.urns.push(urn);
      else groups.set(key, { urns: [urn], aspects });
    }
    const found = new Map<string, StoredEntity>();
    const read = async (urns: readonly string[], aspects: readonly string[] | undefined) => {
      const part = await this.reader.stored(this.principal, urns, aspects ? { aspects } : {});
      for (const [urn, entity] of part) found.set(urn, entity);
    };
    const pieces = [...groups.values()].flatMap(({ urns, aspects }) =>
      Array.from(
        { length: Math.ceil(urns.length / PIECE) },
        (_, i) => [urns.slice(i * PIECE, (i + 1) * PIECE), aspects] as const,
      ),
    );
    if (aspectsByUrn.size <= PIECE) await Promise.all(pieces.map((piece) => read(...piece)));
    else
      for (const piece of pieces) {
        await this.slices.turn();
        await read(...piece);
      }
    return wanted.map(({ urn }) => found.get(urn));
  }

  /** Those that the entity can have, sorted. */
  private known(urn: string, names: ReadonlySet<string>): string[] {
    const spec = this.model.entities.get(tryParseUrn(urn)?.type ?? '');
    return [...names].filter((name) => spec?.has(name)).sort();
  }
}
