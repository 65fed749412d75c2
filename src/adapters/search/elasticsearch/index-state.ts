import { refuse } from '../../../catalog/errors/index.js';
import type { IndexSource, TakenUp } from '../../../catalog/search/index.js';
import { ElasticError, type ElasticClient } from './elastic-client.js';
import type { IndexNames } from './index-layout.js';
import type { AliasCheck } from './alias-check.js';

/** A set of indices that is being filled: the live one for the first time, or another beside it. */
export interface Build {
  /** Of the generation; that of the live one when it is filled for the first time. */
  number: number;
  layout: string;
  /** Where the builder is in the store. */
  position: number;
  /** The process that builds, and until when no other process may take over (milliseconds since 1970). */
  builder: string;
  leaseUntil: number;
  /** It is full, and its indices are getting the names that are searched. */
  switching?: true;
}

/** What all processes of a catalog know about its indices. */
export interface IndexState {
  live: {
    number: number;
    layout: string;
    complete: boolean;
    /** Aliases that were seen with an index behind them: one that is missing later was removed from outside. */
    aliases?: string[];
  };
  build?: Build | undefined;
  /** What the indices are made from, where that is known. */
  source?: IndexSource | undefined;
}

/** The build beside the live indices, if there is one: what is written must reach it too. */
export function besideOf({ live, build }: IndexState): Build | undefined {
  return build && build.number !== live.number ? build : undefined;
}

/**
 * The state with a build, if one is needed: to fill the index for the first time, to continue what another process
 * began, for another layout, or because a caller asks for one.
 * @param newest the highest generation that has indices: without a state it is unknown what is in those
 */
export function withBuild(
  known: IndexState | undefined,
  layout: string,
  asked: boolean,
  newest: number,
): IndexState {
  if (!known) return firstFilling(layout, newest + 1);
  const { live, build } = known;
  if (build?.layout === layout) return known;
  if (live.layout === layout && live.complete && !asked) return known;
  const number = Math.max(live.number, build?.number ?? 0) + 1;
  return { ...known, build: { number, ...unclaimed(layout) } };
}

/**
 * The state after a look at what is there: new aliases are noted, and when one of `before` is missing, the live
 * generation has to be filled again.
 */
export function afterLook(known: IndexState, before: IndexState, { aliases }: AliasCheck): IndexState {
  const { live, build } = known;
  // While the aliases move, and after that, what was seen says nothing.
  if (live.number !== before.live.number || build?.switching === true) return known;
  const noted = live.aliases ?? [];
  const gone = new Set(before.live.aliases?.filter((alias) => !aliases.has(alias) && noted.includes(alias)));
  const now = [...new Set([...noted, ...aliases])].filter((alias) => !gone.has(alias)).sort();
  if (gone.size === 0) return { ...known, live: { ...live, aliases: now } };
  return {
    ...known,
    live: { ...live, complete: false, aliases: now },
    // What is built beside it takes its place; a filling that is under way begins again.
    build: besideOf(known) ?? { number: live.number, ...unclaimed(live.layout) },
  };
}

/**
 * The state of indices that are made from `source`. Those of another database or an earlier epoch hold what is no more, and
 * versions that new writes do not reach: a new generation takes their place, and they are not searched until then.
 */
export function withSource(
  known: IndexState,
  source: IndexSource,
  layout: string,
  adopt: boolean,
): IndexState {
  const { live, build, source: before } = known;
  if (before?.database === source.database && before.epoch >= source.epoch) return known;
  if (before === undefined && adopt) return { ...known, source };
  const number = Math.max(live.number, build?.number ?? 0) + 1;
  return { live: { ...live, complete: false }, build: { number, ...unclaimed(layout) }, source };
}

function firstFilling(layout: string, number: number): IndexState {
  return { live: { number, layout, complete: false, aliases: [] }, build: { number, ...unclaimed(layout) } };
}

function unclaimed(layout: string): Omit<Build, 'number'> {
  return { layout, position: 0, builder: '', leaseUntil: 0 };
}

interface Stored {
  state: IndexState;
  seqNo: number;
  primaryTerm: number;
}

interface GetAnswer {
  found: boolean;
  _source: { state: string };
  _seq_no: number;
  _primary_term: number;
}

const TRIES = 20;

/** Keeps the {@link IndexState} in the cluster, where every process finds the same one. */
export class StateStore {
  private known: { state: IndexState; at: number } | undefined;

  constructor(
    private readonly client: ElasticClient,
    private readonly names: IndexNames,
  ) {}

  /** As it was at most so long ago; undefined when there is none. */
  async read(maxAgeMs = 0): Promise<IndexState | undefined> {
    const at = performance.now();
    if (this.known && at - this.known.at < maxAgeMs) return this.known.state;
    const state = (await this.get())?.state;
    this.known = state && { state, at };
    return state;
  }

  /**
   * Changes the state atomically, also against other processes; `change` may run several times. Answers what it is now.
   */
  async change(change: (state: IndexState | undefined) => IndexState): Promise<IndexState> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const at = performance.now();
      const before = await this.get();
      const state = change(before?.state);
      if (before && JSON.stringify(before.state) === JSON.stringify(state)) {
        this.known = { state, at };
        return state;
      }
      if (await this.put(state, before)) {
        this.known = { state, at };
        return state;
      }
    }
    throw refuse('SEARCH_UNAVAILABLE', 'the state of the search index changes too often to be changed');
  }

  /** The newest change that the indices made from `source` may hold. */
  async taken(source: IndexSource): Promise<TakenUp | undefined> {
    const answer = await this.client.find<{ found: boolean; _source: { taken: string } }>({
      method: 'GET',
      path: this.takenPath(source),
    });
    return answer?.found ? (JSON.parse(answer._source.taken) as TakenUp) : undefined;
  }

  /** Of several processes that take up changes, the newest one stays. */
  async takeUp(source: IndexSource, taken: TakenUp): Promise<void> {
    // A write would make an index that was removed anew, with mappings of the engine's own.
    if (!(await this.exists())) return;
    try {
      await this.client.request({
        method: 'PUT',
        path: this.takenPath(source),
        query: { version: taken.change, version_type: 'external_gte' },
        body: { taken: JSON.stringify(taken) },
      });
    } catch (error) {
      if (!(error instanceof ElasticError) || error.status !== 409) throw error;
    }
  }

  private async exists(): Promise<boolean> {
    return (await this.client.find<boolean>({ method: 'HEAD', path: `/${this.names.state}` })) === true;
  }

  private takenPath({ database, epoch }: IndexSource): string {
    return `/${this.names.state}/_doc/taken-${database}-${epoch}`;
  }

  private async get(): Promise<Stored | undefined> {
    const answer = await this.client.find<GetAnswer>({
      method: 'GET',
      path: `/${this.names.state}/_doc/state`,
    });
    if (!answer?.found) return undefined;
    return {
      state: JSON.parse(answer._source.state) as IndexState,
      seqNo: answer._seq_no,
      primaryTerm: answer._primary_term,
    };
  }

  private async put(state: IndexState, before: Stored | undefined): Promise<boolean> {
    if (!before) await createStateIndex(this.client, this.names);
    try {
      await this.client.request({
        method: 'PUT',
        path: `/${this.names.state}/_doc/state`,
        query: before
          ? { if_seq_no: before.seqNo, if_primary_term: before.primaryTerm }
          : { op_type: 'create' },
        body: { state: JSON.stringify(state) },
      });
      return true;
    } catch (error) {
      // Changed by another process, or removed meanwhile.
      if (error instanceof ElasticError && (error.status === 409 || error.status === 404)) return false;
      throw error;
    }
  }
}

/** Makes the index of what processes share, unless it is there. */
export async function createStateIndex(client: ElasticClient, names: IndexNames): Promise<void> {
  const body = {
    // Its documents are read by their ids, which needs no refresh: each would write another segment every few seconds.
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '-1' },
    mappings: { dynamic: false, properties: {} },
  };
  await createIndex(client, names.state, body);
}

/** Makes an index; it is fine when another process was faster. */
export async function createIndex(client: ElasticClient, name: string, body: object): Promise<void> {
  try {
    await client.request({ method: 'PUT', path: `/${name}`, body });
  } catch (error) {
    if (!(error instanceof ElasticError) || error.type !== 'resource_already_exists_exception') throw error;
  }
}
