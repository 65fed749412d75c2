import type { Metric, Registry } from 'prom-client';
import { Meter, type Labels, type MetricDefinition, type Note } from '../../catalog/metrics/index.js';
import {
  RecordedCounter,
  RecordedGauge,
  RecordedHistogram,
  type RecordedMetric,
} from './recorded-metrics.js';

/**
 * Metrics for Prometheus, those of the process included. The service's own metrics are recorded from the start; the
 * library, which watches the process and writes the text, is loaded with the first scrape, because most installations on one
 * machine are never scraped (docs/adr/0045-what-caches-and-metrics-take-from-libraries.md).
 */
export class PrometheusMeter extends Meter {
  private readonly metrics = new Map<string, RecordedMetric>();
  private registry: Promise<Registry> | undefined;

  histogram(definition: MetricDefinition, bounds: readonly number[]): Note {
    return this.add(definition, new RecordedHistogram(definition, bounds)).note;
  }

  counter(definition: MetricDefinition): Note {
    return this.add(definition, new RecordedCounter(definition)).note;
  }

  gauge(
    definition: MetricDefinition,
    read: () => Promise<ReadonlyArray<{ value: number; labels?: Labels }>>,
  ): void {
    this.add(definition, new RecordedGauge(definition, read));
  }

  async exposition(): Promise<{ mediaType: string; text: string }> {
    const registry = await (this.registry ??= openRegistry());
    // Registering a metric again changes nothing. The registry needs a name and a function that answers the values.
    for (const metric of this.metrics.values()) registry.registerMetric(metric as unknown as Metric);
    return { mediaType: registry.contentType, text: await registry.metrics() };
  }

  private add<M extends RecordedMetric>({ name }: MetricDefinition, metric: M): M {
    if (this.metrics.has(name)) throw new Error(`there are two metrics named ${name}`);
    this.metrics.set(name, metric);
    return metric;
  }
}

async function openRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
