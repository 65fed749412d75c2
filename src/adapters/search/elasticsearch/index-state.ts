import { refuse } from '../../../catalog/errors/index.js';
import { ElasticError, type ElasticClient } from './elastic-client.js';
import type { IndexNames } from './index-layout.js';

/** A set of indices that is being filled: the live one for the first time, or another beside it. */
export interface Build {
  /** Of the generation; that of the live one when it is filled for the first time. */
  number: number;
  layout: string;
  /** Where the builder is in the store. */
  position: number;
  /** The process that builds, and until when nobody else may take over (milliseconds since 1970). */
  builder: string;
  leaseUntil: number;
  /** It is full, and its indices are getting the names that are searched. */
  switching?: true;
}

/** What all processes of a catalog know about its indices. */
export interface IndexState {
  live: { number: number; layout: string; complete: boolean };
  build?: Build;
}

/** The build beside the live indices, if there is one: what is written must reach it too. */
export function besideOf({ live, build }: IndexState): Build | undefined {
  return build && build.number !== live.number ? build : undefined;
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
   * Changes the state in one step, whoever else does; `change` may run several times. Answers what it is now.
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
    if (!before) await this.createIndex();
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
      if (error instanceof ElasticError && error.status === 409) return false;
      throw error;
    }
  }

  private async createIndex(): Promise<void> {
    const body = {
      settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
      mappings: { dynamic: false, properties: {} },
    };
    await createIndex(this.client, this.names.state, body);
  }
}

/** Makes an index; it is fine when another process was faster. */
export async function createIndex(client: ElasticClient, name: string, body: object): Promise<void> {
  try {
    await client.request({ method: 'PUT', path: `/${name}`, body });
  } catch (error) {
    if (!(error instanceof ElasticError) || error.type !== 'resource_already_exists_exception') throw error;
  }
}
