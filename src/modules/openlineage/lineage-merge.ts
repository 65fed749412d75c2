import { isRecord } from '../../catalog/model/index.js';
import { eachInSteps, type Steps } from '../../catalog/schedule/index.js';

/** An edge of a stored aspect. */
interface StoredEdge {
  destinationUrn: string;
  lastModified?: { time: number; actor: string };
  properties?: Record<string, string>;
}

/** What one event says of the edges of a job or a run. */
export interface EdgesOfEvent {
  readonly targets: readonly string[];
  /** URN of the run; the job itself where an event has none. */
  readonly run: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly actor: string;
}

/** The property of an edge that names the run it was last seen in. */
const RUN = 'openlineageRun';

/**
 * The edges after an event. Events of one run add up, whatever their order; the first edges of a later run replace those
 * of earlier ones; an event without edges, or one of an earlier run, changes nothing.
 */
export function* mergeEdges(stored: unknown, event: EdgesOfEvent): Steps<StoredEdge[]> {
  const before = Array.isArray(stored) ? (stored as StoredEdge[]) : [];
  if (event.targets.length === 0) return before;
  const merged = new Map<string, StoredEdge>();
  let later = false;
  yield* eachInSteps(before, (edge) => {
    const run = edge.properties?.[RUN];
    // What people or other tools entered stays.
    if (run === undefined || run === event.run) merged.set(edge.destinationUrn, edge);
    else later ||= (edge.lastModified?.time ?? 0) > event.time;
  });
  if (later) return before;
  yield* eachInSteps(event.targets, (destinationUrn) => {
    const known = merged.get(destinationUrn);
    if (known !== undefined && (known.lastModified?.time ?? 0) > event.time) return;
    merged.set(destinationUrn, {
      ...known,
      destinationUrn,
      lastModified: { time: event.time, actor: event.actor },
      properties: { ...known?.properties, [RUN]: event.run },
    });
  });
  return [...merged.values()];
}

/** Whether a text names one of some datasets, such as the URN of a column does; takes as long for thousands of them. */
export function namesOneOf(datasets: Iterable<string>): (text: string) => boolean {
  const urns = new Set(datasets);
  const longest = [...urns].reduce((most, { length }) => Math.max(most, length), 0);
  return (text) => {
    for (let from = text.indexOf(DATASET); from >= 0; from = text.indexOf(DATASET, from + 1)) {
      const most = Math.min(text.length, from + longest);
      for (let end = text.indexOf(')', from) + 1; end > 0 && end <= most; end = text.indexOf(')', end) + 1)
        if (urns.has(text.slice(from, end))) return true;
    }
    return false;
  };
}

const DATASET = 'urn:li:dataset:(';

/** Both lists without repetitions, those that were there first. */
export function union(before: unknown, more: readonly string[]): string[] {
  return [...new Set([...(Array.isArray(before) ? (before as string[]) : []), ...more])];
}

/**
 * An aspect that says what it is of a job, after an event: a later event replaces what it names, an earlier one only adds
 * what is missing.
 */
export function mergeInfo(
  current: Record<string, unknown> | undefined,
  told: Record<string, unknown> & { lastModified: { time: number } },
): Record<string, unknown> {
  if (current === undefined) return told;
  const lastModified = current['lastModified'];
  const known = isRecord(lastModified) ? Number(lastModified['time']) : 0;
  const [base, over] = known > told.lastModified.time ? [told, current] : [current, told];
  const properties = { ...customOf(base), ...customOf(over) };
  return { ...base, ...over, ...(Object.keys(properties).length > 0 && { customProperties: properties }) };
}

function customOf(aspect: Record<string, unknown>): Record<string, unknown> {
  const custom = aspect['customProperties'];
  return isRecord(custom) ? custom : {};
}
