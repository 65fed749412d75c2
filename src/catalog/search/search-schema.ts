import { createHash } from 'node:crypto';
import type { EntitySpec, SearchFieldSpec, SearchKind } from '../model/specs.js';
import { ENTITY_TYPE_FIELD, NAME_ORDER_FIELD, REMOVED_FIELD, URN_FIELD } from './search-document.js';
import { STATIC_BOOST_FIELD } from './static-boost.js';

/** A field of the index, merged over all marks of that name. */
export interface SearchField {
  readonly name: string;
  readonly kind: SearchKind;
  readonly queryByDefault: boolean;
  readonly autocomplete: boolean;
  readonly facet: boolean;
  readonly facetName?: string;
  readonly boost: number;
  /** Says whether something has values: absent means false. */
  readonly presence: boolean;
  /** Factors on the static boost, by value; documents hold the result. */
  readonly weights?: Readonly<Record<string, number>>;
}

export type FieldMap = ReadonlyMap<string, SearchField>;

/** The name that people read above the values of a facet: `Tagged With`, else the name of the field in words. */
export function facetTitle({ name, facetName }: Pick<SearchField, 'name' | 'facetName'>): string {
  if (facetName !== undefined) return facetName;
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields of each entity type, as plain data. */
export type SchemaData = ReadonlyMap<string, FieldMap>;

/** Fields that a filter or `<field>:<value>` on the first one also looks into. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  tags: ['tags', 'fieldTags', 'editedFieldTags'],
  glossaryTerms: ['glossaryTerms', 'fieldGlossaryTerms', 'editedFieldGlossaryTerms'],
  fieldDescriptions: ['fieldDescriptions', 'editedFieldDescriptions'],
  description: ['description', 'editedDescription'],
  origin: ['origin', 'env'],
  env: ['env', 'origin'],
};

/** Forms of a field that clients ask for by name; one index field answers for all of them. */
const SUFFIX = /\.(keyword|delimited)$/;

const COMMON: readonly SearchField[] = [
  field(URN_FIELD, 'URN', { queryByDefault: true }),
  field(ENTITY_TYPE_FIELD, 'KEYWORD', { facet: true, facetName: 'Type' }),
  field(REMOVED_FIELD, 'BOOLEAN'),
  field(STATIC_BOOST_FIELD, 'DOUBLE'),
  field(NAME_ORDER_FIELD, 'KEYWORD'),
];

/** The field's kinds that hold numbers. */
export const NUMBER_KINDS: ReadonlySet<SearchKind> = new Set<SearchKind>(['COUNT', 'DOUBLE', 'DATETIME']);

/** From this boost on, a field holds names: equal names come first. */
export const NAME_BOOST = 4;
/** The boost of what is said about the parts of an entity, such as the columns of a dataset: less than all else. */
const PART_BOOST = 0.5;

/** What the documents of each entity type hold; derived from the model, the same for every engine. */
export class SearchSchema {
  private readonly byEntity: SchemaData;
  private readonly merged = new Map<string, FieldMap>();
  private print: string | undefined;

  constructor(entities: Iterable<EntitySpec>, data?: SchemaData) {
    this.byEntity = data ?? new Map([...entities].map((entity) => [entity.name, fieldsOf(entity)]));
  }

  /** The schema of which {@link data} told elsewhere. */
  static of(data: SchemaData): SearchSchema {
    return new SearchSchema([], data);
  }

  /** All that there is to it, to be sent to another thread. */
  get data(): SchemaData {
    return this.byEntity;
  }

  get entities(): string[] {
    return [...this.byEntity.keys()];
  }

  /** Fields of the entity types, merged; unknown ones add nothing. */
  fields(entities: readonly string[]): FieldMap {
    if (entities.length === 1) return this.byEntity.get(entities[0]!) ?? EMPTY;
    const key = [...entities].sort().join(',');
    let fields = this.merged.get(key);
    if (!fields) {
      const all = entities.flatMap((entity) => [...(this.byEntity.get(entity)?.values() ?? [])]);
      fields = mergeFields(all);
      // Callers choose the sets; the few that recur are worth keeping, the rest must not pile up.
      if (this.merged.size >= 64) this.merged.clear();
      this.merged.set(key, fields);
    }
    return fields;
  }

  /** What a name in a filter, sort or `<field>:<value>` stands for: suffix cut, group spelled out, unknown ones out. */
  lookup(name: string, entities: readonly string[]): SearchField[] {
    const known = this.fields(entities);
    const plain = known.has(name) ? name : name.replace(SUFFIX, '');
    const group = Object.hasOwn(GROUPS, plain) ? GROUPS[plain]! : [plain];
    return group.flatMap((member) => known.get(member) ?? []);
  }

  facets(entities: readonly string[]): SearchField[] {
    return [...this.fields(entities).values()].filter((f) => f.facet);
  }

  autocomplete(entities: readonly string[]): SearchField[] {
    return [...this.fields(entities).values()].filter((f) => f.autocomplete);
  }

  /** Fields that a search without a field name looks into. */
  queried(entities: readonly string[]): SearchField[] {
    return [...this.fields(entities).values()].filter((f) => f.queryByDefault);
  }

  /** Fields that hold names. */
  named(entities: readonly string[]): SearchField[] {
    return this.queried(entities).filter((f) => f.boost >= NAME_BOOST);
  }

  /** Changes when the same entities would give other documents: an index made for another one must be rebuilt. */
  fingerprint(): string {
    return (this.print ??= this.computePrint());
  }

  private computePrint(): string {
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const shape = [...this.byEntity]
      .map(([name, fields]) => ({ name, fields: [...fields.values()].sort(byName) }))
      .sort(byName);
    return createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 32);
  }
}

const EMPTY: FieldMap = new Map();

function field(name: string, kind: SearchKind, more: Partial<SearchField> = {}): SearchField {
  return {
    name,
    kind,
    queryByDefault: false,
    autocomplete: false,
    facet: false,
    boost: 1,
    presence: false,
    ...more,
  };
}

function fieldsOf(entity: EntitySpec): FieldMap {
  const marks = [...entity.aspects.values()].filter((a) => a.kind === 'versioned').flatMap((a) => a.search);
  // The common fields come first and keep their kind; `status` marks `removed` as well.
  return mergeFields([...COMMON, ...marks.flatMap(fieldsOfMark)]);
}

function fieldsOfMark(mark: SearchFieldSpec): SearchField[] {
  const main = field(mark.field, mark.kind, {
    queryByDefault: mark.queryByDefault,
    autocomplete: mark.autocomplete,
    facet: mark.facet,
    boost: boostOf(mark),
    ...(mark.facetName !== undefined && { facetName: mark.facetName }),
    ...(mark.weights !== undefined && { weights: mark.weights }),
  });
  // An alias is for filters and sorting; the text is searched under the field's own name already.
  const fields = [main, ...mark.aliases.map((name) => field(name, mark.kind, { boost: mark.boost }))];
  if (mark.hasValuesField !== undefined) {
    fields.push(field(mark.hasValuesField, 'BOOLEAN', { presence: true, facet: mark.hasValuesFacet }));
  }
  if (mark.numValuesField !== undefined) fields.push(field(mark.numValuesField, 'COUNT'));
  if (mark.modifiedAtField !== undefined) fields.push(field(mark.modifiedAtField, 'DATETIME'));
  return fields;
}

/** Texts inside a list of records tell about parts of the entity. */
function boostOf({ path, kind, boost }: SearchFieldSpec): number {
  const inParts = path.indexOf('*') >= 0 && path.at(-1) !== '*';
  return inParts && kind.startsWith('TEXT') ? Math.min(boost, PART_BOOST) : boost;
}

function mergeFields(fields: readonly SearchField[]): FieldMap {
  const merged = new Map<string, SearchField>();
  for (const next of fields) {
    const known = merged.get(next.name);
    merged.set(next.name, known ? mergeField(known, next) : next);
  }
  return merged;
}

function mergeField(a: SearchField, b: SearchField): SearchField {
  const facetName = a.facetName ?? b.facetName;
  const weights = a.weights ?? b.weights;
  return {
    name: a.name,
    kind: a.kind,
    queryByDefault: a.queryByDefault || b.queryByDefault,
    autocomplete: a.autocomplete || b.autocomplete,
    facet: a.facet || b.facet,
    boost: Math.max(a.boost, b.boost),
    presence: a.presence && b.presence,
    ...(facetName !== undefined && { facetName }),
    ...(weights !== undefined && { weights }),
  };
}
