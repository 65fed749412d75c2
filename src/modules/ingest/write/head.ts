import type { SystemMetadata } from '../../../catalog/change/index.js';
import { LARGE_TEXT, readJson, readJsonInSteps } from '../../../catalog/json/index.js';
import type { TimeSlices } from '../../../catalog/schedule/index.js';
import type { Observation } from '../../entities/offline.js';

/** The value of an aspect. */
export type Value = Record<string, unknown>;

/** One version of an aspect as writers hold it: its text, and who wrote it when. */
export interface AspectVersion {
  /** JSON text, exactly as stored and answered. */
  text: string;
  version: number;
  /** As they were when the version was written. */
  systemMetadata: SystemMetadata;
  /** Of the last write of an equal value. */
  observation?: Observation | undefined;
  createdAt: number;
  createdBy: string;
  /** The parsed text, made when first asked for through {@link valueOf}. */
  parsed?: Value | undefined;
}

/** The value of a stored aspect. Callers must not change it: it is shared. */
export function valueOf(aspect: AspectVersion): Value {
  return (aspect.parsed ??= readJson(aspect.text) as Value);
}

/** Parses a stored value in slices when it is large, so that {@link valueOf} costs nothing afterwards. */
export function parseAhead(aspect: AspectVersion | undefined, slices: TimeSlices): Promise<void> | undefined {
  if (aspect === undefined || aspect.parsed !== undefined || aspect.text.length < LARGE_TEXT)
    return undefined;
  return slices.run(readJsonInSteps(aspect.text)).then((value) => {
    aspect.parsed = value as Value;
  });
}

/** One entity in a unit of work: its row, which is locked, and the aspects that were read so far. */
export interface Head {
  readonly urn: string;
  readonly type: string;
  id: number;
  sequence: number;
  live: boolean;
  removed: boolean;
  createdAt: number;
  createdBy: string;
  /** Latest values by aspect name; undefined = known to be absent; no key = not looked at yet. */
  readonly aspects: Map<string, AspectVersion | undefined>;
  /** Versions that aspects had when they were deleted: later values continue to count from there. */
  readonly deleted: Map<string, number>;
}

/** The head of an entity as of one that was never written. Only to be looked at. */
export function absentHead({ urn, type, id }: Head): Head {
  return {
    ...{ urn, type, id, sequence: 0, live: false, removed: false, createdAt: 0, createdBy: '' },
    aspects: new Map(),
    deleted: new Map(),
  };
}
