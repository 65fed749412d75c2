import { Injectable } from '@nestjs/common';
import { ChangeLogConsumer, type ChangeLogEntry, type ChangeLogHeading } from '../../catalog/change/index.js';
import { readJson } from '../../catalog/json/index.js';
import { AspectValueRepository } from '../entities/index.js';
import { DEFINITION_ASPECT, PROPERTY_TYPE } from './property-definition.js';
import type { RemovalReason } from './entities/property-removal.row.js';
import { RemovalQueue } from './removal/removal-queue.js';
import { RemovalRepository } from './removal/removal.repository.js';

const KEY_ASPECT = 'structuredPropertyKey';

/**
 * What follows from changes of properties: values that became unreadable are removed. Reads and searches do not wait for
 * it, nor for what is hidden or comes back: search fields of hidden properties cannot be named.
 */
@Injectable()
export class PropertyChanges extends ChangeLogConsumer {
  readonly name = 'structured-properties';

  constructor(
    private readonly repository: RemovalRepository,
    private readonly values: AspectValueRepository,
    private readonly removals: RemovalQueue,
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
      await this.removals.enqueue(entry.id);
    }
  }

  private async reasonToRemove(entry: ChangeLogEntry): Promise<RemovalReason | undefined> {
    if (entry.aspect === KEY_ASPECT && entry.changeType === 'DELETE') return 'deleted';
    if (entry.aspect !== DEFINITION_ASPECT || entry.versionBefore === 0) return undefined;
    const read = async (version: number): Promise<Record<string, unknown> | undefined> => {
      const value = await this.values.version(entry.urn, DEFINITION_ASPECT, version);
      return value === undefined ? undefined : (readJson(value) as Record<string, unknown>);
    };
    const [before, after] = [await read(entry.versionBefore), await read(entry.versionAfter)];
    // A definition that is gone meanwhile was deleted, which has an entry of its own.
    return before && after && before['version'] !== after['version'] ? 'version' : undefined;
  }
}
