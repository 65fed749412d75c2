import { Logger } from '@nestjs/common';
import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Says in the log when the collector takes no spans, and when it takes them again: once each. */
export class WatchedExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private failing = false;

  constructor(private readonly exporter: SpanExporter) {}

  export(spans: Parameters<SpanExporter['export']>[0], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) this.lost(result.error?.message ?? 'no reason given');
      else if (this.failing) {
        this.failing = false;
        this.logger.warn('the collector takes spans again');
      }
      done(result);
    });
  }

  /** Spans were not delivered. */
  lost(reason: string): void {
    if (this.failing) return;
    this.failing = true;
    this.logger.warn(
      `the collector at OTEL_EXPORTER_OTLP_ENDPOINT takes no spans, which are lost: ${reason}`,
    );
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }
}
