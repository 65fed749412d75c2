/** One thing that the specification and the reference do differently. */
export interface Rule<T> {
  /** What it is about, in a few words. */
  readonly about: string;
  readonly specification: Side<T>;
  readonly reference: Side<T>;
}

interface Side<T> {
  readonly value: T;
  /** What clients see, in one sentence. */
  readonly says: string;
}

/** A rule that is switched on by the reference. */
const differs = (about: string, specification: string, reference: string): Rule<boolean> => ({
  about,
  specification: { value: false, says: specification },
  reference: { value: true, says: reference },
});

/** A rule that gives a variable another default. */
const fallback = <T extends string>(
  about: string,
  variable: string,
  specification: T,
  reference: T,
): Rule<T> => ({
  about,
  specification: { value: specification, says: `\`${variable}\` is \`${specification}\` unless it is set.` },
  reference: { value: reference, says: `\`${variable}\` is \`${reference}\` unless it is set.` },
});

/**
 * Every difference, by the name under which code asks for it. Nothing else in the service knows which of the two is
 * followed. A rule that is added here is listed in docs/compatibility.md and needs a case in
 * test/e2e/compatibility/rules.spec.ts, which compares the two lists.
 */
export const RULES = {
  searchHitsAsObjects: differs(
    '`entities` of `POST /entities?action=search`, `searchAcrossEntities`, `scrollAcrossEntities` and `filter`',
    'The URNs.',
    'Objects `{entity, matchedFields}`.',
  ),
  browseCountsGroups: differs(
    '`metadata.totalNumEntities` of `POST /entities?action=browse`',
    'All entities below the path, those that lie at it included.',
    'The entities in the groups below the path: 0 where there are no groups.',
  ),
  bareAspect: differs(
    '`GET /openapi/v3/entity/{entity}/{urn}/{aspect}`',
    '`{urn, <aspect>: {value}}`.',
    '`{value}`.',
  ),
  deletesOfAbsent: differs(
    'Deleting an entity or aspect that does not exist (OpenAPI v2 and v3)',
    '404.',
    '200, and nothing happens.',
  ),
  unknownNamesPassedOver: differs(
    'Unknown names in a list of aspects to read',
    '400.',
    'They are passed over; the known ones are read.',
  ),
  absentHaveKeys: differs(
    'Reading an entity that does not exist by `GET /entitiesV2` or `GET /openapi/v2/entity/{entity}/{urn}`',
    '404; in a read of several it is listed under `errors`.',
    '200, with the key aspect only.',
  ),
  valuesMakeEntities: differs(
    'Writing `structuredProperties` as the first aspect of an entity',
    '404: the entity has to exist.',
    'The entity comes into being with it.',
  ),
  parallelListsFilled: differs(
    '`domainAssociations` of the aspect `domains` where clients write `domains` only',
    'Absent; once there are associations, the two lists are kept alike.',
    'The same domains, from the first write on.',
  ),
  createIfNotExistsWrites: differs(
    'Writes with `createIfNotExists=false` (OpenAPI v2 and v3)',
    'They only update: 404 where the aspect, or the entity of an event, does not exist.',
    'They write whether or not something exists.',
  ),
  statusMakesEntities: differs(
    'Writing `status` with `removed: true` to an entity that does not exist, or anything but its definition or its key to a structured property that does not',
    '404.',
    'The entity comes into being with it.',
  ),
  graphqlTypes: differs(
    'GraphQL types of `CorpUser.status`, `DataHubViewDefinition.entityTypes` and `filter`, `DataPlatformProperties.type`, `DataTypeInfo.type`, `InstitutionalMemoryMetadata.actor`, `MLModelProperties.mlFeatures` and `version`, `Operation.customProperties`, `SiblingProperties.siblings`, `StructuredPropertyDefinition.allowedPlatforms`',
    'Those of [the schema](schema.graphql); `CorpUser.status` says whether the user was soft-deleted.',
    'Those that clients of the reference know; `CorpUser.status` is `ACTIVE` or `SUSPENDED`.',
  ),
  removedAreAbsent: differs(
    '`HEAD` of a soft-deleted entity (OpenAPI v2 and v3) that does not say `includeSoftDelete`',
    '204: `GET` answers it.',
    '404.',
  ),
  unknownFields: fallback<'refuse' | 'keep'>(
    'Fields of an aspect that its schema does not know',
    'CATALOG_UNKNOWN_FIELDS',
    'refuse',
    'keep',
  ),
  vendor: fallback('Vendor word of the URNs that the service makes', 'CATALOG_VENDOR', 'platform', 'datahub'),
  administrator: {
    about: 'The first administrator',
    specification: { value: 'urn:li:corpuser:admin', says: '`urn:li:corpuser:admin`.' },
    reference: { value: 'urn:li:corpuser:datahub', says: '`urn:li:corpuser:datahub`.' },
  } as Rule<string>,
  administratorStored: differs(
    '`corpUserInfo` of the first administrator',
    'Written by clients only.',
    'Written at start where there is none: `active`, `system`, `displayName`.',
  ),
} as const;

/** What holds of each rule. */
export type Compatibility = {
  readonly [K in keyof typeof RULES]: (typeof RULES)[K] extends Rule<infer T> ? T : never;
};

/** What is followed where the specification and the reference differ. */
export type Followed = 'specification' | 'reference';

/** The value of every rule. */
export function compatibilityWith(followed: Followed): Compatibility {
  const values = Object.entries(RULES).map(([name, rule]) => [name, rule[followed].value]);
  return Object.freeze(Object.fromEntries(values)) as Compatibility;
}
