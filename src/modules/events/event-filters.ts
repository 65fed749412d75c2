import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import type { EventFilter } from './event-filter.js';
import { CATEGORIES, type Topic } from './topics.js';

/** Checks the names in filters of events. */
@Injectable()
export class EventFilters {
  constructor(private readonly model: Model) {}

  /**
   * @param parameters what the lists are called in the request
   * @throws CatalogError PARAMETER_INVALID for a name that does not exist, and for categories where events have none
   */
  check(
    topic: Topic,
    { entityTypes, aspects, categories }: EventFilter,
    parameters: Record<'entityType' | 'aspect' | 'category', string>,
  ): void {
    const known: readonly string[] = CATEGORIES;
    this.refuseUnknown(
      entityTypes,
      (name) => this.model.entities.has(name),
      'entity type',
      parameters.entityType,
    );
    this.refuseUnknown(aspects, (name) => this.model.aspects.has(name), 'aspect', parameters.aspect);
    const which = `category, known are ${known.join(', ')}`;
    this.refuseUnknown(categories, (name) => known.includes(name), which, parameters.category);
    if (categories.length > 0 && topic !== 'PlatformEvent_v1')
      throw refuse(
        'PARAMETER_INVALID',
        `only events of PlatformEvent_v1 have a category, those of ${topic} have none`,
        `/${parameters.category}`,
      );
  }

  private refuseUnknown(
    names: readonly string[],
    isKnown: (name: string) => boolean,
    what: string,
    parameter: string,
  ): void {
    const wrong = names.find((name) => !isKnown(name));
    if (wrong !== undefined) throw refuse('PARAMETER_INVALID', `"${wrong}" is no ${what}`, `/${parameter}`);
  }
}
