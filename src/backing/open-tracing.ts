import { NO_TRACING, type Tracing } from '../catalog/tracing/index.js';
import type { Configuration } from '../config/configuration.js';
import { VERSION } from '../version.js';

/** Tracing to the collector of this configuration. Without one, nothing of it is loaded. */
export async function openTracing({
  tracesEndpoint,
  tracesHeaders,
  tracesService,
  tracesShare,
}: Configuration): Promise<Tracing> {
  if (tracesEndpoint === undefined) return NO_TRACING;
  const { OtlpTracing } = await import('../adapters/tracing/index.js');
  return new OtlpTracing({
    endpoint: tracesEndpoint,
    headers: tracesHeaders,
    service: tracesService,
    version: VERSION,
    share: tracesShare,
  });
}
