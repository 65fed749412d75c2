import { Injectable } from '@nestjs/common';
import type { TransactionView } from '../../catalog/extension/index.js';
import { isRecord } from '../../catalog/model/index.js';
import type { Assignment } from './property-value.js';
import { PropertyCache, type PropertyState } from './property-cache.js';
import { CommittedProperties } from './committed-properties.js';

/** Looks up properties: as a transaction sees them, or as they are committed. */
@Injectable()
export class Properties {
  private readonly cache = new PropertyCache();

  constructor(private readonly repository: CommittedProperties) {}

  /** States by URN; properties that the store has never seen are absent. */
  committed(urns: Iterable<string>): Promise<Map<string, PropertyState>> {
    return this.cache.states(urns, this.repository);
  }

  within(view: TransactionView, urns: Iterable<string>): Promise<Map<string, PropertyState>> {
    return this.cache.states(urns, view);
  }
}

/** The entries of a value of the aspect `structuredProperties`. */
export function assignmentsOf(value: Readonly<Record<string, unknown>> | undefined): Assignment[] {
  const list = value?.['properties'];
  if (!Array.isArray(list)) return [];
  return list.filter((entry) => isRecord(entry) && typeof entry['propertyUrn'] === 'string') as Assignment[];
}

export function propertyUrnsOf(value: Readonly<Record<string, unknown>> | undefined): string[] {
  return assignmentsOf(value).map(({ propertyUrn }) => propertyUrn);
}
