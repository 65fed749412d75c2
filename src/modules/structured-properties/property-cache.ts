import { DEFINITION_ASPECT, PropertyDefinition } from './property-definition.js';

/** What decides whether values of a property may be set, seen and searched. */
export interface PropertyState {
  readonly urn: string;
  readonly exists: boolean;
  /** Soft-deleted. */
  readonly removed: boolean;
  /** Which life of which version of the definition this is: see docs/adr/0007. Values belong to one generation. */
  readonly generation: string;
  readonly definition: PropertyDefinition | undefined;
}

/** What is known of the entity of a property. */
export interface PropertyHead {
  readonly urn: string;
  readonly exists: boolean;
  readonly removed: boolean;
  readonly sequence: number;
  readonly createdAt: number;
  /** Changed by a transaction that may yet be undone. */
  readonly changed: boolean;
}

/** Where states are read from: the committed store, or a running transaction. */
export interface PropertySource {
  heads(urns: readonly string[]): Promise<ReadonlyMap<string, PropertyHead>>;
  aspectsOf(urns: readonly string[], aspect: string): Promise<Map<string, Record<string, unknown>>>;
}

/** Characters of definitions remembered, as they are stored: tens of thousands of usual ones. */
const MAX_REMEMBERED = 16_000_000;

interface Remembered {
  sequence: number;
  state: PropertyState;
}

/**
 * Looks up properties, many at once. States are remembered, each for the sequence of its entity that it was read at;
 * the sequence is asked for every time, so that nothing is ever stale, whichever process writes.
 */
export class PropertyCache {
  /** Those used recently, and those used before: nothing is moved about while all of them fit. */
  private recent = new Map<string, Remembered>();
  private recentSize = 0;
  private earlier = new Map<string, Remembered>();

  constructor(private readonly limit = MAX_REMEMBERED) {}

  /** States by URN; properties that the store has never seen are absent. */
  async states(urns: Iterable<string>, source: PropertySource): Promise<Map<string, PropertyState>> {
    const asked = [...new Set(urns)];
    const states = new Map<string, PropertyState>();
    if (asked.length === 0) return states;
    const heads = await source.heads(asked);
    const unread: PropertyHead[] = [];
    for (const head of heads.values()) {
      const known = head.exists && !head.changed ? this.known(head.urn) : undefined;
      if (known?.sequence === head.sequence) states.set(head.urn, known.state);
      else if (head.exists) unread.push(head);
      else states.set(head.urn, stateOf(head, undefined));
    }
    if (unread.length > 0) {
      const values = await source.aspectsOf(
        unread.map(({ urn }) => urn),
        DEFINITION_ASPECT,
      );
      for (const head of unread) {
        const value = values.get(head.urn);
        const state = stateOf(head, value && new PropertyDefinition(value));
        states.set(head.urn, state);
        if (!head.changed) this.keep(head.urn, { sequence: head.sequence, state });
      }
    }
    return states;
  }

  private known(urn: string): Remembered | undefined {
    const recent = this.recent.get(urn);
    if (recent) return recent;
    const earlier = this.earlier.get(urn);
    if (earlier) this.keep(urn, earlier);
    return earlier;
  }

  private keep(urn: string, remembered: Remembered): void {
    const size = urn.length + JSON.stringify(remembered.state.definition?.value ?? null).length;
    if (this.recentSize + size > this.limit / 2) {
      this.earlier = this.recent;
      this.recent = new Map();
      this.recentSize = 0;
    }
    this.recent.set(urn, remembered);
    this.recentSize += size;
  }
}

function stateOf(head: PropertyHead, definition: PropertyDefinition | undefined): PropertyState {
  const { urn, exists, removed } = head;
  return { urn, exists, removed, definition, generation: generationOf(head, definition) };
}

/** A property that was deleted and came back, or got a new version, is another one to its values. */
function generationOf({ createdAt }: PropertyHead, definition: PropertyDefinition | undefined): string {
  const life = createdAt.toString(36);
  return definition?.version === undefined ? life : `${life}.${definition.version}`;
}

/** Whether values of the property are to be seen. */
export function isShown(state: PropertyState | undefined): boolean {
  return state?.exists === true && !state.removed && state.definition !== undefined;
}

/** Whether values of that generation belong to the property as it is now, shown or not. */
export function isAlive(state: PropertyState | undefined, generation: string | undefined): boolean {
  if (state?.exists !== true || state.definition === undefined) return false;
  // Values that were stored before there were generations belong to a definition without a version.
  if (generation === undefined) return state.definition.version === undefined;
  return generation === state.generation;
}
