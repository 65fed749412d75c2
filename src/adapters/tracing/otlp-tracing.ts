import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Tracing, type RequestSpan, type SpanHeading } from '../../catalog/tracing/index.js';
import { WatchedExporter } from './watched-exporter.js';

const KINDS = { client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };

/** How long the collector may take for a delivery, and how long a stop waits for the last one: milliseconds. */
const SEND_MS = 5_000;
const CLOSE_MS = 2_000;

/** Of work that is done for more traces, the others get no span of it. */
const MOST_TRACES = 64;

export interface OtlpTracingOptions {
  /** Where the collector is; `/v1/traces` is appended. */
  endpoint: URL;
  headers: Readonly<Record<string, string>>;
  service: string;
  version: string;
  /** Share of the traces that begin here and are kept: 0 to 1. */
  share: number;
}

/**
 * Spans by the OpenTelemetry SDK, sent to a collector by OTLP over HTTP.
 *
 * Nothing is registered globally: an OpenTelemetry of the program that the service is embedded in stays as it is. The
 * current span is therefore kept here.
 */
export class OtlpTracing extends Tracing {
  readonly on = true;
  private readonly contexts = new AsyncLocalStorage<Context>();
  private readonly exporter: WatchedExporter;
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor({ endpoint, headers, service, version, share }: OtlpTracingOptions) {
    super();
    const url = new URL(endpoint);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
    const otlp = { url: url.href, headers: { ...headers }, timeoutMillis: SEND_MS };
    this.exporter = new WatchedExporter(new OTLPTraceExporter(otlp));
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: this.exporter })],
    });
    this.tracer = this.provider.getTracer('metadata-catalog', version);
  }

  current(): string | undefined {
    const context = this.live()?.spanContext();
    if (context === undefined) return undefined;
    return `00-${context.traceId}-${context.spanId}-01`;
  }

  logFields(): Readonly<Record<string, string>> {
    const context = trace.getSpanContext(this.contexts.getStore() ?? ROOT_CONTEXT);
    return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
  }

  request(traceparent: string | undefined): RequestSpan {
    const parent = contextOf(traceparent);
    const span = this.tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    const context = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      inside: (work) => this.contexts.run(context, work),
      end: ({ name, attributes = {} }, failed) => {
        span.updateName(name);
        span.setAttributes({ ...attributes });
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async span<T>(heading: SpanHeading, work: () => Promise<T>): Promise<T> {
    if (this.live() === undefined) return work();
    const context = this.contexts.getStore() ?? ROOT_CONTEXT;
    return this.during(this.start(heading, context), context, work);
  }

  async shared<T>(
    parents: ReadonlyArray<string | null | undefined>,
    heading: SpanHeading,
    work: () => Promise<T>,
  ): Promise<T> {
    const [first, ...others] = [...new Set(parents)].filter((parent) => typeof parent === 'string');
    if (first === undefined) return this.outside(work);
    const context = contextOf(first);
    const span = this.start(heading, context);
    const links = [{ context: span.spanContext() }];
    const beside = others
      .slice(0, MOST_TRACES - 1)
      .map((parent) => this.start(heading, contextOf(parent), links));
    return this.during(span, context, work, beside);
  }

  outside<T>(work: () => T): T {
    return this.contexts.exit(work);
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), CLOSE_MS)));
    const sent = this.provider.shutdown().then(
      () => false,
      () => false,
    );
    if (await Promise.race([sent, late])) this.exporter.lost('no answer before the stop');
    clearTimeout(timer);
  }

  /** The current span, unless it has ended or is not kept: what a request has woken may outlive it. */
  private live(): Span | undefined {
    const context = this.contexts.getStore();
    const span = context && trace.getSpan(context);
    return span?.isRecording() ? span : undefined;
  }

  private start({ name, kind, attributes = {} }: SpanHeading, parent: Context, links: Link[] = []): Span {
    const options = { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes: { ...attributes }, links };
    return this.tracer.startSpan(name, options, parent);
  }

  /** @param beside spans of other traces that end with this one */
  private async during<T>(
    span: Span,
    parent: Context,
    work: () => Promise<T>,
    beside: readonly Span[] = [],
  ): Promise<T> {
    const spans = [span, ...beside];
    try {
      return await this.contexts.run(trace.setSpan(parent, span), work);
    } catch (error) {
      for (const each of spans) fail(each, error);
      throw error;
    } finally {
      for (const each of spans) each.end();
    }
  }
}

/** A malformed one begins a new trace, as the recommendation of the W3C says. */
function contextOf(traceparent: string | undefined): Context {
  const parsed: SpanContext | null = traceparent === undefined ? null : parseTraceParent(traceparent);
  if (parsed === null || !isSpanContextValid(parsed)) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...parsed,
    traceFlags: parsed.traceFlags & TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/** The kind of an error, not its message: it may quote values. */
function fail(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: string };
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'Error'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
