import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { EntitySpec } from '../../catalog/model/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { EntityNames } from './entity-names.js';
import { EntityReader } from './entity-reader.service.js';
import type { StoredAspect, StoredEntity } from './store/stored-entity.js';
import { readVersionedUrn } from './versioned-urn.js';

/** An entity with the versions of aspects that were asked for. */
export interface VersionedEntity {
  entity: StoredEntity;
  /** By the name of the aspect; the others are the latest. */
  versions: ReadonlyMap<string, number>;
}

/** Reads entities with chosen versions of their aspects. */
@Injectable()
export class VersionedEntities {
  constructor(
    private readonly reader: EntityReader,
    private readonly names: EntityNames,
  ) {}

  /**
   * Those that exist, by their ids as they were given, some at a time.
   * @throws CatalogError PARAMETER_INVALID, URN_MALFORMED, ENTITY_UNKNOWN, ASPECT_UNKNOWN, ASPECT_KIND_WRONG
   */
  async *read(
    principal: Principal,
    ids: readonly string[],
    { entityType, aspects }: { entityType: string; aspects?: readonly string[] | undefined },
  ): AsyncGenerator<Map<string, VersionedEntity>> {
    const spec = this.names.entity(entityType, '/entityType');
    const asked = ids.map((id, i) => this.wanted(spec, id, `/ids/${i}`));
    const idsOf = Map.groupBy(asked, ({ urn }) => urn);
    const selection = { aspects, key: true, urnsAt: '/ids' };
    for await (const found of this.reader.portions(principal, [...idsOf.keys()], selection)) {
      const entities = new Map<string, VersionedEntity>();
      for (const [urn, latest] of found)
        for (const { id, versions } of idsOf.get(urn) ?? []) {
          await turn();
          entities.set(id, await this.atVersions(principal, latest, versions));
        }
      yield entities;
    }
  }

  private wanted(entity: EntitySpec, id: string, pointer: string) {
    const { urn, versions } = readVersionedUrn(id, pointer);
    const named = [...versions].map(([name, version]) => {
      const aspect = this.names.aspect(entity, name, pointer);
      if (aspect.kind === 'versioned') return [aspect.name, version] as const;
      throw refuse(
        'ASPECT_KIND_WRONG',
        `"${aspect.name}" is a time-series aspect: it has no versions`,
        pointer,
      );
    });
    return { id, urn: this.names.urn(urn, entity, pointer).text, versions: new Map(named) };
  }

  /** Of the aspects that were read. A version that there is not is left out. */
  private async atVersions(
    principal: Principal,
    latest: StoredEntity,
    versions: ReadonlyMap<string, number>,
  ): Promise<VersionedEntity> {
    const aspects = new Map<string, StoredAspect>();
    for (const [name, aspect] of latest.aspects) {
      const version = versions.get(name) ?? 0;
      const asked =
        version === 0 || version === aspect.version
          ? aspect
          : await this.reader.earlier(principal, latest.urn, name, version);
      if (asked !== undefined) aspects.set(name, asked);
    }
    return { entity: { ...latest, aspects }, versions };
  }
}
