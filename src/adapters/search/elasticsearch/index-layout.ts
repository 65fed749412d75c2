import { NUMBER_KINDS, type SearchField, type SearchSchema } from '../../../catalog/search/index.js';
import { allGroupColumns } from './browse-terms.js';
import { columnName, isProse } from './columns.js';

/** Raise when mappings, terms or tokens change in a way that the schema does not tell: every index is then built anew. */
const LAYOUT = '5';

/** What the index of a schema must have been made for. */
export function layoutOf(schema: SearchSchema): string {
  return `${LAYOUT} ${schema.fingerprint()}`;
}

/**
 * Names in the cluster. What is searched and written is an alias per entity type, `<prefix>.<entity>index_v2`; the
 * index behind it ends with the number of its generation. While a new generation is built, its indices have an alias
 * with `_next` at its end. A prefix has no dots, so catalogs that share a cluster do not meet.
 */
export class IndexNames {
  constructor(private readonly prefix: string) {}

  get state(): string {
    return `${this.prefix}.state`;
  }

  /** Aliases of all entity types. */
  get everything(): string {
    return `${this.prefix}.*index_v2`;
  }

  get everythingNext(): string {
    return `${this.prefix}.*index_v2_next`;
  }

  /** Every index behind the aliases. */
  get allIndices(): string {
    return `${this.prefix}.*index_v2_*`;
  }

  alias(entity: string): string {
    return `${this.prefix}.${entity.toLowerCase()}index_v2`;
  }

  next(alias: string): string {
    return `${alias}_next`;
  }

  /** The alias that is searched, of one of a build. */
  liveOf(next: string): string {
    return next.replace(/_next$/, '');
  }

  index(alias: string, generation: number): string {
    return `${alias}_${generation}`;
  }

  /** The generation of an index; NaN when its name is none of these. */
  generationOf(index: string): number {
    return Number(/index_v2_(\d+)$/.exec(index)?.[1] ?? NaN);
  }
}

const KEYWORD = { type: 'keyword' };
/** Counted in facets and trees: what that needs is made when what was written becomes visible, not by the next search. */
const COUNTED = { type: 'keyword', eager_global_ordinals: true };
const FOLDED = { type: 'keyword', doc_values: false };
/** Tokens made by the kernel, separated by blanks. Scores come from where a word stands, so no statistics are kept. */
const WORDS = {
  type: 'text',
  analyzer: 'whitespace',
  norms: false,
  index_options: 'positions',
  index_prefixes: { min_chars: 1, max_chars: 19 },
};

/** Values as one token each, found by their beginnings. */
const BEGINNINGS = { ...WORDS, index_options: 'docs' };

/** Between the last token of a value and the first of the next: more than a value has. */
export const VALUE_GAP = 1_000_000;
const VALUES_OF_WORDS = {
  type: 'text',
  analyzer: 'whitespace',
  norms: false,
  position_increment_gap: VALUE_GAP,
};

/** Settings and mappings of the index of one entity type. */
export function indexBody(fields: Iterable<SearchField>): { settings: object; mappings: object } {
  return {
    settings: {
      number_of_shards: 1,
      refresh_interval: '1s',
      // What is forgotten is as if it had never been: its version must not linger.
      gc_deletes: '0ms',
      // A catalog of any size keeps a copy when there is a second node, and is not yellow without one.
      auto_expand_replicas: '0-1',
      max_regex_length: 10_000,
      mapping: { total_fields: { limit: 10_000 } },
    },
    mappings: {
      dynamic: false,
      _source: { includes: ['urn', 'entity', 'seq', 'body'] },
      properties: {
        urn: KEYWORD,
        urn_l: FOLDED,
        entity: KEYWORD,
        seq: { type: 'long' },
        standing: { type: 'double' },
        whole: KEYWORD,
        last: FOLDED,
        slice: { type: 'long', index: false },
        paths: FOLDED,
        ...Object.fromEntries(allGroupColumns().map((column) => [column, COUNTED])),
        c: { properties: { words: WORDS, whole: BEGINNINGS, distance: { type: 'double', index: false } } },
        t: { properties: { name: WORDS, text: WORDS, minor: WORDS } },
        ...columns(fields),
        sp_k: KEYWORD,
        sp_s: KEYWORD,
        sp_l: FOLDED,
        sp_n: KEYWORD,
      },
    },
  };
}

function columns(fields: Iterable<SearchField>): object {
  const k: Record<string, object> = {};
  const l: Record<string, object> = {};
  const n: Record<string, object> = {};
  const w: Record<string, object> = {};
  for (const { name, kind, facet } of fields) {
    const column = columnName(name);
    if (isProse({ kind })) w[column] = VALUES_OF_WORDS;
    k[column] = facet ? COUNTED : KEYWORD;
    if (NUMBER_KINDS.has(kind)) n[column] = { type: 'double' };
    else l[column] = FOLDED;
  }
  return { k: { properties: k }, l: { properties: l }, n: { properties: n }, w: { properties: w } };
}
