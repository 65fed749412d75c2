import { flag, headers, pattern, share, url, word } from '../variable.js';

/** Logs, traces, and what an update of the system does besides. */
export const OPERATIONS = {
  logLevel: word(
    'CATALOG_LOG_LEVEL',
    'least important log line that is written; debug writes one for each request',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
  ),
  tracesEndpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OpenTelemetry collector that traces are sent to, by OTLP over HTTP; /v1/traces is appended',
    ['http:', 'https:'],
    'no traces',
  ),
  tracesHeaders: headers('OTEL_EXPORTER_OTLP_HEADERS', 'headers that the collector asks for, such as a key'),
  tracesService: pattern(
    'OTEL_SERVICE_NAME',
    'name of the service in traces',
    'metadata-catalog',
    'a word of letters, digits, ., - and _',
    /^[\w.-]{1,128}$/,
  ),
  tracesShare: share(
    'OTEL_TRACES_SAMPLER_ARG',
    'share of the traces that are kept; where a client sends traceparent, it decides itself',
  ),
  mappingsReindex: flag(
    'ELASTICSEARCH_INDEX_BUILDER_MAPPINGS_REINDEX',
    'system-update: build the search index anew with the mappings that are needed now',
  ),
  structuredPropertiesUpdate: flag(
    'ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE',
    'system-update: drop structured properties that were deleted from the mappings',
  ),
} as const;
