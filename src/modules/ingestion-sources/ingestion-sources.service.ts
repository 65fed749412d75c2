import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { EditService } from '../ingest/index.js';

/** An ingestion source as callers write it; what is absent is not kept. */
export interface SourceUpdate {
  readonly name: string;
  readonly type: string;
  readonly schedule?: { readonly interval: string; readonly timezone: string } | null;
  readonly config: {
    readonly recipe: string;
    readonly version?: string | null;
    readonly executorId: string;
    readonly debugMode?: boolean | null;
    readonly extraArgs?: ReadonlyArray<{ readonly key: string; readonly value?: string | null }> | null;
  };
  readonly source?: { readonly type: string } | null;
}

/** Keeps ingestion sources. */
@Injectable()
export class IngestionSourcesService {
  constructor(private readonly edits: EditService) {}

  /**
   * Makes an ingestion source, or replaces what is known of it.
   * @throws CatalogError URN_MALFORMED, PARAMETER_INVALID for the URN of something else
   */
  async update(principal: Principal, urn: string, asked: SourceUpdate): Promise<void> {
    if (toUrn(urn, '/urn').type !== 'dataHubIngestionSource')
      throw refuse('PARAMETER_INVALID', `${urn} is not the URN of an ingestion source`, '/urn');
    const { name, type, schedule, source } = asked;
    const { recipe, version, executorId, debugMode, extraArgs } = asked.config;
    await this.edits.submit(principal, [
      {
        urn,
        at: '/urn',
        entity: 'any',
        aspect: 'dataHubIngestionSourceInfo',
        what: 'ingestion source',
        apply: (current) => ({
          ...(current?.['platform'] !== undefined && { platform: current['platform'] }),
          name,
          type,
          ...(schedule && { schedule: { interval: schedule.interval, timezone: schedule.timezone } }),
          config: {
            recipe,
            executorId,
            ...(typeof version === 'string' && { version }),
            ...(typeof debugMode === 'boolean' && { debugMode }),
            ...(extraArgs && {
              extraArgs: Object.fromEntries(extraArgs.map(({ key, value }) => [key, value ?? ''])),
            }),
          },
          ...(source && { source: { type: source.type } }),
        }),
      },
    ]);
  }
}
