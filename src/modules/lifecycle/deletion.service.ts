import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { clearingPath, type EventSelection } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import type { Urn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { IngestService } from '../ingest/index.js';
import { deletionOf } from './proposals.js';

interface Deletion {
  urn: string;
  /** Stored values that are gone, earlier versions included. */
  rows: number;
  timeseriesRows: number;
  /** Where it can be followed how the entity is taken off what refers to it. */
  references?: string;
}

/** Hard deletion: of an entity, of one of its aspects, or of events. What is not there is not an error. */
@Injectable()
export class DeletionService {
  constructor(
    private readonly model: Model,
    private readonly ingest: IngestService,
  ) {}

  /**
   * Deletes an entity, an aspect of it, or events.
   * @param aspectName absent, or the key aspect: the whole entity.
   * @param events which events of a time-series aspect. With any other aspect a range is refused: a client that gave
   *   one did not mean to delete everything.
   */
  async delete(
    principal: Principal,
    urn: Urn,
    aspectName: string | undefined,
    events: EventSelection,
  ): Promise<Deletion> {
    const entity = this.model.findEntity(urn.type);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown entity type "${urn.type}"`, '/urn');
    const aspect = aspectName === undefined ? entity.key : this.model.findAspect(entity, aspectName);
    if (aspect === undefined) {
      throw refuse(
        'ASPECT_UNKNOWN',
        `${withArticle(entity.name)} has no aspect "${aspectName}"`,
        '/aspectName',
      );
    }
    const ranged = events.from !== undefined || events.to !== undefined;
    if (ranged && aspect.kind !== 'timeseries') {
      throw refuse(
        'PARAMETER_INVALID',
        'a range of time only goes with the aspectName of a time-series aspect',
        events.from === undefined ? '/endTimeMillis' : '/startTimeMillis',
      );
    }
    const proposal = deletionOf({ entity, urn, aspect }, aspect.kind === 'timeseries' ? { events } : {});
    const [outcome] = await this.ingest.submit(principal, [proposal]);
    const { rows, events: timeseriesRows } = outcome?.removed ?? { rows: 0, events: 0 };
    const references = outcome?.clearing === undefined ? {} : { references: clearingPath(outcome.clearing) };
    return { urn: urn.text, rows, timeseriesRows, ...references };
  }
}
