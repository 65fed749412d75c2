import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../../catalog/auth/index.js';
import type { ChangeProposal, SystemMetadata } from '../../../catalog/change/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { readJson } from '../../../catalog/json/index.js';
import { Model } from '../../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { Checkpoints } from '../../../catalog/store/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { BackgroundThrottle, AdaptiveBatch } from '../../../catalog/schedule/index.js';
import type { EdgeSource } from '../../entities/index.js';
import { IngestService } from '../../ingest/index.js';
import { VALUES_ASPECT } from '../property-definition.js';
import { assignmentsOf, Properties } from '../properties.js';
import { isAlive } from '../property-cache.js';
import { PropertyHolders, type HeldValues } from './property-holders.js';
import { RemovalRepository, type Removal } from './removal.repository.js';

/** Entities changed in one transaction: at least, and when no request runs or the database is a server. */
const AT_ONCE = { least: 4, most: 50 };
/** Holders looked at, at once. */
const COUNTED_AT_ONCE = { least: 10, most: 200 };
/** While there are requests, the work is no faster than so many a second. */
const ENOUGH_PER_SECOND = 1_300;
/** A worker does not see the requests, and shares the servers with them: it always keeps to a pace. */
const WORKER_AT_ONCE = { least: 20, most: 20 };
const WORKER_PER_SECOND = 550;

/**
 * Removes values that can no longer be read, by patches that go through the ingest service like any other write, so
 * that history, log and index follow. What a client writes in the meantime is never touched: a patch is for the very
 * version it was made from, and a later write has taken the old values out with it.
 */
@Injectable()
export class ValueRemover {
  private readonly removing: AdaptiveBatch;
  private readonly counting: AdaptiveBatch;
  private readonly apart: boolean;

  constructor(
    private readonly model: Model,
    private readonly repository: RemovalRepository,
    private readonly holders: PropertyHolders,
    private readonly properties: Properties,
    private readonly ingest: IngestService,
    private readonly throttle: BackgroundThrottle,
    private readonly checkpoints: Checkpoints,
    @Inject(CATALOG_SETTINGS) { role }: CatalogSettings,
  ) {
    this.apart = role === 'worker';
    this.removing = new AdaptiveBatch(throttle, this.apart ? WORKER_AT_ONCE : AT_ONCE);
    this.counting = new AdaptiveBatch(throttle, COUNTED_AT_ONCE);
  }

  /** Goes on with a removal for at most so many holders; answers whether there is more to do. */
  advance(changeId: number, holders: number): Promise<boolean> {
    return this.checkpoints.aside(() => this.advanceBy(changeId, holders));
  }

  private async advanceBy(changeId: number, holders: number): Promise<boolean> {
    const found = await this.repository.find(changeId);
    if (found === undefined || found.state === 'done') return false;
    let removal = found;
    if (removal.state === 'waiting') {
      const total = await this.countDead(removal);
      removal = { ...removal, state: 'running', total, startedAt: Date.now() };
    }
    let due = performance.now();
    for (let left = holders; left > 0;) {
      const limit = this.removing.next;
      const { page, removed } = await this.removing.measured(
        () => this.removePage(removal, limit),
        (done) => done.page.length,
      );
      removal = {
        ...removal,
        done: removal.done + page.length,
        removed: removal.removed + removed,
        lastHolder: page.at(-1)?.id ?? removal.lastHolder,
      };
      if (page.length < limit) {
        await this.repository.save(await this.finished(removal));
        return false;
      }
      left -= limit;
      due += (limit / (this.apart ? WORKER_PER_SECOND : ENOUGH_PER_SECOND)) * 1000;
      await this.pause(due);
    }
    await this.repository.save(removal);
    return true;
  }

  private async removePage(
    removal: Removal,
    limit: number,
  ): Promise<{ page: readonly EdgeSource[]; removed: number }> {
    const page = await this.holders.of(removal.entityId, removal.lastHolder, limit);
    if (page.length === 0) return { page, removed: 0 };
    return { page, removed: await this.removeFrom(removal, await this.holders.heldBy(page)) };
  }

  /** @param due when the next portion may begin; a pause that took longer than it should makes the next one shorter */
  private async pause(due: number): Promise<void> {
    const pause = due - performance.now();
    if (pause >= 1 && (this.apart || !this.throttle.idle)) await setTimeout(pause);
    await this.throttle.yieldToRequests();
  }

  /**
   * What is written down at the end is counted then: a crash may have kept a part from being written down, and clients
   * have taken old values out, too.
   */
  private async finished(removal: Removal): Promise<Removal> {
    const gone = Math.max(0, removal.total - (await this.countDead(removal)));
    return { ...removal, state: 'done', done: removal.total, removed: gone, finishedAt: Date.now() };
  }

  /** How many entities have values of the property that can no longer be read. */
  private async countDead({ property, entityId }: Removal): Promise<number> {
    let dead = 0;
    for (let after = 0; ;) {
      const limit = this.counting.next;
      const page = await this.counting.measured(
        async () => {
          const holders = await this.holders.of(entityId, after, limit);
          dead += (await this.deadAmong(property, await this.holders.heldBy(holders))).length;
          return holders;
        },
        ({ length }) => length,
      );
      const last = page.at(-1);
      if (last === undefined || page.length < limit) return dead;
      after = last.id;
      await this.throttle.yieldToRequests();
    }
  }

  private async deadAmong(property: string, holders: readonly HeldValues[]): Promise<HeldValues[]> {
    const state = (await this.properties.committed([property])).get(property);
    return holders.filter(({ value }) =>
      assignmentsOf(readJson(value) as Record<string, unknown>).some(
        (entry) => entry.propertyUrn === property && !isAlive(state, entry.generation),
      ),
    );
  }

  /** Answers how many entities had values to remove. */
  private async removeFrom({ property }: Removal, holders: readonly HeldValues[]): Promise<number> {
    const dead = await this.deadAmong(property, holders);
    if (dead.length === 0) return 0;
    const proposals = dead.flatMap((holder) => this.removalFrom(holder) ?? []);
    try {
      // What is lost with the power is done again: how far the removal is was written down after it.
      await this.ingest.submit(SYSTEM_PRINCIPAL, proposals, { survives: 'process' });
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      // Another client wrote one of them in between: each for itself then.
      for (const proposal of proposals) await this.removeAlone(proposal);
    }
    return dead.length;
  }

  private async removeAlone(proposal: ChangeProposal): Promise<void> {
    try {
      await this.ingest.submit(SYSTEM_PRINCIPAL, [proposal]);
    } catch (error) {
      // A later write has taken the old values along.
      if (!(error instanceof CatalogError) || error.kind !== 'precondition') throw error;
    }
  }

  private removalFrom(holder: HeldValues): ChangeProposal | undefined {
    const entity = this.model.findEntity(holder.type);
    const aspect = entity?.aspects.get(VALUES_ASPECT);
    if (entity === undefined || aspect === undefined) return undefined;
    return {
      entity,
      urn: parseUrn(holder.urn),
      aspect,
      changeType: 'PATCH',
      // The current value is what can be seen: stored again, it is without what cannot.
      edit: { apply: async (shown) => shown },
      // Says what the policies will ask for.
      value: readJson(holder.value),
      // What is left keeps its writer: run and time stay as they are.
      systemMetadata: readJson(holder.systemMetadata) as SystemMetadata,
      conditions: [{ kind: 'version', version: holder.version, pointer: '' }],
      pointer: '',
      valuePointer: '',
    };
  }
}
