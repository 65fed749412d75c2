import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Principal } from '../../../catalog/auth/index.js';
import { sequenceTag, versionTag, type HttpHeaders } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { EventReader } from '../../../catalog/extension/event-reader.js';
import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import { PortionSize, turn } from '../../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import {
  discovered,
  EntityReader,
  ReadFilters,
  type StoredAspect,
  type StoredEntity,
  EntityNames,
  type AspectTarget,
} from '../../entities/index.js';
import { ok, type HttpAnswer } from '../answers/answer.js';
import {
  storedEntity,
  storedEntityBytes,
  storedMember,
  V2,
  V3,
  type EntityForm,
} from '../answers/entity-form.js';
import { ReadConditions } from './read-conditions.js';

/** Entities that are read together at the most. */
const PORTION = 500;

/** How entities are read and shown. */
interface ReadOptions {
  /** Names of aspects, in any case; none: all versioned ones. */
  aspects: readonly string[];
  systemMetadata: boolean;
  /** Of the request. */
  headers?: HttpHeaders;
}

/** What a batch asks of one entity: all its aspects, or some, each in its latest or an earlier version. */
export interface Wanted {
  entity: EntitySpec;
  urn: string;
  aspects?: ReadonlyArray<{ aspect: AspectSpec; version: number }>;
}

/** Reads for the entity endpoints. Soft-deleted entities can be read; what is missing is a 404. */
@Injectable()
export class EntityReadService implements OnModuleInit {
  private events: EventReader | undefined;

  constructor(
    private readonly names: EntityNames,
    private readonly reader: EntityReader,
    private readonly filters: ReadFilters,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  onModuleInit(): void {
    [this.events] = discovered(this.discovery, EventReader);
  }

  async entity(
    principal: Principal,
    form: EntityForm,
    path: { entity: string; urn: string },
    options: ReadOptions,
  ): Promise<HttpAnswer> {
    const place = this.names.inPath(path.entity, path.urn);
    const { entity } = place;
    const urn = place.urn.text;
    const conditions = new ReadConditions(options.headers);
    const named = this.names.aspectsToRead(entity, options.aspects);
    const events = named?.filter((name) => entity.aspects.get(name)?.kind === 'timeseries') ?? [];
    const aspects = named?.filter((name) => !events.includes(name));
    const absent = form.version === 'v2';
    const stored = await this.reader.storedOne(principal, urn, { aspects, absent });
    const tag = sequenceTag(stored.sequence);
    conditions.check(tag, urn);
    const shownAsStored = ![...stored.aspects.keys()].some((name) => this.filters.concern(name));
    if (events.length === 0 && !options.systemMetadata && shownAsStored && conditions.knows(tag))
      return notModified(tag);
    if (events.length === 0) return ok(storedEntityBytes(form, stored, options.systemMetadata), tag);
    const shown = new Map(stored.aspects);
    for (const name of events) {
      const event = await this.events?.newest(principal, urn, name);
      if (event) shown.set(name, event);
    }
    return ok(storedEntity(form, { ...stored, aspects: shown }, options.systemMetadata), tag);
  }

  /** @param version 0 = latest; of a time-series aspect the time that the event may have at most. */
  async aspect(
    principal: Principal,
    form: EntityForm,
    path: { entity: string; urn: string; aspect: string },
    version: number,
    systemMetadata: boolean,
    headers?: HttpHeaders,
  ): Promise<HttpAnswer> {
    const conditions = new ReadConditions(headers);
    const target = this.names.target(path.entity, path.urn, path.aspect);
    const aspect = await this.stored(principal, target, version);
    const shape = this.settings.compatibility.bareAspect ? V2 : form;
    const body = () => shape.aspect(target.urn.text, storedMember(aspect, systemMetadata));
    const versioned = target.aspect.kind === 'versioned';
    const tag = versioned ? versionTag(aspect.version, aspect.created.time) : undefined;
    conditions.check(tag, `${target.aspect.name} of ${target.urn.text}`);
    if (tag === undefined) return ok(body());
    if (!systemMetadata && !this.filters.concern(aspect.name) && conditions.knows(tag))
      return notModified(tag);
    return ok(body(), tag);
  }

  /** 204 or 404. @param includeSoftDelete whether a soft-deleted entity exists */
  async exists(
    principal: Principal,
    path: { entity: string; urn: string },
    includeSoftDelete = !this.settings.compatibility.removedAreAbsent,
    headers?: HttpHeaders,
  ): Promise<HttpAnswer> {
    const conditions = new ReadConditions(headers);
    const urn = this.names.inPath(path.entity, path.urn).urn.text;
    const { removed, sequence } = await this.reader.storedOne(principal, urn, { aspects: [] });
    if (removed && !includeSoftDelete) throw refuse('ENTITY_NOT_FOUND', `${urn} is soft-deleted`);
    const tag = sequenceTag(sequence);
    conditions.check(tag, urn);
    return conditions.knows(tag) ? notModified(tag) : { status: 204, headers: { etag: `"${tag}"` } };
  }

  /** 204 or 404. */
  async aspectExists(
    principal: Principal,
    path: { entity: string; urn: string; aspect: string },
    given?: HttpHeaders,
  ): Promise<HttpAnswer> {
    const { status, headers } = await this.aspect(principal, V3, path, 0, false, given);
    return { status: status === 304 ? 304 : 204, ...(headers && { headers }) };
  }

  /** The entities of a list of URNs, as text in its order, some at a time; those that do not exist are left out. */
  async *texts(
    principal: Principal,
    form: EntityForm,
    urns: readonly string[],
    options: { aspects: readonly string[] | undefined; systemMetadata: boolean },
  ): AsyncGenerator<string[]> {
    const { aspects, systemMetadata } = options;
    for await (const found of this.reader.portions(principal, urns, { aspects, urnsAt: '/urns' }))
      yield [...found.values()].map((entity) => storedEntity(form, entity, systemMetadata));
  }

  /** What is there of what a batch asks for, in its order, some at a time; entities without any of it are left out. */
  async *batch(
    principal: Principal,
    form: EntityForm,
    wanted: readonly Wanted[],
    systemMetadata: boolean,
  ): AsyncGenerator<string[]> {
    const inPart = new Set(wanted.map(({ urn }) => urn)).size > 1;
    const size = new PortionSize(PORTION);
    for (let at = 0; at < wanted.length;) {
      await turn();
      const some = wanted.slice(at, at + size.next);
      at += some.length;
      const latest = await this.latest(principal, some, inPart);
      const texts: string[] = [];
      for (const { urn, aspects } of some) {
        const entity = latest.get(urn);
        if (entity === undefined) continue;
        const shown = aspects === undefined ? entity : await this.only(principal, entity, aspects);
        if (shown.aspects.size > 0 || aspects === undefined)
          texts.push(storedEntity(form, shown, systemMetadata));
      }
      size.learn(
        some.length,
        texts.reduce((sum, text) => sum + text.length, 0),
      );
      yield texts;
    }
  }

  /** An entity with some aspects, each in one of its versions. */
  private async only(
    principal: Principal,
    entity: StoredEntity,
    aspects: NonNullable<Wanted['aspects']>,
  ): Promise<StoredEntity> {
    // Names match whatever their case, so that one may be there twice.
    const shown = new Map<string, StoredAspect>();
    for (const { aspect, version } of aspects) {
      const found = await this.version(principal, entity.urn, aspect, version, entity);
      if (found) shown.set(found.name, found);
    }
    return { ...entity, aspects: shown };
  }

  private latest(
    principal: Principal,
    wanted: readonly Wanted[],
    inPart: boolean,
  ): Promise<ReadonlyMap<string, StoredEntity>> {
    const urns = [...new Set(wanted.map(({ urn }) => urn))];
    const all = wanted.some(({ aspects }) => aspects === undefined);
    const names = wanted.flatMap(({ aspects }) =>
      (aspects ?? []).filter((a) => a.aspect.kind === 'versioned').map((a) => a.aspect.name),
    );
    return this.reader.stored(principal, urns, { aspects: all ? undefined : [...new Set(names)], inPart });
  }

  private async version(
    principal: Principal,
    urn: string,
    aspect: AspectSpec,
    version: number,
    entity: StoredEntity,
  ): Promise<StoredAspect | undefined> {
    if (aspect.kind === 'timeseries')
      return this.events?.newest(principal, urn, aspect.name, version || undefined);
    const stored = entity.aspects.get(aspect.name);
    if (version === 0 || stored?.version === version) return stored;
    return this.reader.earlier(principal, urn, aspect.name, version);
  }

  /** The newest event of a time-series aspect, no later than `to` (0 = any time). */
  async newestEvent(principal: Principal, urn: string, aspect: AspectSpec, to = 0): Promise<StoredAspect> {
    // Answers 404 for an entity that does not exist, as it does for other aspects.
    await this.reader.storedOne(principal, urn, { aspects: [] });
    const event = await this.anyNewestEvent(principal, urn, aspect, to);
    if (event === undefined) throw refuse('ASPECT_NOT_FOUND', `${urn} has no events of "${aspect.name}"`);
    return event;
  }

  /** The same; undefined when there is none. */
  async anyNewestEvent(
    principal: Principal,
    urn: string,
    aspect: AspectSpec,
    to = 0,
  ): Promise<StoredAspect | undefined> {
    return this.events?.newest(principal, urn, aspect.name, to || undefined);
  }

  private stored(principal: Principal, target: AspectTarget, version: number): Promise<StoredAspect> {
    const { urn, aspect } = target;
    return aspect.kind === 'timeseries'
      ? this.newestEvent(principal, urn.text, aspect, version)
      : this.reader.storedVersion(principal, urn.text, aspect.name, version);
  }
}

/**
 * The caller has it already. Not for what can change while its tag stays: events, system metadata (a write of an equal
 * value renews it), and values that a read filter hides or shows.
 */
function notModified(tag: string): HttpAnswer {
  return { status: 304, headers: { etag: `"${tag}"` } };
}
