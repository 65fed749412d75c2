import { tryParseUrn } from '../../catalog/urn/index.js';
import type { ServiceClient } from '../service-client.js';

export type Value = Readonly<Record<string, unknown>>;

/** An aspect as it was read; a write is refused when it was changed since. */
export interface ReadAspect {
  readonly value: Value;
  readonly version: string;
}

export interface ReadEntity {
  readonly urn: string;
  readonly aspects: ReadonlyMap<string, ReadAspect>;
}

/** A write of a whole aspect over the version that was read. */
export interface AspectWrite {
  readonly urn: string;
  readonly aspect: string;
  readonly value: Value;
  /** -1: there was none. */
  readonly version: string;
}

type EntityBody = { urn: string } & Record<string, { value: Value; systemMetadata?: { version?: string } }>;

/** Entities that are read at a time. */
const PAGE = 200;
const typeOf = (urn: string): string => tryParseUrn(urn)?.type ?? '';

/** What the tables need of a running service. */
export class CsvCatalog {
  /** What is known of the existence of entities that tables refer to. */
  private readonly existing = new Map<string, boolean>();

  constructor(private readonly client: ServiceClient) {}

  /** Entities in the order of their URNs, with these aspects. */
  async *list(wanted: {
    entities: readonly string[];
    aspects: readonly string[];
    query: string;
  }): AsyncGenerator<ReadEntity> {
    const body = { entities: wanted.entities, aspects: wanted.aspects };
    for (let scrollId: string | undefined; ;) {
      const query = new URLSearchParams({ query: wanted.query, count: String(PAGE) });
      if (scrollId !== undefined) query.set('scrollId', scrollId);
      const page = await this.client.call<{ entities: EntityBody[]; scrollId?: string | null }>(
        `/openapi/v3/entity/scroll?${query.toString()}`,
        body,
      );
      for (const entity of page.entities) yield readEntity(entity);
      scrollId = page.scrollId ?? undefined;
      if (scrollId === undefined) return;
    }
  }

  /** Those that exist, by URN. @param aspects of each type */
  async read(
    urns: readonly string[],
    aspects: (type: string) => readonly string[],
  ): Promise<Map<string, ReadEntity>> {
    if (urns.length === 0) return new Map();
    const body: Record<string, object[]> = {};
    for (const urn of urns) {
      const type = typeOf(urn);
      (body[type] ??= []).push({ urn, ...Object.fromEntries(aspects(type).map((name) => [name, {}])) });
    }
    const found = await this.client.call<Record<string, EntityBody[]>>(
      '/openapi/v3/entity/generic/batchGet?systemMetadata=true',
      body,
    );
    return new Map(
      Object.values(found)
        .flat()
        .map((entity): [string, ReadEntity] => [entity.urn, readEntity(entity)]),
    );
  }

  /** Asks which of these exist; {@link exists} knows then. @param keyOf the name of the key aspect of a type */
  async lookUp(urns: Iterable<string>, keyOf: (type: string) => string | undefined): Promise<void> {
    const unknown = [...new Set(urns)].filter((urn) => !this.existing.has(urn));
    for (let from = 0; from < unknown.length; from += PAGE) {
      const asked = unknown.slice(from, from + PAGE);
      const found = await this.read(asked, (type) => [keyOf(type)].filter((name) => name !== undefined));
      for (const urn of asked) this.existing.set(urn, found.has(urn));
    }
  }

  exists(urn: string): boolean {
    return this.existing.get(urn) === true;
  }

  /** All or none. @throws ServiceError */
  async write(writes: readonly AspectWrite[]): Promise<void> {
    const proposals = writes.map(({ urn, aspect, value, version }) => ({
      entityType: typeOf(urn),
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: aspect,
      aspect: { contentType: 'application/json', value: JSON.stringify(value) },
      headers: { 'If-Version-Match': version },
    }));
    await this.client.call('/aspects?action=ingestProposalBatch', { proposals });
  }
}

function readEntity({ urn, ...aspects }: EntityBody): ReadEntity {
  const entries: Array<[string, EntityBody[string]]> = Object.entries(aspects);
  return {
    urn,
    aspects: new Map(
      entries.map(([name, { value, systemMetadata }]) => [
        name,
        { value, version: systemMetadata?.version ?? '1' },
      ]),
    ),
  };
}
