import { Tracing, type RequestSpan, type SpanHeading } from './tracing.js';

const NO_FIELDS = {};

/** Records nothing. */
class NoTracing extends Tracing {
  readonly on = false;

  current(): undefined {
    return undefined;
  }

  logFields(): Readonly<Record<string, string>> {
    return NO_FIELDS;
  }

  request(): RequestSpan {
    throw new Error('requests are not traced');
  }

  span<T>(_heading: SpanHeading, work: () => Promise<T>): Promise<T> {
    return work();
  }

  shared<T>(_parents: readonly unknown[], _heading: SpanHeading, work: () => Promise<T>): Promise<T> {
    return work();
  }

  outside<T>(work: () => T): T {
    return work();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export const NO_TRACING: Tracing = new NoTracing();
