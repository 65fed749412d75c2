import { Injectable } from '@nestjs/common';
import { Model } from '../../../catalog/model/index.js';
import { edgesOf, type Edge } from '../../ingest/index.js';
import { VALUES_ASPECT } from '../property-definition.js';
import { RemovalQueue } from './removal-queue.js';
import { PropertyHolders } from './property-holders.js';
import { RemovalRepository } from './removal.repository.js';
import { UnreadableValues } from './unreadable-values.js';

const PAGE = 100;

/**
 * A removal finds the holders of a property by the relationship that each value makes. Values that were stored by a
 * version of the service that made no such relationship would stay for ever: here they get it, and where the removal
 * has been carried out without them, it goes on.
 */
@Injectable()
export class MissingEdges {
  constructor(
    private readonly model: Model,
    private readonly repository: RemovalRepository,
    private readonly holders: PropertyHolders,
    private readonly unreadable: UnreadableValues,
    private readonly removals: RemovalQueue,
  ) {}

  /** Answers how many relationships were missing. */
  async add(): Promise<number> {
    const targets = new Set<string>();
    let added = 0;
    for (let after = 0; ;) {
      const page = await this.holders.all(after, PAGE);
      const last = page.at(-1);
      if (last === undefined) break;
      const suspects = await this.holders.withoutEdges(page, (values) => this.edges(values));
      if (suspects.length > 0) {
        const found = await this.holders.addEdges(suspects, (values) => this.edges(values));
        for (const target of found) targets.add(target);
        added += found.length;
      }
      after = last.id;
    }
    if (added > 0) await this.goOn(targets);
    return added;
  }

  private edges({ value }: { value: string }): Edge[] {
    const aspect = this.model.aspects.get(VALUES_ASPECT);
    return aspect ? [...edgesOf(aspect, JSON.parse(value) as Record<string, unknown>).values()] : [];
  }

  private async goOn(targets: ReadonlySet<string>): Promise<void> {
    for (const property of (await this.unreadable.count()).keys()) {
      if (!targets.has(property)) continue;
      const changeId = await this.repository.again(property, Date.now());
      if (changeId !== undefined) await this.removals.enqueue(changeId);
    }
  }
}
