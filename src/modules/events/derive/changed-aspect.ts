import { LARGE_TEXT, readJsonInSteps } from '../../../catalog/json/index.js';
import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import type { Steps } from '../../../catalog/schedule/index.js';
import type { FeedEntry } from '../../change-log/index.js';

/** One value of an aspect as readers may see it. */
export interface SeenValue {
  /** JSON text. */
  readonly text: string;
  /** JSON text. */
  readonly systemMetadata: string;
}

/** A change with what it changed. */
export interface ChangedAspect {
  readonly entry: FeedEntry;
  readonly entity: EntitySpec;
  readonly aspect: AspectSpec;
  /** Undefined where there was none, and where it is hidden. */
  readonly before: SeenValue | undefined;
  /** Of a time series: the event. */
  readonly after: SeenValue | undefined;
  /** The values that went with an entity, by aspect; empty otherwise. */
  readonly deleted: ReadonlyMap<string, SeenValue>;
}

/** The parsed value; a large one is parsed in steps. */
export function* parsed(value: SeenValue | undefined): Steps<Record<string, unknown> | undefined> {
  return value && ((yield* readJsonInSteps(value.text)) as Record<string, unknown>);
}

/** Whether work on a change should be divided. */
export const isLargeChange = ({ before, after, deleted }: ChangedAspect): boolean =>
  [before, after, ...deleted.values()].some(
    (value) => value !== undefined && value.text.length >= LARGE_TEXT,
  );
