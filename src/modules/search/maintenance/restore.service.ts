import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { currentRequest } from '../../../catalog/schedule/index.js';
import { SelectionRepository, type Selection } from '../../entities/index.js';
import { SearchIndexer } from './search-indexer.consumer.js';

export interface RestoreInput extends Selection {
  /** Entities to skip, in the order in which they came into the store. */
  start: number;
  /** The most entities to index. */
  limit: number;
  /** Entities read at once. */
  batchSize: number;
}

interface RestoreReport {
  /** Entities that the selection fits. */
  matched: number;
  start: number;
  indexed: number;
}

/** Writes documents of the index anew, whether they differ from the store or not. */
@Injectable()
export class RestoreService {
  constructor(
    private readonly model: Model,
    private readonly entities: SelectionRepository,
    private readonly indexer: SearchIndexer,
  ) {}

  /**
   * That nothing matches is no error: who restores a list of URNs goes on with the next one, and the report says it.
   * @throws CatalogError NOT_ALLOWED, ASPECT_UNKNOWN, ASPECT_KIND_WRONG
   */
  async restore(
    principal: Principal,
    { start, limit, batchSize, ...given }: RestoreInput,
  ): Promise<RestoreReport> {
    authorize(principal, 'manage');
    const selection = this.checked(given);
    const matched = await this.entities.count(selection);
    if (start >= matched) return { matched, start, indexed: 0 };
    const until = Math.min(matched, start + limit);
    let seen = 0;
    let indexed = 0;
    for await (const page of this.entities.pages(batchSize, selection)) {
      currentRequest()?.throwIfEnded();
      const wanted = page.slice(Math.max(0, start - seen), Math.max(0, until - seen));
      await this.indexer.indexAll(wanted.map(({ urn }) => urn));
      indexed += wanted.length;
      seen += page.length;
      if (seen >= until) break;
    }
    return { matched, start, indexed };
  }

  private checked(selection: Selection): Selection {
    if (selection.aspect === undefined) return selection;
    const asked = selection.aspect.toLowerCase();
    for (const entity of this.model.entities.values()) {
      for (const { name, kind } of entity.aspects.values()) {
        if (name.toLowerCase() !== asked) continue;
        if (kind === 'versioned') return { ...selection, aspect: name };
        throw refuse(
          'ASPECT_KIND_WRONG',
          `"${name}" is a time series: it is not in the search index`,
          '/aspect',
        );
      }
    }
    throw refuse('ASPECT_UNKNOWN', `unknown aspect "${selection.aspect}"`, '/aspect');
  }
}
