import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import type { AspectSpec, EntitySpec } from '../../catalog/model/index.js';
import { parseUrn } from '../../catalog/urn/index.js';
import { IngestService } from '../ingest/index.js';
import { EventTruncationRepository } from '../entities/index.js';

/** Entities of one transaction. */
const SLICE = 200;

/** Deletes old events of all entities of a kind, as other deletions are carried out: logged, and seen by the audit. */
@Injectable()
export class EventTruncation {
  constructor(
    private readonly repository: EventTruncationRepository,
    private readonly ingest: IngestService,
  ) {}

  /** How many events there are, and how many of them are up to a time. @throws CatalogError NOT_ALLOWED */
  async count(principal: Principal, entity: EntitySpec, aspect: AspectSpec, to: number) {
    authorize(principal, 'manage');
    return this.repository.count(entity.name, aspect.name, to);
  }

  /** @returns how many events went @throws CatalogError NOT_ALLOWED */
  async truncate(principal: Principal, entity: EntitySpec, aspect: AspectSpec, to: number): Promise<number> {
    authorize(principal, 'manage');
    let gone = 0;
    let after = '';
    for (;;) {
      const urns = await this.repository.entities(entity.name, aspect.name, to, after, SLICE);
      const outcomes = await this.ingest.submit(
        principal,
        urns.map((urn) => ({
          ...{ entity, urn: parseUrn(urn), aspect, changeType: 'DELETE' as const, events: { to } },
          ...{ systemMetadata: {}, pointer: '', valuePointer: '' },
        })),
      );
      for (const { removed } of outcomes) gone += removed?.events ?? 0;
      if (urns.length < SLICE) return gone;
      after = urns.at(-1)!;
    }
  }
}
