import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import {
  ALL,
  isNameLike,
  isPropertyField,
  PROPERTY_FIELD_PREFIX,
  SearchFieldResolver,
  SearchIndex,
  URN_FIELD,
  type FieldTest,
  type QueryNode,
  type ResolvedField,
} from '../../catalog/search/index.js';
import type { SearchKind } from '../../catalog/model/index.js';
import { MAX_URN_BYTES } from '../../catalog/urn/index.js';
import { PROPERTY_TYPE, PROPERTY_URN, VALUE_TYPES, type ValueType } from './property-definition.js';
import { dayOf, numberText } from './property-value.js';
import { fieldClaim, indexField } from './field-names.js';
import { Properties } from './properties.js';
import { isShown, type PropertyState } from './property-cache.js';
import { CommittedProperties } from './committed-properties.js';

/** The most properties that the form of a name may stand for: each is looked into. */
const MAX_NAMED = 1000;
/** The most properties offered as search filters: each is counted by every search that asks for them. */
const MAX_OFFERED = 100;

const SUFFIX = /\.(keyword|delimited)$/;
const VERSIONED_WORD = '_versioned';
const VERSIONED = new RegExp(`^${VERSIONED_WORD}\\.(.+)\\.([0-9]{14})\\.(${VALUE_TYPES.join('|')})$`);

const KINDS: Readonly<Record<ValueType, SearchKind>> = {
  string: 'KEYWORD',
  rich_text: 'KEYWORD',
  urn: 'KEYWORD',
  number: 'DOUBLE',
  date: 'DATETIME',
};

/**
 * The search fields of structured properties: `structuredProperties.<name>` with its dots or with underscores for
 * them, and `structuredProperties._versioned.<name>.<version>.<type>`. A property that does not exist, or not in that
 * version, has no field: nothing is found by it.
 * Source: specification, "OpenAPI structured property search rules"; reference behaviour, 5.3.
 */
@Injectable()
export class PropertyFieldLookup extends SearchFieldResolver {
  constructor(
    private readonly properties: Properties,
    private readonly repository: CommittedProperties,
    private readonly index: SearchIndex,
  ) {
    super();
  }

  async resolve(name: string): Promise<readonly ResolvedField[] | undefined> {
    if (!isPropertyField(name)) return undefined;
    const state = await this.find(name.slice(PROPERTY_FIELD_PREFIX.length));
    if (state?.exists !== true || !state.definition?.type) return [];
    if (state.removed) {
      throw refuse('FILTER_INVALID', `Cannot filter on deleted Structured Property [${state.urn}]`);
    }
    const { type, value } = state.definition;
    const title = value['displayName'];
    const field: ResolvedField = {
      name: indexField(state),
      shownAs: name,
      kind: KINDS[type],
      queryByDefault: false,
      autocomplete: false,
      facet: true,
      ...(typeof title === 'string' && { facetName: title }),
      boost: 1,
      presence: false,
      label: (value) => labelOf(value, type),
    };
    return isShown(state) ? [field] : [];
  }

  /** Those whose settings say `showInSearchFilters`, as the index knows them. */
  override async offered(): Promise<readonly string[]> {
    const test: FieldTest = { is: 'equal', values: [true] };
    return this.listed({ op: 'field', field: 'showInSearchFilters', test }, MAX_OFFERED);
  }

  override async named(pattern: string): Promise<readonly string[]> {
    const within = pattern.slice(0, pattern.indexOf('*'));
    if (!isPropertyField(within) && !PROPERTY_FIELD_PREFIX.startsWith(within)) return [];
    const all = await this.listed(ALL, MAX_NAMED + 1);
    if (all.length <= MAX_NAMED) {
      const versions = pattern.includes(VERSIONED_WORD) ? await this.versionedNames(all) : [];
      const spellings = all.map((name, i) => [name, underscored(name), versions[i] ?? name]);
      return spellings.flatMap((names) => names.find((name) => isNameLike(name, pattern)) ?? []);
    }
    throw refuse(
      'FILTER_INVALID',
      `"${pattern}" is looked for among the structured properties, and there are more than ${MAX_NAMED}`,
    );
  }

  private async listed(filter: QueryNode, count: number): Promise<string[]> {
    const { hits } = await this.index.search({
      entities: [PROPERTY_TYPE],
      query: ALL,
      filter,
      includeRemoved: false,
      sort: [{ field: URN_FIELD, descending: false }],
      start: 0,
      count,
      facets: [],
      maxFacetValues: 1,
      matchedFields: false,
    });
    return hits.map(({ urn }) => PROPERTY_FIELD_PREFIX + urn.slice(PROPERTY_URN.length));
  }

  /** The names that the fields of properties have for the version of their definition, where it has one. */
  private async versionedNames(names: readonly string[]): Promise<Array<string | undefined>> {
    const urns = names.map((name) => PROPERTY_URN + name.slice(PROPERTY_FIELD_PREFIX.length));
    const states = await this.properties.committed(urns);
    return names.map((name, i) => {
      const { version, type } = states.get(urns[i]!)?.definition ?? {};
      const plain = underscored(name).slice(PROPERTY_FIELD_PREFIX.length);
      return version && type && `${PROPERTY_FIELD_PREFIX}${VERSIONED_WORD}.${plain}.${version}.${type}`;
    });
  }

  private async find(name: string): Promise<PropertyState | undefined> {
    const plain = name.replace(SUFFIX, '');
    for (const candidate of name === plain ? [name] : [name, plain]) {
      const found = (await this.byName(candidate)) ?? (await this.versioned(candidate));
      if (found) return found;
    }
    return undefined;
  }

  private async byName(name: string): Promise<PropertyState | undefined> {
    if (Buffer.byteLength(name) > MAX_URN_BYTES || name === '') return undefined;
    const urn = await this.repository.ownerOf(fieldClaim(name));
    return urn === undefined ? undefined : (await this.properties.committed([urn])).get(urn);
  }

  /** Only the version that the definition has now: values of others are not to be read. */
  private async versioned(name: string): Promise<PropertyState | undefined> {
    const [, property, version, type] = VERSIONED.exec(name) ?? [];
    if (property === undefined) return undefined;
    const state = await this.byName(property);
    const { definition } = state ?? {};
    return definition?.version === version && definition?.type === type ? state : undefined;
  }
}

/** The name of a field with the dots of the property as underscores. */
function underscored(name: string): string {
  return PROPERTY_FIELD_PREFIX + name.slice(PROPERTY_FIELD_PREFIX.length).replaceAll('.', '_');
}

/** A value of the index as clients know it. */
function labelOf(value: string, type: ValueType): string {
  const number = Number(value);
  if (type === 'number') return numberText(number);
  return type === 'date' && Number.isFinite(number) ? dayOf(number) : value;
}
