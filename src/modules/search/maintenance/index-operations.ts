import { Injectable } from '@nestjs/common';
import { toUrn } from '../../../catalog/restli/index.js';
import { Actions, serve, type Values } from '../../../catalog/route/index.js';
import {
  DEFAULT_BATCH,
  DEFAULT_BUCKETS,
  DEFAULT_NAMED,
  restoreIndices,
  restoreIndicesOfAspects,
  systemUpdate,
  systemUpdateProgress,
  verify,
} from './index-operations.routes.js';
import { RebuildService } from './rebuild.service.js';
import { RestoreService, type RestoreInput } from './restore.service.js';
import { SystemUpdateService } from './system-update.service.js';
import { VerifyService } from './verify.service.js';

/** `POST /operations`: what keeps the search index right. */
@Injectable()
export class IndexOperations extends Actions {
  readonly actions = [
    serve(verify, (principal, { repair = false, buckets = DEFAULT_BUCKETS, limit = DEFAULT_NAMED }) =>
      this.rebuilder.rebuilding(repair, () =>
        this.verifier.verify(principal, { repair, buckets, named: limit }),
      ),
    ),
    ...[restoreIndices, restoreIndicesOfAspects].map((route) =>
      serve(route, async (principal, values) =>
        JSON.stringify(await this.restorer.restore(principal, restoreInput(values))),
      ),
    ),
    serve(systemUpdate, (principal, { mappingsReindex = false, structuredProperties = false }) =>
      this.updater.start(principal, { reindex: mappingsReindex, steps: structuredProperties }),
    ),
    serve(systemUpdateProgress, (principal, { from = 0 }) => this.updater.progress(principal, from)),
  ];

  constructor(
    private readonly verifier: VerifyService,
    private readonly restorer: RestoreService,
    private readonly updater: SystemUpdateService,
    private readonly rebuilder: RebuildService,
  ) {
    super();
  }
}

function restoreInput(values: Values<(typeof restoreIndices)['parameters'], never>): RestoreInput {
  const { urn, urnLike, aspect, gePitEpochMs: from, lePitEpochMs: to } = values;
  const { start = 0, limit = Number.MAX_SAFE_INTEGER, batchSize = DEFAULT_BATCH } = values;
  return {
    ...(urn !== undefined && { urn: toUrn(urn, '/urn').text }),
    ...(urnLike !== undefined && { urnLike }),
    ...(aspect !== undefined && { aspect }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    start,
    limit,
    batchSize,
  };
}
