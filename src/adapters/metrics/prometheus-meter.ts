import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Meter, type Labels, type MetricDefinition, type Note } from '../../catalog/metrics/index.js';

/** Metrics for Prometheus, those of the process included. */
export class PrometheusMeter extends Meter {
  private readonly registry = new Registry();

  constructor() {
    super();
    collectDefaultMetrics({ register: this.registry });
  }

  histogram(definition: MetricDefinition, bounds: readonly number[]): Note {
    const histogram = new Histogram({ ...this.settings(definition), buckets: [...bounds] });
    return (value, labels = {}) => histogram.observe(labels, value);
  }

  counter(definition: MetricDefinition): Note {
    const counter = new Counter(this.settings(definition));
    // A counter that has not counted yet is 0, not absent, so that its first count is seen.
    if ((definition.labels ?? []).length === 0) counter.inc(0);
    return (value, labels = {}) => counter.inc(labels, value);
  }

  gauge(
    definition: MetricDefinition,
    read: () => Promise<ReadonlyArray<{ value: number; labels?: Labels }>>,
  ): void {
    new Gauge({
      ...this.settings(definition),
      async collect() {
        this.reset();
        const values = await read().catch(() => []);
        for (const { value, labels = {} } of values) this.set(labels, value);
      },
    });
  }

  async exposition(): Promise<{ mediaType: string; text: string }> {
    return { mediaType: this.registry.contentType, text: await this.registry.metrics() };
  }

  private settings({ name, help, labels = [] }: MetricDefinition) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }
}
