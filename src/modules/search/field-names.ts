import {
  isNameLike,
  NESTED_FACET,
  type FacetResult,
  type FieldLookup,
  type ResolvedField,
  type SearchHit,
  type SearchResult,
} from '../../catalog/search/index.js';

/**
 * Translates names of fields, for one request, between those that clients use and those of the index. Most are the
 * same; a field that a `SearchFieldResolver` knows may have another name, and show its values in another way.
 */
export class FieldNames {
  private readonly byIndexName = new Map<string, ResolvedField>();

  constructor(
    /** By the name in the request. */
    private readonly resolved: ReadonlyMap<string, readonly ResolvedField[]>,
    /** Names of fields that must not be seen. */
    private readonly hidden: ReadonlySet<string>,
    private readonly others: FieldLookup,
  ) {
    for (const field of [...resolved.values()].flat()) this.byIndexName.set(field.name, field);
  }

  readonly lookup: FieldLookup = (name) => this.resolved.get(name) ?? this.others(name);

  /** The fields that resolvers know and whose names are of the form. */
  readonly named: FieldLookup = (pattern) =>
    [...this.resolved].flatMap(([name, fields]) => (isNameLike(name, pattern) ? fields : []));

  /** The index field of a sort, facet or fetch. Of a group, the field of that name alone. */
  inIndex(name: string): string | undefined {
    const [first] = this.lookup(name);
    if (first) return first.name;
    return this.resolved.has(name) || this.hidden.has(name) ? undefined : name;
  }

  /** The hits with matches in these fields alone, and those that are searched with them; of no fields, in any. */
  matchedIn<T extends SearchResult>(result: T, asked: readonly string[]): T {
    if (asked.length === 0) return result;
    const wanted = new Set(asked.flatMap((name) => this.lookup(name).map((field) => field.name)));
    const hits = result.hits.map((hit) => ({
      ...hit,
      matchedFields: hit.matchedFields.filter(({ name }) => wanted.has(name)),
    }));
    return { ...result, hits };
  }

  /** The result in the words of the client. */
  shown<T extends SearchResult>(result: T, facetFields: ReadonlyMap<string, readonly string[]>): T {
    if (this.byIndexName.size === 0) return result;
    return {
      ...result,
      hits: result.hits.map((hit) => this.hit(hit)),
      facets: result.facets.map((facet) => this.facet(facet, facetFields.get(facet.name) ?? [])),
    };
  }

  private hit(hit: SearchHit): SearchHit {
    const matchedFields = hit.matchedFields.map(({ name, value }) => ({
      name: this.name(name),
      value: this.label(name, value),
    }));
    if (!hit.fields) return { ...hit, matchedFields };
    const fields = Object.fromEntries(
      Object.entries(hit.fields).map(([name, values]) => {
        const label = this.byIndexName.get(name)?.label;
        return [this.name(name), label ? values.map((value) => label(String(value))) : values];
      }),
    );
    return { ...hit, matchedFields, fields };
  }

  private facet({ name, values }: FacetResult, fields: readonly string[]): FacetResult {
    if (!fields.some((field) => this.byIndexName.get(field)?.label)) return { name, values };
    const title = fields.length === 1 ? this.byIndexName.get(fields[0]!)?.facetName : undefined;
    return {
      name,
      ...(title !== undefined && { title }),
      values: values.map(({ value, count }) => {
        // The separator may occur in a value: only as many parts as there are fields.
        const parts = fields.length === 1 ? [value] : value.split(NESTED_FACET);
        const label = parts.map((part, i) => this.label(fields[i] ?? '', part)).join(NESTED_FACET);
        return { value: label, count };
      }),
    };
  }

  private name(indexName: string): string {
    return this.byIndexName.get(indexName)?.shownAs ?? indexName;
  }

  private label(indexName: string, value: string): string {
    return this.byIndexName.get(indexName)?.label?.(value) ?? value;
  }
}
