import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../../catalog/auth/index.js';
import { Model } from '../../../catalog/model/index.js';
import { currentRequest } from '../../../catalog/schedule/index.js';
import {
  bucketOf,
  IndexBarrier,
  IndexDigest,
  SearchIndex,
  type IndexContent,
  type IndexedVersion,
  type IndexRebuild,
} from '../../../catalog/search/index.js';
import { SelectionRepository, type DanglingReference } from '../../entities/index.js';
import { DanglingReferences } from './dangling-references.js';
import { IndexPast } from './index-past.service.js';
import { SearchIndexer } from './search-indexer.consumer.js';

/** How long to wait for the index to catch up, each time. */
const CATCH_UP_MS = 60_000;
const PAGE = 2000;
const ALIGN_BUCKETS = 4096;

/**
 * What can be wrong with an entry of the index: it is not there, older than the store, of an entity that the store
 * does not have, or newer than the store (after the store was set back).
 */
type Difference = 'missing' | 'stale' | 'leftOver' | 'ahead';

interface VerifyOptions {
  repair: boolean;
  /** Sums to compare; more of them narrow a difference down better. */
  buckets: number;
  /** The most URNs named of each kind, and references. */
  named: number;
}

interface VerifyReport {
  entities: number;
  documents: number;
  buckets: number;
  differingBuckets: number;
  differences: Record<Difference, { count: number; urns: string[] }>;
  repaired: number;
  /** What repairing did not help. */
  remaining: number;
  dangling: { count: number; references: DanglingReference[] };
}

interface Found {
  kind: Difference;
  /** Sequences; undefined where there is none. */
  stored: number | undefined;
  indexed: number | undefined;
}

/** Proves that the index says what the store says, and makes it so. Works while the service is in use. */
@Injectable()
export class VerifyService {
  constructor(
    private readonly model: Model,
    private readonly index: SearchIndex,
    private readonly stored: SelectionRepository,
    private readonly indexer: SearchIndexer,
    private readonly barrier: IndexBarrier,
    private readonly past: IndexPast,
    private readonly dangling: DanglingReferences,
  ) {}

  /** @throws CatalogError NOT_ALLOWED, SEARCH_UNAVAILABLE when the index does not catch up */
  async verify(principal: Principal, { repair, buckets, named }: VerifyOptions): Promise<VerifyReport> {
    authorize(principal, 'manage');
    await this.past.compare();
    await this.index.ready();
    await this.barrier.reached(CATCH_UP_MS);
    const { found, entities, documents } = await this.compare(this.index, buckets);
    let remaining = found.size;
    if (repair && found.size > 0) {
      await this.repair(found);
      const again = await this.differences(this.index, buckets, bucketsOf(found, buckets));
      const left = await this.settled(this.index, again, buckets);
      remaining = [...found.keys()].filter((urn) => left.has(urn)).length;
    }
    return {
      entities: total(entities),
      documents: total(documents),
      buckets,
      differingBuckets: bucketsOf(found, buckets).length,
      differences: summary(found, named),
      repaired: repair ? found.size - remaining : 0,
      remaining,
      dangling: await this.dangling.find(named),
    };
  }

  /** What an index holds otherwise than the store, and goes on to when it has caught up; and the sums of both. */
  private async compare(index: IndexContent, buckets: number) {
    // The index is always read before the store: what is written in between then shows as lag, never as a left-over.
    const documents = await index.digest(buckets);
    const entities = new IndexDigest(buckets);
    for await (const page of this.live()) for (const version of page) entities.add(version);
    const first = await this.differences(index, buckets, entities.differing(documents));
    return { found: await this.settled(index, first, buckets), entities, documents };
  }

  /**
   * Makes the index, or one that is built beside it, say what the store says; answers whether it said so before.
   * @throws CatalogError SEARCH_UNAVAILABLE when it does not catch up with the log
   */
  async align(rebuild?: IndexRebuild): Promise<{ aligned: boolean; repaired: number }> {
    const { found } = await this.compare(rebuild ?? this.index, ALIGN_BUCKETS);
    if (found.size > 0) await this.repair(found, rebuild);
    return { aligned: found.size === 0, repaired: found.size };
  }

  /** Entities that belong into the index. */
  private async *live(): AsyncGenerator<IndexedVersion[]> {
    for await (const page of this.stored.pages(PAGE)) {
      currentRequest()?.throwIfEnded();
      yield page.filter(({ type }) => this.model.findEntity(type) !== undefined);
      await setImmediate();
    }
  }

  private async differences(
    index: IndexContent,
    buckets: number,
    wanted: readonly number[],
  ): Promise<Map<string, Found>> {
    const found = new Map<string, Found>();
    if (wanted.length === 0) return found;
    const within = new Set(wanted);
    const indexed = new Map<string, number>();
    for await (const { urn, sequence } of index.versions(buckets, within)) indexed.set(urn, sequence);
    for await (const page of this.live()) {
      for (const { urn, sequence: stored } of page) {
        if (!within.has(bucketOf(urn, buckets))) continue;
        const own = indexed.get(urn);
        indexed.delete(urn);
        if (own === stored) continue;
        const kind = own === undefined ? 'missing' : own < stored ? 'stale' : 'ahead';
        found.set(urn, { kind, stored, indexed: own });
      }
    }
    for (const [urn, own] of indexed) found.set(urn, { kind: 'leftOver', stored: undefined, indexed: own });
    return found;
  }

  /** Those of the differences that are still there when all that was committed before has been indexed. */
  private async settled(
    index: IndexContent,
    first: ReadonlyMap<string, Found>,
    buckets: number,
  ): Promise<Map<string, Found>> {
    if (first.size === 0) return new Map();
    await this.barrier.reached(CATCH_UP_MS);
    const second = await this.differences(index, buckets, bucketsOf(first, buckets));
    const lasting = [...second].filter(([urn, now]) => {
      const before = first.get(urn);
      if (before === undefined) return false;
      // An entity that was deleted and made anew meanwhile is not there for a moment, whatever was indexed before.
      if (now.kind === 'missing') return now.stored === before.stored;
      // The index should have come to where the store was; meanwhile the store may have gone on.
      if (now.kind === 'stale') return (now.indexed ?? -1) < (before.stored ?? -1);
      return now.kind === before.kind && now.indexed === before.indexed;
    });
    return new Map(lasting);
  }

  private async repair(
    found: ReadonlyMap<string, Found>,
    target: SearchIndex | IndexRebuild = this.index,
  ): Promise<void> {
    // The index would hold on to what it thinks is newer.
    const tooNew = [...found]
      .filter(([, { kind }]) => kind === 'leftOver' || kind === 'ahead')
      .map(([urn]) => urn);
    if (tooNew.length > 0) await target.forget(tooNew);
    await this.indexer.indexAll([...found.keys()], target);
  }
}

function bucketsOf(found: ReadonlyMap<string, Found>, buckets: number): number[] {
  return [...new Set([...found.keys()].map((urn) => bucketOf(urn, buckets)))];
}

function total(digest: IndexDigest): number {
  let count = 0;
  for (let i = 0; i < digest.buckets; i++) count += digest.bucket(i).count;
  return count;
}

function summary(found: ReadonlyMap<string, Found>, named: number): VerifyReport['differences'] {
  const of = (kind: Difference) => {
    const urns = [...found].filter(([, difference]) => difference.kind === kind).map(([urn]) => urn);
    return { count: urns.length, urns: urns.sort().slice(0, named) };
  };
  return { missing: of('missing'), stale: of('stale'), leftOver: of('leftOver'), ahead: of('ahead') };
}
