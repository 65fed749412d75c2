import type { DomainProperties } from '../../catalog/model/generated/aspects.js';
import type { EntityState } from '../../catalog/store/index.js';

/** The type of entities that lie in each other. */
export const DOMAIN = 'domain';

/** A domain and those that lie in it, at any depth. */
export type DomainsBelow = (urn: string) => ReadonlySet<string>;

/** @param domains all of them; a circle among them is no harm */
export function domainsBelow(domains: readonly EntityState[]): DomainsBelow {
  const children = Map.groupBy(
    domains,
    ({ aspects }) => (aspects.get('domainProperties')?.value as DomainProperties | undefined)?.parentDomain,
  );
  return (urn) => {
    // A set grows while it is walked.
    const found = new Set([urn]);
    for (const parent of found) for (const { urn: child } of children.get(parent) ?? []) found.add(child);
    return found;
  };
}
