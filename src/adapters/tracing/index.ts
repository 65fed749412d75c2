export { OtlpTracing } from './otlp-tracing.js';
