import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BuildTakenOver,
  type IndexDigest,
  type IndexedVersion,
  type IndexRebuild,
  type SearchDocument,
  type Visible,
  type WriteResult,
} from '../../../catalog/search/index.js';
import { isAhead } from '../../../catalog/schedule/index.js';
import type { ElasticClient } from './elastic-client.js';
import type { IndexNames } from './index-layout.js';
import { besideOf, type Build, type IndexState, type StateStore } from './index-state.js';
import { aliasesLike } from './alias-check.js';

/** A builder that has not saved for this long has died. */
export const LEASE_MS = 30_000;

/** What a build needs of the index. */
export interface BuildTarget {
  upsert(documents: readonly SearchDocument[], beside: boolean, visible: Visible): Promise<WriteResult>;
  remove(removals: readonly IndexedVersion[], beside: boolean, visible: Visible): Promise<WriteResult>;
  settle(): Promise<void>;
  forget(urns: readonly string[], beside: boolean): Promise<void>;
  digest(buckets: number, beside: boolean): Promise<IndexDigest>;
  versions(buckets: number, wanted: ReadonlySet<number>, beside: boolean): AsyncIterable<IndexedVersion>;
}

/**
 * Fills one generation of indices. All that must outlive this process is in the state that processes share. A build
 * beside the live generation becomes it by moving the aliases, in one step of the cluster.
 */
export class GenerationBuild implements IndexRebuild {
  private readonly builder = randomUUID();

  /**
   * @param number of the generation
   * @param knownMs after which every process knows what the shared state says
   * @param leaseMs after which a builder that has not saved counts as dead
   */
  constructor(
    private readonly client: ElasticClient,
    private readonly names: IndexNames,
    private readonly state: StateStore,
    private readonly target: BuildTarget,
    private readonly number: number,
    readonly beside: boolean,
    private readonly knownMs: number,
    private readonly leaseMs: number,
  ) {}

  get name(): string {
    return `generation ${this.number}`;
  }

  async claim(): Promise<{ position: number; full: boolean } | 'busy' | 'done'> {
    const state = await this.change((build) =>
      build.builder !== this.builder && isAhead(build.leaseUntil, this.leaseMs) ? build : this.leased(build),
    );
    const build = state?.build;
    if (build?.number !== this.number) return 'done';
    if (build.builder !== this.builder) return 'busy';
    await this.dropUnused();
    // From here on no process writes without knowing of the build.
    if (this.beside) await sleep(this.knownMs);
    return { position: build.position, full: build.switching === true };
  }

  upsert(documents: readonly SearchDocument[], visible: Visible = 'now'): Promise<WriteResult> {
    return this.target.upsert(documents, this.beside, visible);
  }

  remove(removals: readonly IndexedVersion[], visible: Visible = 'now'): Promise<WriteResult> {
    return this.target.remove(removals, this.beside, visible);
  }

  settle(): Promise<void> {
    return this.target.settle();
  }

  forget(urns: readonly string[]): Promise<void> {
    return this.target.forget(urns, this.beside);
  }

  digest(buckets: number): Promise<IndexDigest> {
    return this.target.digest(buckets, this.beside);
  }

  versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion> {
    return this.target.versions(buckets, wanted, this.beside);
  }

  async save(position: number): Promise<void> {
    await this.ours((build) => ({ ...this.leased(build), position }));
  }

  async keep(): Promise<void> {
    await this.ours((build) => this.leased(build));
  }

  async finished(): Promise<void> {
    if (!this.beside) return this.close();
    await this.ours((build) => ({ ...this.leased(build), switching: true }));
    await this.switchAliases();
    await this.close();
    // A process that did not know yet may have made an index for an entity type that is new.
    await sleep(this.knownMs);
    await this.switchAliases();
    await this.dropUnused();
  }

  private async close(): Promise<void> {
    const found = await this.aliases(this.names.everything);
    const aliases = [...new Set(found.flatMap(([, names]) => names))].sort();
    await this.state.change((state) => {
      // Done already: by this process when the answer got lost, or by the one that went on with it.
      if (state && !state.build && state.live.number === this.number && state.live.complete) return state;
      if (state?.build?.number !== this.number) throw new BuildTakenOver();
      const { number, layout } = state.build;
      return { ...state, live: { number, layout, complete: true, aliases }, build: undefined };
    });
  }

  private leased(build: Build): Build {
    return { ...build, builder: this.builder, leaseUntil: Date.now() + this.leaseMs };
  }

  private async ours(change: (build: Build) => Build): Promise<void> {
    const state = await this.change((build) => (build.builder === this.builder ? change(build) : build));
    if (state?.build?.builder !== this.builder) throw new BuildTakenOver();
  }

  /** Changes the build, if it is still this one. */
  private async change(change: (build: Build) => Build): Promise<IndexState | undefined> {
    const before = await this.state.read();
    if (before?.build?.number !== this.number) return before;
    return this.state.change((state) => {
      if (!state) throw new BuildTakenOver();
      return state.build?.number === this.number ? { ...state, build: change(state.build) } : state;
    });
  }

  /**
   * Gives the indices of this generation the names that are searched, and takes them from those that had them. These
   * are removed later: searches that began before still read them.
   */
  private async switchAliases(): Promise<void> {
    const actions: object[] = [];
    for (const [index, aliases] of await this.aliases(this.names.everythingNext)) {
      for (const next of aliases) {
        const alias = this.names.liveOf(next);
        actions.push({ add: { index, alias } }, { remove: { index, alias: next } });
      }
    }
    for (const [index, aliases] of await this.aliases(this.names.everything)) {
      if (this.names.generationOf(index) === this.number) continue;
      for (const alias of aliases) actions.push({ remove: { index, alias } });
    }
    if (actions.length > 0)
      await this.client.request({ method: 'POST', path: '/_aliases', body: { actions } });
  }

  private aliases(pattern: string): Promise<Array<[index: string, aliases: string[]]>> {
    return aliasesLike(this.client, pattern);
  }

  /** Removes indices of unused generations: what an abandoned build has left. */
  private async dropUnused(): Promise<void> {
    const state = await this.state.read();
    if (!state) return;
    const needed = new Set([state.live.number, besideOf(state)?.number]);
    const all = await this.client.find<Record<string, unknown>>({
      method: 'GET',
      path: `/${this.names.allIndices}/_alias`,
    });
    const unused = Object.keys(all ?? {}).filter((index) => !needed.has(this.names.generationOf(index)));
    for (const index of unused) await this.client.find({ method: 'DELETE', path: `/${index}` });
  }
}
