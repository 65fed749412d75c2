import DataLoader from 'dataloader';
import { grants, Resource, type Principal, type Privilege } from '../../catalog/auth/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { refuseBadKey, type Model } from '../../catalog/model/index.js';
import { refuseOtherKind, toUrn } from '../../catalog/restli/index.js';
import { currentRequest } from '../../catalog/schedule/index.js';
import type { AuthenticatedRequest } from '../auth/index.js';
import type { EntityReader } from '../entities/index.js';
import type { GraphqlLimits } from './limits.js';
import type { ParsedAspects, Value } from './parsed-aspects.js';
import { ReadEntities } from './read-entities.js';
import { selectedAspects, type FieldInfo } from './selected-aspects.js';
import { Slices } from './slices.js';
import type { DisplayNames, Naming } from './model-types/display-names.js';
import { Entity, entityNameIn, GenericEntity, type EntityClass, type EntityContext } from './types/index.js';

/** What the contexts of all requests share. */
export interface ContextParts {
  readonly model: Model;
  readonly reader: EntityReader;
  readonly limits: GraphqlLimits;
  readonly parsed: ParsedAspects;
  readonly names: DisplayNames;
  /** The classes of the objects that stand for entities, by the name of the entity. */
  readonly classes: ReadonlyMap<string, EntityClass>;
}

interface Earlier {
  value: Value | undefined;
  /** Until it is read. */
  read: Promise<void> | undefined;
}

/** What the resolvers of one request share: who asks, and what was read so far. */
export class RequestContext implements EntityContext {
  private readonly versions = new Map<string, Earlier>();
  private readonly loaders = new Map<string, DataLoader<string, unknown>>();
  private ending: AbortController | undefined;
  private ended: CatalogError | undefined;
  private entities = 0;
  private searched = 0;
  private fields = 0;
  private held = 0;
  private readonly found = new Map<string, unknown>();
  /** Whether the operation is interpreted; compiled queries cannot wait everywhere. */
  interpreted = false;
  /** Whether the fields of the answer are counted while it is made: the document may ask for more than is allowed. */
  counts = false;
  readonly slices: Slices;
  readonly read: ReadEntities;
  private readonly scope = currentRequest();

  constructor(
    /** Where the guard notes who is calling; parameter decorators of resolvers look here. */
    readonly req: AuthenticatedRequest,
    readonly principal: Principal,
    private readonly parts: ContextParts,
  ) {
    this.slices = new Slices(this);
    this.read = new ReadEntities(principal, parts.model, parts.reader, parts.parsed, this.slices, this);
  }

  /**
   * Whether the caller may do something with an entity, by the name of the privilege. Throws NOT_READ until what policies look at
   * is read.
   * @param role what of the role is needed besides
   */
  allows(urn: string, privilege: string, role: Privilege): boolean {
    const { access } = this.principal;
    if (!grants(this.principal.role, role)) return false;
    if (access === undefined) return true;
    const entityType = entityNameIn(urn);
    const names = access.aspects.filter((name) => this.model.entities.get(entityType)?.has(name));
    const values = this.latest(urn, names);
    const valueOf: Resource['valueOf'] = (name) => values[names.indexOf(name)] as Value | undefined;
    return access.allows(privilege, new Resource(urn, entityType, valueOf));
  }

  /** The same for resolvers that can wait, of several privileges: those that are granted. */
  async allowed(urn: string, privileges: ReadonlyArray<readonly [string, Privilege]>): Promise<string[]> {
    const names = this.principal.access?.aspects ?? [];
    if (!this.read.has(urn, names)) await this.read.read(urn, names);
    return this.read.takingTurn(() =>
      privileges.filter(([name, role]) => this.allows(urn, name, role)).map(([name]) => name),
    );
  }

  get model(): Model {
    return this.parts.model;
  }

  /** Ends what is under way for this request: its reason is a CatalogError. To be handed to searches and walks. */
  get signal(): AbortSignal {
    if (!this.ending) {
      this.ending = new AbortController();
      if (this.ended) this.ending.abort(this.ended);
    }
    return this.ending.signal;
  }

  /**
   * The same for searches, which end with the request that they belong to; a signal that follows two others takes as long to make as a
   * dozen of columns.
   */
  get searchSignal(): AbortSignal | undefined {
    return this.scope ? undefined : this.signal;
  }

  /** @throws what the operation was given up with */
  throwIfAborted(): void {
    if (this.ended) throw this.ended;
  }

  /** The latest value of an aspect, for resolvers that can wait; undefined when there is none. */
  async value<A extends keyof AspectValues>(urn: string, aspect: A): Promise<AspectValues[A] | undefined> {
    const names = [aspect];
    if (!this.read.has(urn, names)) await this.read.read(urn, names);
    const turn = this.slices.pace();
    if (turn) await turn;
    const [value] = this.read.takingTurn(() => this.read.latest(urn, names));
    return value as AspectValues[A] | undefined;
  }

  latest(urn: string, aspects: readonly string[]): unknown[] {
    return this.read.latest(urn, aspects);
  }

  version<A extends keyof AspectValues>(
    urn: string,
    aspect: A,
    version: number,
  ): AspectValues[A] | undefined {
    const key = `${urn}\n${aspect}\n${version}`;
    let found = this.versions.get(key);
    if (!found) {
      const reading: Earlier = (found = { value: undefined, read: undefined });
      this.versions.set(key, reading);
      reading.read = this.readVersion(urn, aspect, version).then((value) => {
        reading.value = value;
        reading.read = undefined;
      });
    }
    if (found.read) this.read.lacks([], found.read);
    return found.value as AspectValues[A] | undefined;
  }

  all(urn: string): ReadonlyMap<string, string> | undefined {
    return this.read.all(urn);
  }

  exists(urn: string): boolean {
    return this.read.exists(urn);
  }

  naming(entity: string): Naming {
    return this.parts.names.of(entity);
  }

  entity(urn: string): Entity;
  entity(urn: string | undefined | null): Entity | undefined;
  entity(urn: string | undefined | null): Entity | undefined {
    if (urn === undefined || urn === null) return undefined;
    this.entities += 1;
    if (this.entities > this.parts.limits.maxCost)
      throw refuse(
        'GRAPHQL_TOO_COSTLY',
        `the answer has ${this.entities} entities and more, at most ${this.parts.limits.maxCost} are allowed`,
      );
    const type = this.parts.classes.get(entityNameIn(urn)) ?? GenericEntity;
    return new type(urn, this);
  }

  /**
   * The entity that a caller names; null when it does not exist.
   * @param info of the field that answers it, where it is known: what is selected of the entity comes along
   * @throws CatalogError URN_MALFORMED, ENTITY_UNKNOWN, and PARAMETER_INVALID for an entity of another kind.
   */
  async find(
    text: string,
    kind?: string,
    pointer = '/urn',
    check = true,
    info?: FieldInfo,
  ): Promise<Entity | null> {
    const urn = toUrn(text, pointer);
    if (!this.model.entities.has(urn.type)) {
      throw refuse('ENTITY_UNKNOWN', `unknown entity type "${urn.type}" in ${urn.text}`, pointer);
    }
    if (kind !== undefined) refuseOtherKind(urn, kind, pointer);
    const entity = this.entity(urn.text);
    // What the fields will ask for is read together with the answer whether there is such an entity.
    const aspects = info ? selectedAspects(info, entity.typeName) : [];
    const read = this.read.has(urn.text, aspects) ? undefined : this.read.read(urn.text, aspects);
    if (check) {
      if (read) await read;
      const wait = this.slices.fresh();
      if (wait) await wait;
      if (this.read.exists(urn.text)) return entity;
      refuseBadKey(pointer, () => this.model.keyFromUrn(urn));
      return null;
    }
    // The callers that need it fail with it.
    read?.catch(() => undefined);
    return entity;
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
    this.read.clear();
    this.versions.clear();
    this.loaders.clear();
    this.found.clear();
  }

  /** For the same operation once more. */
  startOver(): void {
    this.refresh();
    this.entities = 0;
    this.searched = 0;
    this.fields = 0;
    this.held = 0;
  }

  /** Counts a field that is about to be answered; one too many ends the operation. @throws CatalogError GRAPHQL_TOO_COSTLY */
  countField(): void {
    this.throwIfAborted();
    this.fields += 1;
    const { maxCost } = this.parts.limits;
    if (this.fields <= maxCost) return;
    throw this.tooCostly(`the answer has more than ${maxCost} fields`);
  }

  /**
   * Takes note of values that are held until the answer is made: characters of their JSON. Ends the operation where they are too many.
   * @throws CatalogError GRAPHQL_TOO_COSTLY
   */
  hold(characters: number): void {
    this.throwIfAborted();
    this.held += characters;
    const { maxValues } = this.parts.limits;
    if (this.held <= maxValues) return;
    throw this.tooCostly(`the values that are read for the answer have more than ${maxValues} characters`);
  }

  /** Ends the operation. @returns why */
  private tooCostly(what: string): CatalogError {
    const error = refuse(
      'GRAPHQL_TOO_COSTLY',
      `${what}, which is the most that is allowed; ask for smaller pages`,
    );
    this.end(error);
    return error;
  }

  /** Takes the price of a search that is about to begin. @throws CatalogError GRAPHQL_TOO_COSTLY */
  paySearch(price: number): void {
    this.searched += price;
    const { maxSearchCost } = this.parts.limits;
    if (this.searched > maxSearchCost)
      throw refuse(
        'GRAPHQL_TOO_COSTLY',
        `the searches of the operation cost more than ${maxSearchCost} together, which is the most that is allowed; ask for smaller pages, or in several operations`,
      );
  }

  /** What was made for the key before in this request, otherwise makes it. */
  once(key: string, make: () => unknown): unknown {
    if (!this.found.has(key)) this.found.set(key, make());
    return this.found.get(key);
  }

  /** From now on nothing more is read for this operation. A request has one, so that what the database and searches are at for it ends as well. */
  end(error: CatalogError): void {
    this.ended = error;
    this.ending?.abort(error);
    this.scope?.end(error);
  }

  private async readVersion(urn: string, aspect: string, version: number): Promise<Value | undefined> {
    this.throwIfAborted();
    try {
      return (await this.parts.reader.version(this.principal, urn, aspect, version)).value;
    } catch (error) {
      const absent = ['ASPECT_NOT_FOUND', 'VERSION_NOT_FOUND', 'ENTITY_NOT_FOUND'];
      if (error instanceof CatalogError && absent.includes(error.code)) return undefined;
      throw error;
    }
  }
}
