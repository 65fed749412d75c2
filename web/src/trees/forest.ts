import { ask } from '../api.js';
import { ASSET_FIELDS } from '../entity/asset-fields.js';
import {
  AncestorsDocument,
  LevelDocument,
  ValuesDocument,
  type AggregateAcrossEntitiesInput,
  type EntityType,
  type SearchAcrossEntitiesInput,
} from '../generated.js';
import { inWords, lastOf } from '../words.js';

/** A hierarchy of entities, each of which names the one that it lies in. */
export interface Forest {
  readonly title: string;
  /** What is in it, and what is asked for to see one level. */
  readonly types: EntityType[];
  /** The field that names what an entity lies in. */
  readonly parentField: string;
  /** The field whose values say how many assets refer to what is in it. Of terms none does: assets have those of their columns too. */
  readonly countedBy?: string;
  readonly empty: string;
}

export const GLOSSARY: Forest = {
  title: 'Glossary',
  types: ['GLOSSARY_NODE', 'GLOSSARY_TERM'],
  parentField: 'parentNode',
  empty: 'The glossary has no terms yet.',
};

export const DOMAINS: Forest = {
  title: 'Domains',
  types: ['DOMAIN'],
  parentField: 'parentDomain',
  countedBy: ASSET_FIELDS.domain,
  empty: 'There are no domains yet.',
};

export interface TreeNode {
  urn: string;
  name: string;
  /** How many lie in it. */
  children: number;
  /** How many assets refer to it; 0 where that is not counted. */
  assets: number;
}

export interface Level {
  total: number;
  nodes: TreeNode[];
}

/** Asks for what lies in an entity, or on top. */
export function levelInput(
  { types, parentField }: Forest,
  parent: string | undefined,
  count: number,
): SearchAcrossEntitiesInput {
  const place =
    parent === undefined
      ? { field: parentField, condition: 'EXISTS' as const, negated: true }
      : { field: parentField, values: [parent] };
  return {
    query: '*',
    types,
    count,
    orFilters: [{ and: [place] }],
    sortInput: { sortCriteria: [{ field: '_entityName', sortOrder: 'ASCENDING' }] },
  };
}

/** Those of one level that are asked for at a time. */
export const PART = 200;

/** What lies in an entity, or on top: folders before terms, in the order of their names. */
export async function levelOf(
  forest: Forest,
  parent: string | undefined,
  count: number,
  signal: AbortSignal,
): Promise<Level> {
  const { types, parentField, countedBy } = forest;
  const input = levelInput(forest, parent, count);
  const { searchAcrossEntities: found } = await ask(LevelDocument, { input }, { signal });
  const entities = (found?.searchResults ?? []).map(({ entity }) => entity);
  const urns = entities.map(({ urn }) => urn);
  const none = new Map<string, number>();
  const [children, assets] = await Promise.all([
    urns.length > 0 ? countsOf(parentField, urns, signal, types) : none,
    urns.length > 0 && countedBy ? countsOf(countedBy, urns, signal) : none,
  ]);
  return {
    total: found?.total ?? 0,
    nodes: entities
      .map(({ urn, displayName }) => ({
        urn,
        name: displayName ?? inWords(lastOf(urn)),
        children: children.get(urn) ?? 0,
        assets: assets.get(urn) ?? 0,
      }))
      .sort((a, b) => Number(isFolder(b.urn)) - Number(isFolder(a.urn))),
  };
}

/** Whether it holds terms, and is none. */
const isFolder = (urn: string): boolean => urn.startsWith('urn:li:glossaryNode:');

/** How many entities have each of some values. */
async function countsOf(
  field: string,
  values: string[],
  signal: AbortSignal,
  types?: EntityType[],
): Promise<Map<string, number>> {
  const input: AggregateAcrossEntitiesInput = {
    query: '*',
    facets: [field],
    orFilters: [{ and: [{ field, values }] }],
    // An entity that has one of the values may have others, which are counted as well.
    searchFlags: { maxAggValues: 10_000 },
    ...(types && { types }),
  };
  const { aggregateAcrossEntities: found } = await ask(ValuesDocument, { input }, { signal });
  const facet = found?.facets?.find((one) => one.field === field);
  return new Map(facet?.aggregations.map(({ value, count }) => [value, count]));
}

/** What an entity lies in, the nearest first. */
export async function ancestorsOf(urn: string, signal: AbortSignal): Promise<string[]> {
  const { entity } = await ask(AncestorsDocument, { urn }, { signal });
  if (!entity) return [];
  if ('domainParents' in entity) return urnsOf(entity.domainParents?.domains);
  if ('nodeParents' in entity) return urnsOf(entity.nodeParents?.nodes);
  return 'termParents' in entity ? urnsOf(entity.termParents?.nodes) : [];
}

const urnsOf = (entities: ReadonlyArray<{ urn: string }> = []): string[] => entities.map(({ urn }) => urn);
