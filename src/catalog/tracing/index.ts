export { NO_TRACING } from './no-tracing.js';
export { Tracing, type RequestSpan, type SpanAttributes, type SpanHeading } from './tracing.js';
