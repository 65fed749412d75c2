/** Never changed once noted. */
export type Labels = Readonly<Record<string, string>>;

/** Notes one value. Cheap enough for every request, the more so when the same labels are the same object. */
export type Note = (value: number, labels?: Labels) => void;

export interface MetricDefinition {
  /** Begins with `catalog_`, ends with its unit. */
  name: string;
  help: string;
  labels?: readonly string[];
}

/** The port to the metrics library. */
export abstract class Meter {
  /** @param bounds upper ends of the buckets, ascending */
  abstract histogram(definition: MetricDefinition, bounds: readonly number[]): Note;
  abstract counter(definition: MetricDefinition): Note;
  /** `read` is called at each scrape; when it fails, the metric is left out. */
  abstract gauge(
    definition: MetricDefinition,
    read: () => Promise<ReadonlyArray<{ value: number; labels?: Labels }>>,
  ): void;
  /** Everything, as text for the one who scrapes. */
  abstract exposition(): Promise<{ mediaType: string; text: string }>;
}

/** Bounds for durations in seconds, from a fast read to a request that its client has given up. */
export const SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Bounds for how many things were done at once. */
export const AMOUNTS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
