import type { GraphqlEntitySpec } from './graphql-spec.js';
import type { JsonSchema } from './json-schema.js';

/** How a search field is indexed and matched. */
export const SEARCH_KINDS = [
  'KEYWORD',
  'TEXT',
  'TEXT_PARTIAL',
  'WORD_GRAM',
  'URN',
  'URN_PARTIAL',
  'BOOLEAN',
  'COUNT',
  'DOUBLE',
  'DATETIME',
  'OBJECT',
  'BROWSE_PATH',
  'BROWSE_PATH_V2',
  'MAP_ARRAY',
] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The kinds that a search without a field name looks into, unless the mark says otherwise. */
export const QUERIED_BY_DEFAULT: ReadonlySet<SearchKind> = new Set<SearchKind>([
  'TEXT',
  'TEXT_PARTIAL',
  'WORD_GRAM',
  'URN',
  'URN_PARTIAL',
]);

/** One row of `x-searchable`, with every default spelled out. */
export interface SearchFieldSpec {
  /** Where the values are; `*` stands for each element of an array or each value of a map. */
  readonly path: readonly string[];
  readonly field: string;
  readonly kind: SearchKind;
  /** Whether a search without a field name looks into this one. */
  readonly queryByDefault: boolean;
  readonly autocomplete: boolean;
  readonly facet: boolean;
  readonly facetName?: string;
  readonly boost: number;
  readonly aliases: readonly string[];
  /** A boolean field that says whether there is any value. */
  readonly hasValuesField?: string;
  /** Whether that boolean field is a facet. */
  readonly hasValuesFacet: boolean;
  /** A number field that counts the values. */
  readonly numValuesField?: string;
  /** A date field that holds when the aspect was last written. */
  readonly modifiedAtField?: string;
  /** Factors on the score, by value. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** One row of `x-relationship`: the URNs at `path` are edges to other entities. */
export interface RelationshipSpec {
  readonly path: readonly string[];
  readonly name: string;
  readonly targets: readonly string[];
  readonly lineage: boolean;
  /** In lineage: whether the target is upstream of the entity that holds the edge. */
  readonly upstream: boolean;
  readonly createdOn?: readonly string[];
  readonly createdActor?: readonly string[];
  readonly updatedOn?: readonly string[];
  readonly updatedActor?: readonly string[];
  readonly properties?: readonly string[];
  /** The entity that the edge runs through, such as a query. */
  readonly via?: readonly string[];
}

/** One row of `x-urn`: what the URNs at `path` must name. */
export interface UrnFieldSpec {
  readonly path: readonly string[];
  readonly targets: readonly string[];
  /** Whether the URN must also fit the key of its entity type (number of parts, environment names). */
  readonly strict: boolean;
  /** Whether the entity must exist. The model cannot know; the writer of the aspect checks it. */
  readonly exist: boolean;
}

/** The parts of the key of an array's elements, each a path inside the element; the empty path is the element itself. */
export type ArrayKeys = readonly (readonly string[])[];

/** One row of `x-array-key`: the elements of the array at `path` are told apart by their keys. */
export interface ArrayKeySpec {
  readonly path: readonly string[];
  readonly keys: ArrayKeys;
}

/** One row of `x-parallel-list`: the list of objects at `path` says of each value of `list` more than the value. */
export interface ParallelListSpec {
  /** A field of the aspect. */
  readonly path: string;
  /** The field of such an object that names the value. */
  readonly key: string;
  /** The field of the aspect with the plain values. */
  readonly list: string;
}

/** An aspect: a record of metadata about an entity. Source: specification, "Aspects and their fields". */
export interface AspectSpec {
  readonly name: string;
  /** Record name without the vendor's namespace, e.g. `common.Status`. */
  readonly record: string;
  readonly kind: 'versioned' | 'timeseries';
  readonly schemaVersion: number;
  readonly description: string;
  /** Plain JSON Schema; its `$ref`s name entries of `Model.definitions`. */
  readonly schema: JsonSchema;
  readonly search: readonly SearchFieldSpec[];
  readonly relationships: readonly RelationshipSpec[];
  readonly urns: readonly UrnFieldSpec[];
  /** The arrays whose elements a patch may name by key. */
  readonly arrayKeys: readonly ArrayKeySpec[];
  /** Lists that say the same things twice: a patch of one carries the other along. */
  readonly parallelLists: readonly ParallelListSpec[];
  /** Paths of the stamps that a patch fills in where it makes the object around them. */
  readonly patchStamps: ReadonlyArray<readonly string[]>;
  /** The field of column lineage, which patches address edge by edge. */
  readonly columnLineage?: string;
  /** The field that says whether the entity is soft-deleted. At most one aspect of a model has it. */
  readonly removedField?: string;
  /** Whether clients may only write it: no answer has its value, and nothing is found by it. */
  readonly secret: boolean;
  /** Whether it decides who may do what, or what the service signs in with elsewhere: only callers that may `manage` write it. */
  readonly managed: boolean;
  /** The privilege that is enough to write it, besides `EDIT_ENTITY`. */
  readonly editPrivilege?: string;
  /** The entity this is the key aspect of. */
  readonly keyOf?: string;
  /** Of a key aspect: its fields in the order of the URN's parts. */
  readonly keyFields?: readonly string[];
}

/** What the browse path of an entity is made of: key fields. */
export interface BrowsePathSpec {
  /** Key fields whose values are the upper levels, in their order. */
  readonly levels: readonly string[];
  /** The key field whose value has folders in it: parts between slashes, else between dots. */
  readonly folders?: string;
}

/** The API document that describes a kind of entity. */
export interface ApiDocumentSpec {
  readonly part: 'core' | 'pipelines';
  /** Its place among those of its part; without one it comes after them, by name. */
  readonly place?: number;
}

/** A kind of entity and the aspects it may have. */
export interface EntitySpec {
  readonly name: string;
  readonly description: string;
  readonly category: 'core' | 'internal';
  readonly key: AspectSpec;
  /** By name, the key aspect first. */
  readonly aspects: ReadonlyMap<string, AspectSpec>;
  readonly searchGroup?: string;
  /** The search field in which one names the entity above it, where they form a hierarchy. */
  readonly parentField?: string;
  /** The key field that names the platform an entity is on, as a URN or as a bare word. */
  readonly platformField?: string;
  /** The default browse path of an entity that was written without one; absent: none. */
  readonly browsePath?: BrowsePathSpec;
  /** Which API document describes it; absent: the one of all others. */
  readonly apiDocument?: ApiDocumentSpec;
  /** What clients of GraphQL know otherwise. */
  readonly graphql?: GraphqlEntitySpec;
  /** Whether what names one must wait until it exists, where references are strict. */
  readonly strictReferences: boolean;
  /** Whether references to a permanently deleted one are removed. */
  readonly clearReferences: boolean;
  has(aspect: string): boolean;
}

/** One thing wrong with a value. `pointer` is an RFC 6901 JSON pointer, '' for the whole aspect. */
export interface Violation {
  readonly pointer: string;
  readonly message: string;
}
