import { Injectable } from '@nestjs/common';
import { ChangeLogConsumer, type ChangeLogEntry, type ChangeLogHeading } from '../../catalog/change/index.js';
import { SearchIndexer } from '../search/index.js';
import { DEFINITION_ASPECT, PROPERTY_TYPE } from './entities/property-definition.js';
import { RemovalQueue } from './removal/removal-queue.js';
import { RemovalRepository, type RemovalReason } from './removal/removal.repository.js';

const KEY_ASPECT = 'structuredPropertyKey';
const HOLDERS_AT_ONCE = 500;

/**
 * What follows from changes of properties: values that became unreadable are removed, and where values came into sight
 * or went out of it, the documents of their holders are written anew. Reads and searches do not wait for either.
 */
@Injectable()
export class PropertyChanges extends ChangeLogConsumer {
  readonly name = 'structured-properties';

  constructor(
    private readonly repository: RemovalRepository,
    private readonly removals: RemovalQueue,
    private readonly indexer: SearchIndexer,
  ) {
    super();
  }

  override wants({ entityType }: ChangeLogHeading): boolean {
    return entityType === PROPERTY_TYPE;
  }

  async consume(entries: readonly ChangeLogEntry[]): Promise<void> {
    for (const entry of entries) {
      const reason = await this.reasonToRemove(entry);
      if (reason === undefined) continue;
      await this.repository.request(entry.id, entry.urn, reason, entry.time);
      await this.removals.ring(entry.id);
    }
    const moved = entries.filter((entry) => entry.aspect === 'status').map(({ urn }) => urn);
    for (const urn of new Set(moved)) await this.reindexHolders(urn);
  }

  private async reasonToRemove(entry: ChangeLogEntry): Promise<RemovalReason | undefined> {
    if (entry.aspect === KEY_ASPECT && entry.changeType === 'DELETE') return 'deleted';
    if (entry.aspect !== DEFINITION_ASPECT || entry.versionBefore === 0) return undefined;
    const read = (version: number) => this.repository.valueOf(entry.urn, DEFINITION_ASPECT, version);
    const [before, after] = [await read(entry.versionBefore), await read(entry.versionAfter)];
    // A definition that is gone meanwhile was deleted, which has an entry of its own.
    return before && after && before['version'] !== after['version'] ? 'version' : undefined;
  }

  private async reindexHolders(property: string): Promise<void> {
    const id = await this.repository.idOf(property);
    for (let after = 0; id !== undefined;) {
      const holders = await this.repository.holders(id, after, HOLDERS_AT_ONCE);
      await this.indexer.indexAll(holders.map(({ urn }) => urn));
      const last = holders.at(-1);
      if (last === undefined || holders.length < HOLDERS_AT_ONCE) return;
      after = last.id;
    }
  }
}
