import type { SystemMetadata } from '../../../catalog/change/index.js';

/** The stored text of one version of an aspect, with what is known about its writing. */
export interface StoredAspect {
  /** JSON text, exactly as stored and answered. */
  text: string;
  version: number;
  systemMetadata: SystemMetadata;
  createdAt: number;
  createdBy: string;
  /** The parsed text, made when first asked for through {@link valueOf}. */
  parsed?: Record<string, unknown>;
}

/** The value of a stored aspect. Callers must not change it: it is shared. */
export function valueOf(aspect: StoredAspect): Record<string, unknown> {
  return (aspect.parsed ??= JSON.parse(aspect.text) as Record<string, unknown>);
}

/** One entity as a write session sees it: its head row, and the aspects that were looked at so far. */
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
  readonly aspects: Map<string, StoredAspect | undefined>;
  /** Versions that aspects had when they were deleted: they go on counting from there. */
  readonly deleted: Map<string, number>;
}
