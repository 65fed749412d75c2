import { setImmediate, setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../../catalog/auth/index.js';
import type { ChangeProposal, SystemMetadata } from '../../../catalog/change/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { Model } from '../../../catalog/model/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { IngestService } from '../../ingest/index.js';
import { VALUES_ASPECT } from '../entities/property-definition.js';
import { assignmentsOf, Properties } from '../properties.js';
import { isAlive } from '../property-book.js';
import { RemovalRepository, type HeldValues, type Removal } from './removal.repository.js';

/** Entities changed in one transaction: few enough that others hardly wait for it. */
const AT_ONCE = 25;
/** Entities counted at once, which nobody waits for long. */
const COUNTED_AT_ONCE = 100;
/** There are pauses as long as the work between them, as long as this many entities a second are reached. */
const ENOUGH_PER_SECOND = 1_500;
const TIME_FOR_ONE = (AT_ONCE / ENOUGH_PER_SECOND) * 1000;

/**
 * Removes values that nobody can read any more, by patches that go through the front door like any other write, so
 * that history, log and index follow. What a client writes in the meantime is never touched: a patch is for the very
 * version it was made from, and whoever wrote a later one has taken the old values out with it.
 */
@Injectable()
export class ValueRemover {
  constructor(
    private readonly model: Model,
    private readonly repository: RemovalRepository,
    private readonly properties: Properties,
    private readonly ingest: IngestService,
  ) {}

  /** Goes on with a removal for at most so many holders; answers whether there is more to do. */
  async advance(changeId: number, holders: number): Promise<boolean> {
    let removal = await this.repository.find(changeId);
    if (removal === undefined || removal.state === 'done') return false;
    if (removal.state === 'waiting') {
      const total = await this.countDead(removal);
      removal = { ...removal, state: 'running', total, startedAt: Date.now() };
    }
    for (let left = holders; left > 0; left -= AT_ONCE) {
      const began = performance.now();
      const page = await this.repository.holders(removal.entityId, removal.lastHolder, AT_ONCE);
      const removed: number =
        page.length === 0 ? 0 : await this.removeFrom(removal, await this.repository.heldBy(page));
      removal = {
        ...removal,
        done: removal.done + page.length,
        removed: removal.removed + removed,
        lastHolder: page.at(-1)?.id ?? removal.lastHolder,
      };
      if (page.length < AT_ONCE) {
        await this.repository.save(await this.finished(removal));
        return false;
      }
      const took = performance.now() - began;
      await setTimeout(Math.max(0, Math.min(took, TIME_FOR_ONE - took)));
    }
    await this.repository.save(removal);
    return true;
  }

  /**
   * What is written down at the end is counted then: a crash may have kept a part from being written down, and clients
   * have taken old values out, too.
   */
  private async finished(removal: Removal): Promise<Removal> {
    const gone = Math.max(0, removal.total - (await this.countDead(removal)));
    return { ...removal, state: 'done', done: removal.total, removed: gone, finishedAt: Date.now() };
  }

  /** How many entities have values of the property that nobody can read any more. */
  private async countDead({ property, entityId }: Removal): Promise<number> {
    let dead = 0;
    for (let after = 0; ;) {
      const page = await this.repository.holders(entityId, after, COUNTED_AT_ONCE);
      dead += (await this.deadAmong(property, await this.repository.heldBy(page))).length;
      const last = page.at(-1);
      if (last === undefined || page.length < COUNTED_AT_ONCE) return dead;
      after = last.id;
      await setImmediate();
    }
  }

  private async deadAmong(property: string, holders: readonly HeldValues[]): Promise<HeldValues[]> {
    const state = (await this.properties.committed([property])).get(property);
    return holders.filter(({ value }) =>
      assignmentsOf(JSON.parse(value) as Record<string, unknown>).some(
        (entry) => entry.propertyUrn === property && !isAlive(state, entry.generation),
      ),
    );
  }

  /** Answers how many entities had values to remove. */
  private async removeFrom({ property }: Removal, holders: readonly HeldValues[]): Promise<number> {
    const dead = await this.deadAmong(property, holders);
    if (dead.length === 0) return 0;
    const proposals = dead.flatMap((holder) => this.removalFrom(holder, property) ?? []);
    try {
      await this.ingest.submit(SYSTEM_PRINCIPAL, proposals);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      // Somebody wrote one of them in between: each for itself then.
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

  private removalFrom(holder: HeldValues, property: string): ChangeProposal | undefined {
    const entity = this.model.findEntity(holder.type);
    const aspect = entity?.aspects.get(VALUES_ASPECT);
    if (entity === undefined || aspect === undefined) return undefined;
    return {
      entity,
      urn: parseUrn(holder.urn),
      aspect,
      changeType: 'PATCH',
      value: {
        patch: [{ op: 'remove', path: jsonPointer(['properties', property]) }],
        arrayPrimaryKeys: { properties: ['propertyUrn'] },
      },
      // What is left was written by whoever wrote it: runs and times stay theirs.
      systemMetadata: JSON.parse(holder.systemMetadata) as SystemMetadata,
      headers: { 'if-version-match': String(holder.version) },
      pointer: '',
      valuePointer: '',
    };
  }
}
