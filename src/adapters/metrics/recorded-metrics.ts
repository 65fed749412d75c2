import type { Labels, MetricDefinition, Note } from '../../catalog/metrics/index.js';

/** One metric: what was noted so far, and how it is shown. */
export interface RecordedMetric {
  /** Lines of Prometheus' text format, without a line end after the last one. */
  show(): Promise<string>;
}

/** Values that only grow, one for each set of labels. */
export class RecordedCounter implements RecordedMetric {
  private readonly values = new Map<string, number>();

  constructor(private readonly definition: MetricDefinition) {
    // A counter that has not counted yet is 0, not absent, so that its first count is seen.
    if ((definition.labels ?? []).length === 0) this.values.set('', 0);
  }

  readonly note: Note = (value, labels) => {
    const key = labelText(labels);
    this.values.set(key, (this.values.get(key) ?? 0) + value);
  };

  async show(): Promise<string> {
    const { name } = this.definition;
    const lines = [...this.values].map(([labels, value]) => line(name, labels, value));
    return [head(this.definition, 'counter'), ...lines].join('\n');
  }
}

/** A value that is read at each scrape. */
export class RecordedGauge implements RecordedMetric {
  constructor(
    private readonly definition: MetricDefinition,
    private readonly read: () => Promise<ReadonlyArray<{ value: number; labels?: Labels }>>,
  ) {}

  async show(): Promise<string> {
    const { name } = this.definition;
    const values = await this.read().catch(() => []);
    const lines = values.map(({ value, labels }) => line(name, labelText(labels), value));
    return [head(this.definition, 'gauge'), ...lines].join('\n');
  }
}

interface Row {
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
    if ((definition.labels ?? []).length === 0) this.row('');
  }

  readonly note: Note = (value, labels) => {
    const row = this.rowOf(labels);
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    row.counts[bucket] = (row.counts[bucket] as number) + 1;
    row.sum += value;
  };

  async show(): Promise<string> {
    const { name } = this.definition;
    const lines = [head(this.definition, 'histogram')];
    for (const [labels, { counts, sum }] of this.rows) {
      let upTo = 0;
      counts.forEach((count, i) => {
        upTo += count;
        const bound = `le="${i < this.bounds.length ? this.bounds[i] : '+Inf'}"`;
        lines.push(line(`${name}_bucket`, labels === '' ? bound : `${bound},${labels}`, upTo));
      });
      lines.push(line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, upTo));
    }
    return lines.join('\n');
  }

  private rowOf(labels: Labels | undefined): Row {
    if (labels === undefined) return this.row('');
    let row = this.known.get(labels);
    if (row === undefined) this.known.set(labels, (row = this.row(labelText(labels))));
    return row;
  }

  private row(labels: string): Row {
    let row = this.rows.get(labels);
    if (row === undefined) {
      row = { counts: new Float64Array(this.bounds.length + 1), sum: 0 };
      this.rows.set(labels, row);
    }
    return row;
  }
}

function head({ name, help }: MetricDefinition, type: string): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}`;
}

function line(name: string, labels: string, value: number): string {
  const shown = Number.isFinite(value)
    ? String(value)
    : Number.isNaN(value)
      ? 'NaN'
      : value > 0
        ? '+Inf'
        : '-Inf';
  return labels === '' ? `${name} ${shown}` : `${name}{${labels}} ${shown}`;
}

/** `a="1",b="2"`, which is also the key of the set of labels: a caller names them in one order. */
function labelText(labels: Labels | undefined): string {
  let text = '';
  for (const name in labels) {
    text += `${text === '' ? '' : ','}${name}="${escaped(labels[name] as string)}"`;
  }
  return text;
}

function escaped(value: string): string {
  // Hardly any value needs it, and this is called for every request.
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
