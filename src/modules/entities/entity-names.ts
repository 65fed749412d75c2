import { Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { Model, refuseBadKey, type AspectSpec, type EntitySpec } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import type { Urn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';

/** Instead of the kind of an entity, where its URN says it. */
const GENERIC = 'generic';

/** One aspect of one entity, as a request names it. */
export interface AspectTarget {
  entity: EntitySpec;
  urn: Urn;
  aspect: AspectSpec;
}

/** Resolves the names in paths and bodies against the model, whatever their case. */
@Injectable()
export class EntityNames {
  /** The URN read last: the items of a batch are often several about one entity in a row. */
  private last: { urn: Urn; entity: EntitySpec } | undefined;

  constructor(
    private readonly model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  /** @throws CatalogError ENTITY_UNKNOWN */
  entity(name: string, pointer = '/entity'): EntitySpec {
    const entity = this.model.findEntity(name);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown entity "${name}"`, pointer);
    return entity;
  }

  /** A URN of that kind of entity. @throws CatalogError URN_MALFORMED */
  urn(text: unknown, entity: EntitySpec, pointer = '/urn'): Urn {
    if (this.last?.urn.text === text && this.last?.entity === entity) return this.last.urn;
    if (typeof text !== 'string') throw refuse('URN_MALFORMED', 'a URN must be a string', pointer);
    const urn = toUrn(text, pointer);
    if (urn.type !== entity.name) {
      throw refuse(
        'URN_MALFORMED',
        `${text} is the URN of ${withArticle(urn.type)}, not of ${withArticle(entity.name)}`,
        pointer,
      );
    }
    refuseBadKey(pointer, () => this.model.keyFromUrn(urn));
    this.last = { urn, entity };
    return urn;
  }

  /** @throws CatalogError ASPECT_UNKNOWN */
  aspect(entity: EntitySpec, name: string, pointer = '/aspect'): AspectSpec {
    const aspect = this.model.findAspect(entity, name);
    if (aspect === undefined)
      throw refuse('ASPECT_UNKNOWN', `${withArticle(entity.name)} has no aspect "${name}"`, pointer);
    return aspect;
  }

  /** Names of aspects of the entity, canonical and each once; undefined when none are named. */
  aspects(entity: EntitySpec, names: readonly string[], pointer = '/aspects'): string[] | undefined {
    if (names.length === 0) return undefined;
    return [...new Set(names.map((name) => this.aspect(entity, name, pointer).name))];
  }

  /** The same for a read, which may pass over names that the model does not have. */
  aspectsToRead(entity: EntitySpec, names: readonly string[], pointer = '/aspects'): string[] | undefined {
    if (!this.settings.compatibility.unknownNamesPassedOver || names.length === 0)
      return this.aspects(entity, names, pointer);
    return (
      this.aspects(
        entity,
        names.filter((name) => this.has(entity, name)),
        pointer,
      ) ?? []
    );
  }

  has(entity: EntitySpec, aspect: string): boolean {
    return this.model.findAspect(entity, aspect) !== undefined;
  }

  /** The entity types of a search that names none. */
  common(): EntitySpec[] {
    return [...this.model.entities.values()].filter((entity) => entity.searchGroup === 'primary');
  }

  /** An entity that a path names by its kind and its URN; the kind `generic` is the one of the URN. */
  inPath(entityName: string, urnText: string): Pick<AspectTarget, 'entity' | 'urn'> {
    const entity =
      entityName === GENERIC ? this.entity(toUrn(urnText, '/urn').type, '/urn') : this.entity(entityName);
    return { entity, urn: this.urn(urnText, entity) };
  }

  target(entityName: string, urnText: string, aspectName: string): AspectTarget {
    const { entity, urn } = this.inPath(entityName, urnText);
    return { entity, urn, aspect: this.aspect(entity, aspectName) };
  }
}
