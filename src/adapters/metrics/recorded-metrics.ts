import type { Labels, MetricDefinition, Note } from '../../catalog/metrics/index.js';

/** What a metric is worth at a scrape, as the registry of `prom-client` asks for it and writes it. */
export interface Recorded {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: Array<{ value: number; labels: Record<string, string | number>; metricName?: string }>;
}

/** One metric: what was noted so far. */
export interface RecordedMetric {
  readonly name: string;
  get(): Promise<Recorded>;
}

/** Values that only grow, one for each set of labels. */
export class RecordedCounter implements RecordedMetric {
  private readonly values = new Map<string, { value: number; labels: Labels }>();

  constructor(private readonly definition: MetricDefinition) {
    // A counter that has not counted yet is 0, not absent, so that its first count is seen.
    if ((definition.labels ?? []).length === 0) this.values.set('', { value: 0, labels: {} });
  }

  get name(): string {
    return this.definition.name;
  }

  readonly note: Note = (value, labels = {}) => {
    const key = keyOf(labels);
    const known = this.values.get(key);
    if (known === undefined) this.values.set(key, { value, labels });
    else known.value += value;
  };

  async get(): Promise<Recorded> {
    const { name, help } = this.definition;
    return { name, help, type: 'counter', values: [...this.values.values()] };
  }
}

/** A value that is read at each scrape. */
export class RecordedGauge implements RecordedMetric {
  constructor(
    private readonly definition: MetricDefinition,
    private readonly read: () => Promise<ReadonlyArray<{ value: number; labels?: Labels }>>,
  ) {}

  get name(): string {
    return this.definition.name;
  }

  async get(): Promise<Recorded> {
    const { name, help } = this.definition;
    const read = await this.read().catch(() => []);
    return { name, help, type: 'gauge', values: read.map(({ value, labels = {} }) => ({ value, labels })) };
  }
}

interface Row {
  readonly labels: Labels;
  readonly counts: Float64Array;
  sum: number;
}

/** How many values there were up to each bound, one row for each set of labels. */
export class RecordedHistogram implements RecordedMetric {
  private readonly rows = new Map<string, Row>();
  /** The rows of labels that were noted before, by the object. */
  private readonly known = new WeakMap<Labels, Row>();

  constructor(
    private readonly definition: MetricDefinition,
    private readonly bounds: readonly number[],
  ) {
    if ((definition.labels ?? []).length === 0) this.row(NO_LABELS);
  }

  get name(): string {
    return this.definition.name;
  }

  readonly note: Note = (value, labels = NO_LABELS) => {
    const row = this.row(labels);
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    row.counts[bucket] = (row.counts[bucket] as number) + 1;
    row.sum += value;
  };

  async get(): Promise<Recorded> {
    const { name, help } = this.definition;
    const values: Recorded['values'] = [];
    for (const { labels, counts, sum } of this.rows.values()) {
      let upTo = 0;
      counts.forEach((count, i) => {
        upTo += count;
        const le = this.bounds[i] ?? '+Inf';
        values.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: upTo });
      });
      values.push({ metricName: `${name}_sum`, labels, value: sum });
      values.push({ metricName: `${name}_count`, labels, value: upTo });
    }
    return { name, help, type: 'histogram', values };
  }

  private row(labels: Labels): Row {
    let row = this.known.get(labels);
    if (row !== undefined) return row;
    const key = keyOf(labels);
    row = this.rows.get(key);
    if (row === undefined) {
      row = { labels, counts: new Float64Array(this.bounds.length + 1), sum: 0 };
      this.rows.set(key, row);
    }
    this.known.set(labels, row);
    return row;
  }
}

const NO_LABELS: Labels = {};

/** The key of a set of labels: a caller names them in one order. */
function keyOf(labels: Labels): string {
  let key = '';
  for (const name in labels) key += `${name}\0${labels[name]}\0`;
  return key;
}
