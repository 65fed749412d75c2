import type { TestCatalog } from '../../harness/catalog.js';

/** The URN of a Hive dataset. */
export const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

/** A policy about entities, active unless it says otherwise. */
export function policy(said: {
  privileges: string[];
  actors?: object;
  criteria?: Array<{ field: string; values: string[]; condition?: string }>;
  effect?: 'ALLOW' | 'DENY';
  state?: string;
}): object {
  const { privileges, actors, criteria, effect, state = 'ACTIVE' } = said;
  return {
    displayName: 'a policy',
    description: '',
    type: 'METADATA',
    state,
    privileges,
    actors: { allUsers: false, allGroups: false, resourceOwners: false, ...actors },
    ...(effect && { effect }),
    ...(criteria && { resources: { filter: { criteria } } }),
  };
}

/** Stores policies by the last part of their URNs. */
export function putPolicies(catalog: TestCatalog, policies: Record<string, object>): Promise<void> {
  return catalog.ingest(
    ...Object.entries(policies).map(([id, value]): [string, string, unknown] => [
      `urn:li:dataHubPolicy:${id}`,
      'dataHubPolicyInfo',
      value,
    ]),
  );
}
