import { isRecord } from '../../../catalog/model/index.js';

/**
 * The aspect `domains` has two lists of the same things: `domains`, the URNs that search and relationships go by,
 * and `domainAssociations`, which also says who put the entity there. Patches name one of them; the other follows.
 */
interface Domains {
  domains?: string[];
  domainAssociations?: Array<{ domain: string }>;
}

const touches = (list: keyof Domains, paths: readonly (readonly string[])[]): boolean =>
  paths.some((path) => path[0] === list);

/** Before a patch of the associations: each domain has one, so that it can also be taken away. */
export function withAssociations(
  value: Record<string, unknown>,
  paths: readonly (readonly string[])[],
): Record<string, unknown> {
  if (!touches('domainAssociations', paths)) return value;
  const { domains = [], domainAssociations = [] } = value as Domains;
  const known = new Set(domainAssociations.map((association) => association.domain));
  const missing = domains.filter((domain) => !known.has(domain)).map((domain) => ({ domain }));
  return { ...value, domainAssociations: [...domainAssociations, ...missing] };
}

/** After it: the list that the patch did not name agrees with the one it named. */
export function inParallel(
  value: Record<string, unknown>,
  paths: readonly (readonly string[])[],
): Record<string, unknown> {
  const { domains, domainAssociations } = value;
  if (!Array.isArray(domainAssociations)) return value;
  if (touches('domainAssociations', paths)) {
    const named = domainAssociations.flatMap((a: unknown) => (isRecord(a) ? [a['domain']] : []));
    return { ...value, domains: [...new Set(named)] };
  }
  if (!Array.isArray(domains)) return value;
  const kept = domainAssociations.filter((a: unknown) => isRecord(a) && domains.includes(a['domain']));
  return { ...value, domainAssociations: kept };
}
