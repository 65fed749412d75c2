import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { EntityReader } from '../entities/index.js';
import { IngestService } from '../ingest/index.js';

/** Writes events that callers report in other words than those of the model. */
@Injectable()
export class EventReports {
  constructor(
    private readonly model: Model,
    private readonly reader: EntityReader,
    private readonly ingest: IngestService,
  ) {}

  /**
   * Adds an event to a time series of an entity that exists.
   * @param at JSON pointer of the URN in the request
   * @throws CatalogError URN_MALFORMED, PARAMETER_INVALID (an entity that has no such events), ENTITY_NOT_FOUND,
   *   ASPECT_INVALID, and what policies refuse
   */
  async report(
    principal: Principal,
    target: { urn: string; at: string },
    aspectName: string,
    value: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const urn = toUrn(target.urn, target.at);
    const entity = this.model.entities.get(urn.type);
    const aspect = entity?.aspects.get(aspectName);
    if (!entity || !aspect)
      throw refuse('PARAMETER_INVALID', `${urn.text} can have no ${aspectName}`, target.at);
    if (!(await this.reader.existing(principal, [urn.text])).has(urn.text))
      throw refuse('ENTITY_NOT_FOUND', `${urn.text} does not exist`, target.at);
    await this.ingest.submit(principal, [
      {
        entity,
        urn,
        aspect,
        changeType: 'UPSERT',
        value,
        systemMetadata: {},
        pointer: '',
        valuePointer: '',
      },
    ]);
  }
}
