import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, currentOrigin, type AuditEvent } from '../../catalog/audit/index.js';
import {
  authorize,
  authorizeWhole,
  grants,
  readsInPart,
  SYSTEM_PRINCIPAL,
  type Principal,
} from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model, refuseBadKey, type AspectSpec, type EntitySpec } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { PortionSize, turn } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import type { AspectState, EntityState } from '../../catalog/store/index.js';
import { canonicalUrn, tryParseUrn } from '../../catalog/urn/index.js';
import { EntityStateRepository } from './store/entity-state.repository.js';
import { ReadFilters, type ShownAspect } from './read-filters.js';
import {
  charactersOf,
  keptResourceOf,
  parseAspect,
  parseEntity,
  resourceOf,
  type StoredAspect,
  type StoredEntity,
} from './store/stored-entity.js';

/** So many entities are read by one statement, in one turn; of more, others are served in between. */
const PORTION = 500;

/** What to read of each entity. */
interface Selection {
  /** Names of versioned aspects, whatever their case; all when absent. */
  readonly aspects?: readonly string[] | undefined;
  /** Whether the key aspect comes along although it was not named. Default false. */
  readonly key?: boolean;
  /** Whether an entity that does not exist is answered with its key aspect, where that is the rule. Default false. */
  readonly absent?: boolean;
  /**
   * Whether these URNs are one part of a larger read: then a single one is not audited as a read of one entity. Default
   * false.
   */
  readonly inPart?: boolean;
  /** Where the URNs stand in the request, as a JSON pointer. Default `/urn`. */
  readonly urnsAt?: string;
}

/**
 * What callers may see of entities: authorised, and with the read filters applied, on every surface.
 * Soft-deleted entities are readable; those that do not exist (or not any more) are absent from the answers.
 */
@Injectable()
export class EntityReader {
  constructor(
    private readonly repository: EntityStateRepository,
    private readonly model: Model,
    private readonly filters: ReadFilters,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'compatibility' | 'auditReads' | 'vendor'>,
    @Inject(AuditLog) private readonly audit: AuditLog,
  ) {}

  /** Latest states by URN, in the order asked for. */
  async read(
    principal: Principal,
    urns: readonly string[],
    aspects?: readonly string[],
  ): Promise<Map<string, EntityState>> {
    const states = new Map<string, EntityState>();
    for (const [urn, stored] of await this.stored(principal, urns, { aspects }))
      states.set(urn, parseEntity(stored));
    return states;
  }

  /** Like {@link read}, with the JSON of the aspects left as text: for answers that only pass it on. */
  async stored(
    principal: Principal,
    urns: readonly string[],
    selection: Selection = {},
  ): Promise<Map<string, StoredEntity>> {
    authorize(principal, 'read');
    const entities = new Set(urns.map((urn) => this.entityOf(urn, selection.urnsAt ?? '/urn')));
    const names =
      selection.aspects &&
      new Set(this.namesToRead(selection.aspects).map((name) => this.versionedAspect(name, '/aspects').name));
    if (names && selection.key === true) for (const entity of entities) names.add(entity.key.name);
    const found = await this.readable(principal, urns, names && [...names]);
    if (selection.absent === true && this.settings.compatibility.absentHaveKeys)
      for (const urn of urns)
        if (!found.has(urn)) found.set(urn, this.keyOnly(urn, selection.urnsAt ?? '/urn'));
    const mayChange = !names || selection.absent || [...names].some((name) => this.filters.concern(name));
    if (mayChange) {
      const changed = new Map<string, Map<string, StoredAspect>>();
      await this.filters.apply(shownAspects(found.values(), changed));
      for (const [urn, shown] of changed) found.set(urn, { ...found.get(urn)!, aspects: shown });
    }
    const one = urns.length === 1 && selection.inPart !== true && selection.aspects?.length !== 0;
    if (one && this.settings.auditReads) await this.auditRead(principal, urns[0]!, selection.aspects);
    return found;
  }

  /** Like {@link stored}, some entities at a time: those of long aspects are too many to be held together. */
  async *portions(
    principal: Principal,
    urns: readonly string[],
    selection: Selection = {},
  ): AsyncGenerator<Map<string, StoredEntity>> {
    const distinct = [...new Set(urns)];
    // What is wrong with any of them is refused before the first is answered.
    for (const urn of distinct) this.entityOf(urn, selection.urnsAt ?? '/urn');
    const part = { ...selection, inPart: distinct.length > 1 };
    const size = new PortionSize(PORTION);
    let at = 0;
    do {
      await turn();
      const some = distinct.slice(at, at + size.next);
      at += some.length;
      const found = await this.stored(principal, some, part);
      size.learn(some.length, charactersOf(found.values()));
      yield found;
    } while (at < distinct.length);
  }

  /** The entities that exist and that the caller may read, with those aspects. */
  private async readable(
    principal: Principal,
    urns: readonly string[],
    names: readonly string[] | undefined,
  ): Promise<Map<string, StoredEntity>> {
    const access = readsInPart(principal) ? principal.access : undefined;
    const judged = access && names && [...new Set([...names, ...access.aspects])];
    const found = await this.underAnyVendorWord(urns, judged ?? names);
    for (const [urn, entity] of found)
      if (!entity.exists || access?.reads(resourceOf(entity)) === false) found.delete(urn);
    if (judged !== undefined && names !== undefined && judged.length > names.length)
      for (const [urn, entity] of found) found.set(urn, withOnly(entity, names));
    return found;
  }

  /**
   * Data types and entity types are found under any vendor word, and answered under the one that was asked with (decisions,
   * "Names").
   */
  private async underAnyVendorWord(
    urns: readonly string[],
    aspects?: readonly string[],
  ): Promise<Map<string, StoredEntity>> {
    const found = await this.inPortions(urns, aspects);
    const own = (urn: string): string => canonicalUrn(urn, this.settings.vendor);
    const others = urns.filter((urn) => found.get(urn)?.exists !== true && own(urn) !== urn);
    if (others.length === 0) return found;
    const meant = await this.repository.stored([...new Set(others.map(own))], aspects);
    const inOrder = new Map<string, StoredEntity>();
    for (const urn of urns) {
      const other = others.includes(urn) ? meant.get(own(urn)) : undefined;
      const entity = other ? { ...other, urn } : found.get(urn);
      if (entity !== undefined) inOrder.set(urn, entity);
    }
    return inOrder;
  }

  /**
   * Serves an entity with all its aspects from the cache: what `show` makes of it, while it is current and nothing has
   * to be hidden of it. Undefined on a cache miss. Synchronous where the store can tell at once. The state is the same
   * object as long as it is current.
   */
  readRecent<T>(
    principal: Principal,
    urn: string,
    show: (entity: StoredEntity) => T,
  ): T | undefined | Promise<T | undefined> {
    authorize(principal, 'read');
    if (this.settings.auditReads) return undefined;
    const entity = this.repository.readRecent(urn);
    if (entity === undefined) return undefined;
    if (readsInPart(principal) && !principal.access?.reads(keptResourceOf(entity))) return undefined;
    for (const name of entity.aspects.keys()) if (this.filters.concern(name)) return undefined;
    if (this.repository.isStillCurrent(entity)) return show(entity);
    return this.repository.isCurrent(entity).then((current) => (current ? show(entity) : undefined));
  }

  /**
   * {@link stored} for one entity, synchronously from the cache: when nothing was committed since it was read, and
   * nothing has to be hidden or audited. Undefined on a cache miss.
   */
  storedNow(principal: Principal, urn: string, aspects: readonly string[]): StoredEntity | undefined {
    if (!grants(principal.role, 'read') || readsInPart(principal) || this.settings.auditReads)
      return undefined;
    for (const name of aspects)
      if (this.model.aspects.get(name)?.kind !== 'versioned' || this.filters.concern(name)) return undefined;
    return this.repository.storedNow(urn, aspects);
  }

  /** Audits a read of a single entity where that is set, before it is answered. */
  private async auditRead(principal: Principal, urn: string, aspects?: readonly string[]): Promise<void> {
    if (principal === SYSTEM_PRINCIPAL) return;
    const event: AuditEvent = { type: 'ReadEntityEvent', urn, ...(aspects && { details: { aspects } }) };
    await this.audit.record({ actor: principal.actor, origin: currentOrigin(), events: [event] });
  }

  private async inPortions(urns: readonly string[], aspects?: readonly string[]) {
    // One entity is little to do, and the most frequent read. Fifty may have megabytes each.
    if (urns.length <= 1) return this.repository.stored(urns, aspects);
    const found = new Map<string, StoredEntity>();
    for (let at = 0; at < urns.length; at += PORTION) {
      await turn();
      const portion = await this.repository.stored(urns.slice(at, at + PORTION), aspects);
      if (urns.length <= PORTION) return portion;
      for (const [urn, entity] of portion) found.set(urn, entity);
    }
    return found;
  }

  /** One entity, which must exist. @throws CatalogError ENTITY_NOT_FOUND, URN_MALFORMED where there can be none */
  async storedOne(principal: Principal, urn: string, selection: Selection = {}): Promise<StoredEntity> {
    const entity = (await this.stored(principal, [urn], selection)).get(urn);
    if (entity !== undefined) return entity;
    const at = selection.urnsAt ?? '/urn';
    refuseBadKey(at, () => this.model.keyFromUrn(toUrn(urn, at)));
    throw refuse('ENTITY_NOT_FOUND', `there is no entity ${urn}`);
  }

  /** The k-th value ever written of an aspect; version 0 is the latest. */
  async version(principal: Principal, urn: string, aspect: string, version: number): Promise<AspectState> {
    return parseAspect(await this.storedVersion(principal, urn, aspect, version));
  }

  /** Like {@link version}, with the JSON left as text. */
  async storedVersion(
    principal: Principal,
    urn: string,
    aspect: string,
    version: number,
  ): Promise<StoredAspect> {
    const { name } = this.versionedAspect(aspect, '/aspect');
    const latest = (await this.storedOne(principal, urn, { aspects: [name] })).aspects.get(name);
    if (version === 0) {
      if (latest === undefined) throw refuse('ASPECT_NOT_FOUND', `${urn} has no aspect "${name}"`);
      return latest;
    }
    if (latest?.version === version) return latest;
    const shown = await this.earlier(principal, urn, name, version);
    if (shown === undefined)
      throw refuse('VERSION_NOT_FOUND', `the aspect "${name}" of ${urn} has no version ${version}`);
    return shown;
  }

  /** An earlier value of a versioned aspect; undefined when there is none, or it must not be seen. */
  async earlier(
    principal: Principal,
    urn: string,
    aspect: string,
    version: number,
  ): Promise<StoredAspect | undefined> {
    authorize(principal, 'read');
    if (readsInPart(principal) && !(await this.existing(principal, [urn])).has(urn)) return undefined;
    const earlier = await this.repository.earlier(urn, aspect, version);
    let shown = earlier;
    if (earlier) await this.filters.apply([{ urn, aspect: earlier, set: (next) => (shown = next) }]);
    return shown;
  }

  /** Which of the URNs name entities that exist and that the caller may read. */
  async existing(principal: Principal, urns: readonly string[]): Promise<Set<string>> {
    return new Set((await this.stored(principal, urns, { aspects: [] })).keys());
  }

  /**
   * Which of the URNs the caller may be told of: all, unless policies hide entities. Then those of entities that exist and
   * may be read; a column is read with the dataset that it belongs to.
   */
  async tellable(principal: Principal, urns: Iterable<string>): Promise<Set<string>> {
    const told = new Set(urns);
    if (!readsInPart(principal)) return told;
    const holders = new Map<string, string>();
    for (const text of told) {
      const urn = tryParseUrn(text);
      const holder = urn?.type === 'schemaField' ? urn.parts[0]! : text;
      if (this.model.entities.has(tryParseUrn(holder)?.type ?? '')) holders.set(text, holder);
    }
    const seen = await this.existing(principal, [...new Set(holders.values())]);
    for (const urn of told) if (!seen.has(holders.get(urn) ?? '')) told.delete(urn);
    return told;
  }

  /** How many values of an aspect there are; `urnLike` is an SQL LIKE pattern on the URN. */
  async count(principal: Principal, aspect: string, urnLike?: string): Promise<number> {
    authorizeWhole(principal, 'read');
    const spec = this.aspect(aspect, '/aspect');
    if (spec.secret) return 0;
    return this.repository.count(
      spec.kind === 'timeseries' ? 'timeseries_aspect' : 'aspect',
      spec.name,
      urnLike,
    );
  }

  /** What is known of an entity that does not exist: what its URN says. */
  private keyOnly(text: string, pointer: string): StoredEntity {
    const { name } = this.entityOf(text, pointer).key;
    const created = { time: 0, actor: SYSTEM_PRINCIPAL.actor };
    const urn = toUrn(text, pointer);
    const value = JSON.stringify(refuseBadKey(pointer, () => this.model.keyFromUrn(urn)).key);
    const aspects = new Map([[name, { name, value, version: 0, systemMetadata: '{}', created }]]);
    const state = { sequence: 0, observations: 0, exists: false, removed: false };
    return { urn: text, entityType: urn.type, ...state, aspects };
  }

  /** Names of aspects to read, without those that are passed over. */
  private namesToRead(names: readonly string[]): readonly string[] {
    if (!this.settings.compatibility.unknownNamesPassedOver) return names;
    return names.filter((name) => this.findAspect(name)?.kind === 'versioned');
  }

  private entityOf(text: string, pointer: string): EntitySpec {
    const { type } = toUrn(text, pointer);
    const entity = this.model.entities.get(type);
    if (entity === undefined)
      throw refuse('ENTITY_UNKNOWN', `unknown entity type "${type}" in ${text}`, pointer);
    return entity;
  }

  private versionedAspect(name: string, pointer: string): AspectSpec {
    const spec = this.aspect(name, pointer);
    if (spec.kind === 'versioned') return spec;
    throw refuse(
      'ASPECT_KIND_WRONG',
      `"${spec.name}" is a time-series aspect: read its events with POST /aspects?action=getTimeseriesAspectValues`,
      pointer,
    );
  }

  private aspect(name: string, pointer: string): AspectSpec {
    const spec = this.findAspect(name);
    if (spec === undefined) throw refuse('ASPECT_UNKNOWN', `unknown aspect "${name}"`, pointer);
    return spec;
  }

  private findAspect(name: string): AspectSpec | undefined {
    return this.model.aspects.get(name) ?? this.aspectWhateverCase(name);
  }

  private aspectWhateverCase(name: string): AspectSpec | undefined {
    const lower = name.toLowerCase();
    return [...this.model.aspects.values()].find((spec) => spec.name.toLowerCase() === lower);
  }
}

function withOnly(entity: StoredEntity, names: readonly string[]): StoredEntity {
  const aspects = new Map<string, StoredAspect>();
  for (const [name, aspect] of entity.aspects) if (names.includes(name)) aspects.set(name, aspect);
  return { ...entity, aspects };
}

/** All aspects of the entities; those of entities that a filter changes are copied to `changed` first. */
function* shownAspects(
  entities: Iterable<StoredEntity>,
  changed: Map<string, Map<string, StoredAspect>>,
): Iterable<ShownAspect> {
  for (const { urn, aspects } of entities) {
    const copy = (): Map<string, StoredAspect> => {
      let shown = changed.get(urn);
      if (shown === undefined) changed.set(urn, (shown = new Map(aspects)));
      return shown;
    };
    for (const [name, aspect] of aspects) {
      yield { urn, aspect, set: (next) => void (next ? copy().set(name, next) : copy().delete(name)) };
    }
  }
}
