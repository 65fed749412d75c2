import type { Steps } from '../schedule/index.js';
import type { SystemMetadata } from '../change/change-proposal.js';

/** The latest value of one versioned aspect. */
export interface AspectState {
  name: string;
  value: Record<string, unknown>;
  /** Of a large value that is still to be parsed: does so in steps, so that `value` costs nothing afterwards. */
  parseAhead?(): Steps<void> | undefined;
  /** Counts from 1. */
  version: number;
  systemMetadata: SystemMetadata;
  created: { time: number; actor: string };
}

/** The latest state of one entity, as the store holds it. */
export interface EntityState {
  urn: string;
  entityType: string;
  /** +1 with every change, also by deletion: the version of everything derived from this state. */
  sequence: number;
  /** False for a deleted entity, or one that is only referred to. Its aspects are empty then. */
  exists: boolean;
  /** True when soft-deleted (status.removed). */
  removed: boolean;
  aspects: Map<string, AspectState>;
}
