import { Injectable } from '@nestjs/common';
import { AspectActions } from '../../catalog/extension/aspect-actions.js';
import { RestliAction } from '../../catalog/extension/documented.js';
import { OperationActions } from '../../catalog/extension/operation-actions.js';
import { Parameters } from '../../catalog/restli/index.js';
import { MAX_WINDOW } from '../../catalog/search/index.js';
import { RebuildService } from './rebuild.service.js';
import { RestoreService, type RestoreInput } from './restore.service.js';
import { SystemUpdateService } from './system-update.service.js';
import { VerifyService } from './verify.service.js';

const DEFAULT_BUCKETS = 1024;
const DEFAULT_NAMED = 100;
const DEFAULT_BATCH = 1000;
const RESTORE_PARAMETERS = [
  'aspect',
  'urn',
  'urnLike',
  'start',
  'batchSize',
  'limit',
  'gePitEpochMs',
  'lePitEpochMs',
  'createDefaultAspects',
];
const RESTORE_DOC = {
  summary: 'Writes entities to the search index anew; needs the role of an administrator.',
  parameters: {
    urn: 'this entity only',
    urnLike: 'SQL LIKE pattern of URNs',
    aspect: 'entities with this aspect only',
    start: 'entities to skip, default 0',
    limit: 'entities to index, default all',
    batchSize: `entities read at once, default ${DEFAULT_BATCH}`,
    gePitEpochMs: 'written at this time or later',
    lePitEpochMs: 'written at this time or earlier',
  },
  answer: 'a JSON text {matched, start, indexed}; 404 when nothing matches',
};

/** `POST /operations`: what keeps the search index right. */
@Injectable()
export class IndexOperations extends OperationActions {
  @RestliAction({
    resource: 'operations',
    action: 'verify',
    summary: 'Compares store and search index, and repairs the index; needs the role of an administrator.',
    parameters: {
      repair: 'whether to repair what differs, default false',
      buckets: `number of sums to compare by, default ${DEFAULT_BUCKETS}`,
      limit: `most URNs to name of each kind, default ${DEFAULT_NAMED}`,
    },
    answer:
      '{entities, documents, buckets, differingBuckets, differences: {missing, stale, leftOver, ahead: {count, urns}}, repaired, remaining, dangling: {count, references: [{entity, aspect, target}]}}',
  })
  @RestliAction({ resource: 'operations', action: 'restoreIndices', ...RESTORE_DOC })
  @RestliAction({
    resource: 'operations',
    action: 'systemUpdate',
    summary: 'Begins a system update, which goes on by itself; needs the role of an administrator.',
    parameters: {
      mappingsReindex: 'whether to build the search index anew beside the one in use, default false',
      structuredProperties: 'whether to carry out the steps about structured properties, default false',
    },
    answer: '{started}: false when one is running already',
  })
  @RestliAction({
    resource: 'operations',
    action: 'systemUpdateProgress',
    summary: 'What the last system update of this process has reported.',
    parameters: { from: 'number of the first line wanted, default 0' },
    answer: '{running, lines: [string], next, failed}',
  })
  readonly actions: OperationActions['actions'] = {
    verify: (principal, body) => {
      const parameters = Parameters.of(body, ['repair', 'buckets', 'limit']);
      const options = {
        repair: parameters.flag('repair') ?? false,
        buckets: parameters.integer('buckets', 1, 65_536) ?? DEFAULT_BUCKETS,
        named: parameters.integer('limit', 0, MAX_WINDOW) ?? DEFAULT_NAMED,
      };
      return this.rebuilder.rebuilding(options.repair, () => this.verifier.verify(principal, options));
    },
    restoreIndices: async (principal, body) =>
      JSON.stringify(await this.restorer.restore(principal, readRestore(body))),
    systemUpdate: async (principal, body) => {
      const parameters = Parameters.of(body, ['mappingsReindex', 'structuredProperties']);
      return this.updater.start(principal, {
        reindex: parameters.flag('mappingsReindex') ?? false,
        steps: parameters.flag('structuredProperties') ?? false,
      });
    },
    systemUpdateProgress: async (principal, body) =>
      this.updater.progress(principal, Parameters.of(body, ['from']).integer('from') ?? 0),
  };

  constructor(
    private readonly verifier: VerifyService,
    private readonly restorer: RestoreService,
    private readonly updater: SystemUpdateService,
    private readonly rebuilder: RebuildService,
  ) {
    super();
  }
}

/** The older place of the same action. */
@Injectable()
export class IndexAspectActions extends AspectActions {
  @RestliAction({ resource: 'aspects', action: 'restoreIndices', ...RESTORE_DOC, deprecated: true })
  readonly actions: AspectActions['actions'] = {
    restoreIndices: async (principal, body) =>
      JSON.stringify(await this.restorer.restore(principal, readRestore(body))),
  };

  constructor(private readonly restorer: RestoreService) {
    super();
  }
}

function readRestore(body: Record<string, unknown>): RestoreInput {
  const parameters = Parameters.of(body, RESTORE_PARAMETERS);
  // Aspects that entities lack are added when they are written; here the flag changes nothing.
  parameters.flag('createDefaultAspects');
  const given = {
    urn: parameters.get('urn') === undefined ? undefined : parameters.urn('urn').text,
    urnLike: parameters.optionalText('urnLike'),
    aspect: parameters.optionalText('aspect'),
    from: parameters.integer('gePitEpochMs'),
    to: parameters.integer('lePitEpochMs'),
  };
  return {
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<RestoreInput>),
    start: parameters.integer('start') ?? 0,
    limit: parameters.integer('limit', 1) ?? Number.MAX_SAFE_INTEGER,
    batchSize: parameters.integer('batchSize', 1, MAX_WINDOW) ?? DEFAULT_BATCH,
  };
}
