import { CREATE, DELETE, EDIT, KINDS_CREATED, KINDS_MANAGED } from '../../catalog/auth/index.js';
import type { DataHubPolicyInfo, PolicyMatchCriterion } from '../../catalog/model/generated/aspects.js';
import type { Model } from '../../catalog/model/index.js';
import { ENTITY_TYPE_FIELD, entityTypeName, URN_FIELD } from '../../catalog/search/index.js';
import type { DomainsBelow } from './domains-below.js';
import { policyPrivileges } from './privileges.js';
import type { Clause, Condition } from './rule.js';

/** The field of the search index with the owners of an entity. */
export const OWNERS_FIELD = 'owners';

/** Fields that criteria may name, and the fields of the search index that they mean. */
const CRITERIA: Readonly<Record<string, string>> = {
  TYPE: ENTITY_TYPE_FIELD,
  RESOURCE_TYPE: ENTITY_TYPE_FIELD,
  URN: URN_FIELD,
  RESOURCE_URN: URN_FIELD,
  DOMAIN: 'domains',
  CONTAINER: 'container',
  TAG: 'tags',
  GLOSSARY_TERM: 'glossaryTerms',
  OWNER: OWNERS_FIELD,
  DATA_PLATFORM: 'platform',
  DATA_PLATFORM_INSTANCE: 'platformInstance',
};

const CONDITIONS = { EQUALS: 'equal', STARTS_WITH: 'starts', NOT_EQUALS: 'not' } as const;

/** What one active policy says of entities, ready to be applied. */
export interface Policy {
  readonly urn: string;
  /** Whether it takes the privileges away. */
  readonly denies: boolean;
  readonly privileges: ReadonlySet<string>;
  /** Whether it also gives new entities their first values, of whatever aspect. */
  readonly firstValues?: true;
  readonly actors: DataHubPolicyInfo['actors'];
  /** Which entities it is about. */
  readonly clause: Clause;
}

/** What is wrong with a policy. */
interface Flaw {
  /** JSON pointer into the aspect. */
  readonly pointer: string;
  readonly message: string;
}

/** Why a value cannot be applied as a policy; nothing of it may be passed over in silence. */
export function flawsOf(info: DataHubPolicyInfo, model: Model): Flaw[] {
  const flaws: Flaw[] = [];
  const flaw = (pointer: string, message: string): unknown => flaws.push({ pointer, message });
  if (info.effect === 'DENY') {
    if (info.type === 'PLATFORM') flaw('/effect', 'only policies of the type METADATA can deny');
    const known = policyPrivileges(model);
    for (const [i, name] of info.privileges.entries())
      if (!known.has(name))
        flaw(
          `/privileges/${i}`,
          `cannot be denied: it is not checked by itself; one of ${[...known.keys()].join(', ')}`,
        );
  }
  if (info.actors.resourceOwnersTypes !== undefined && info.actors.resourceOwnersTypes.length > 0)
    flaw('/actors/resourceOwnersTypes', 'is not supported: owners count whatever the kind of ownership');
  const { resources } = info;
  if ((resources?.privilegeConstraints?.criteria.length ?? 0) > 0)
    flaw('/resources/privilegeConstraints', 'is not supported');
  if (resources?.type !== undefined && typeNamed(resources.type, model) === undefined)
    flaw('/resources/type', `unknown entity type "${resources.type}"`);
  for (const [i, criterion] of (resources?.filter?.criteria ?? []).entries()) {
    const at = `/resources/filter/criteria/${i}`;
    if (!Object.hasOwn(CRITERIA, criterion.field))
      flaw(`${at}/field`, `must be one of ${Object.keys(CRITERIA).join(', ')}`);
    if (criterion.structuredPropertyValues !== undefined)
      flaw(`${at}/structuredPropertyValues`, 'is not supported');
    if (CRITERIA[criterion.field] !== ENTITY_TYPE_FIELD) continue;
    if (criterion.condition === 'STARTS_WITH') flaw(`${at}/condition`, 'a type is equal or not');
    for (const [j, name] of criterion.values.entries())
      if (typeNamed(name, model) === undefined) flaw(`${at}/values/${j}`, `unknown entity type "${name}"`);
  }
  return flaws;
}

/** Whether a policy says something of the entities in a domain. */
export const namesDomains = ({ resources }: DataHubPolicyInfo): boolean =>
  resources?.filter?.criteria.some(({ field }) => field === 'DOMAIN') === true;

/** What a value without flaws says of entities: nothing when it is inactive, or has no privilege that is applied. */
export function readPolicy(
  urn: string,
  info: DataHubPolicyInfo,
  model: Model,
  below: DomainsBelow,
): Policy[] {
  if (info.state !== 'ACTIVE') return [];
  if (info.type === 'PLATFORM') return readServicePolicy(urn, info);
  const { resources } = info;
  const criteria: PolicyMatchCriterion[] = [...(resources?.filter?.criteria ?? [])];
  const named = (field: string, values: string[]): unknown =>
    criteria.push({ field, values, condition: 'EQUALS' });
  if (resources?.type !== undefined) named('TYPE', [resources.type]);
  if (resources?.resources !== undefined && resources.resources.length > 0 && !resources.allResources)
    named('URN', resources.resources);
  return [
    {
      urn,
      denies: info.effect === 'DENY',
      privileges: new Set(info.privileges),
      actors: info.actors,
      clause: criteria.map((criterion) => conditionOf(criterion, model, below)),
    },
  ];
}

/** What a policy about the service says of entities: each of its privileges is about all those of some types. */
function readServicePolicy(urn: string, { privileges, actors }: DataHubPolicyInfo): Policy[] {
  const about = (kinds: Readonly<Record<string, readonly string[]>>, what: Partial<Policy>): Policy[] => {
    const named = privileges.flatMap((name) => (Object.hasOwn(kinds, name) ? kinds[name]! : []));
    const values = new Set(named.map(entityTypeName));
    const clause: Clause = [{ field: ENTITY_TYPE_FIELD, is: 'equal', values }];
    return values.size === 0 ? [] : [{ urn, denies: false, privileges: new Set(), actors, clause, ...what }];
  };
  return [
    ...about(KINDS_MANAGED, { privileges: new Set([EDIT, CREATE, DELETE]) }),
    ...about(KINDS_CREATED, { privileges: new Set([CREATE]), firstValues: true }),
  ];
}

function conditionOf(
  { field: name, condition, values }: PolicyMatchCriterion,
  model: Model,
  below: DomainsBelow,
): Condition {
  const field = CRITERIA[name]!;
  const textsOf = (value: string): Iterable<string> => {
    if (field === ENTITY_TYPE_FIELD) return [typeNamed(value, model)].filter((type) => type !== undefined);
    return name === 'DOMAIN' && condition !== 'STARTS_WITH' ? below(value) : [value];
  };
  return {
    field,
    is: CONDITIONS[condition],
    values: new Set(values.flatMap((value) => [...textsOf(value)])),
  };
}

/** The name of an entity type as the search index has it, from either of its names. */
function typeNamed(name: string, model: Model): string | undefined {
  const entity =
    model.findEntity(name) ?? [...model.entities.values()].find((e) => entityTypeName(e.name) === name);
  return entity && entityTypeName(entity.name);
}
