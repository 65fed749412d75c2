import { Injectable } from '@nestjs/common';
import { toUrn } from '../../catalog/restli/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { EntityCountService } from './counts/entity-count.service.js';
import { DeletionService } from './deletion.service.js';
import { ExistenceService } from './existence.service.js';
import {
  batchGetTotalEntityCount,
  deleteEntity,
  deleteReferences,
  exists,
  filterExistingUrns,
  getTotalEntityCount,
  listUrns,
  MAX_URNS,
} from './lifecycle.routes.js';
import { ReferencesService } from './references/references.service.js';

/** The actions of `POST /entities` about the life of entities: whether they are there, and their end. */
@Injectable()
export class LifecycleActions extends Actions {
  readonly actions = [
    serve(deleteEntity, (principal, { urn, aspectName, startTimeMillis: from, endTimeMillis: to }) =>
      this.deletions.delete(principal, toUrn(urn, '/urn'), aspectName, { from, to }),
    ),
    serve(deleteReferences, (principal, { urn, dryRun = false }) =>
      this.references.remove(principal, toUrn(urn, '/urn'), dryRun),
    ),
    serve(exists, async (principal, { urn, includeSoftDelete = true }) => {
      const found = await this.existence.existing(principal, [urn], { includeSoftDelete, urnsAt: '/urn' });
      return found.length > 0;
    }),
    serve(filterExistingUrns, (principal, { request: { urns, includeSoftDelete = true } }) =>
      this.existence.existing(principal, urns, { includeSoftDelete, urnsAt: '/request/urns' }),
    ),
    serve(getTotalEntityCount, async (principal, { entity }) => {
      const [count] = await this.counts.counts(principal, [entity], () => '/entity');
      return count?.active;
    }),
    serve(listUrns, (principal, { entity, start = 0, count = 10 }) =>
      this.counts.list(principal, entity, start, Math.min(count, MAX_URNS)),
    ),
    serve(batchGetTotalEntityCount, async (principal, { entities }) => {
      const counts = await this.counts.counts(principal, entities, (index) => `/entities/${index}`);
      return Object.fromEntries(counts.map(({ entity, active }) => [entity.name, active]));
    }),
  ];

  constructor(
    private readonly deletions: DeletionService,
    private readonly references: ReferencesService,
    private readonly existence: ExistenceService,
    private readonly counts: EntityCountService,
  ) {
    super();
  }
}
