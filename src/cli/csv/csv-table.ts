import type { EntitySpec, Model } from '../../catalog/model/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import {
  DEFINITION_ASPECT,
  PROPERTY_URN,
  PropertyDefinition,
} from '../../modules/structured-properties/property-definition.js';
import type { ServiceClient } from '../service-client.js';
import type { CsvCatalog, Value } from './csv-catalog.js';
import type { CsvField } from './csv-field.js';
import { descriptionField } from './description-field.js';
import { ownerField } from './owner-field.js';
import { propertyField } from './property-field.js';
import { referenceField } from './reference-field.js';

/** The columns that say what a row is about. */
export const RESOURCE = 'resource';
export const SUBRESOURCE = 'subresource';

/** Which things a table says, in the order of its columns. */
export class CsvTable {
  private constructor(
    readonly model: Model,
    readonly fields: readonly CsvField[],
  ) {}

  /**
   * @param properties URNs of structured properties with their definitions
   * @param actor who changes
   */
  static of(
    model: Model,
    properties: ReadonlyMap<string, PropertyDefinition>,
    { delimiter, actor }: { delimiter: string; actor: string },
  ): CsvTable {
    const stamp = (): Value => ({ time: Date.now(), actor });
    const words = (model.definitions.get('common.OwnershipType')?.enum ?? []) as string[];
    const fields = [
      referenceField({
        ...{
          header: 'glossary_terms',
          aspect: 'glossaryTerms',
          list: 'terms',
          urn: 'urn',
          type: 'glossaryTerm',
        },
        ofColumns: true,
        also: () => ({ auditStamp: stamp() }),
      }),
      referenceField({
        ...{ header: 'tags', aspect: 'globalTags', list: 'tags', urn: 'tag', type: 'tag' },
        ofColumns: true,
      }),
      ownerField(words),
      descriptionField(stamp),
      referenceField({
        ...{ header: 'domain', aspect: 'domains', list: 'domains', type: 'domain' },
        ...{ ofColumns: false, bare: true, also: withoutOthers },
      }),
    ];
    // Spreadsheets write semicolons where numbers have commas.
    const comma = delimiter === ';';
    for (const [urn, definition] of properties) fields.push(propertyField(urn, definition, comma));
    return new CsvTable(model, fields);
  }

  get headers(): string[] {
    return this.fields.flatMap(({ headers }) => headers);
  }

  /** The same table with those of its fields that a file has. */
  of(columns: readonly string[]): CsvTable {
    const named = this.fields.filter(({ headers: [first = ''] }) => columns.includes(first));
    return new CsvTable(this.model, named);
  }

  /** Types of entities that have any of it. */
  types(): string[] {
    const has = (spec: EntitySpec): boolean => this.fields.some((field) => field.aspects(spec).length > 0);
    return [...this.model.entities.values()].filter(has).map(({ name }) => name);
  }

  /** What is read of entities of a type. @param columns whether rows are about columns as well */
  aspectsOf(type: string, columns: boolean): string[] {
    const spec = this.model.entities.get(type);
    if (spec === undefined) return [];
    const names = this.fields.flatMap((field) => field.aspects(spec));
    if (columns)
      names.push(...['schemaMetadata', 'editableSchemaMetadata'].filter((name) => spec.aspects.has(name)));
    return [...new Set([spec.key.name, ...names])];
  }
}

/** What is known of domains that are no more goes with them. */
function withoutOthers(next: Value): Value {
  const known = next['domainAssociations'] as Array<{ domain: string }> | undefined;
  const domains = next['domains'] as string[];
  if (known === undefined) return {};
  return {
    domainAssociations: domains.map((domain) => known.find((one) => one.domain === domain) ?? { domain }),
  };
}

/** The definitions of properties that columns are named after. */
export async function definitionsOf(
  catalog: CsvCatalog,
  urns: readonly string[],
): Promise<Map<string, PropertyDefinition>> {
  const found = await catalog.read(urns, () => [DEFINITION_ASPECT]);
  const definitions = new Map<string, PropertyDefinition>();
  for (const urn of urns) {
    const value = found.get(urn)?.aspects.get(DEFINITION_ASPECT)?.value;
    if (value) definitions.set(urn, new PropertyDefinition(value));
  }
  return definitions;
}

/** All properties that entities of these types can have; of none: of any. */
export async function definitionsFor(
  catalog: CsvCatalog,
  types: readonly string[],
): Promise<Map<string, PropertyDefinition>> {
  const definitions = new Map<string, PropertyDefinition>();
  const wanted = { entities: ['structuredProperty'], aspects: [DEFINITION_ASPECT], query: '*' };
  for await (const { urn, aspects } of catalog.list(wanted)) {
    const value = aspects.get(DEFINITION_ASPECT)?.value;
    const definition = value && new PropertyDefinition(value);
    if (definition && (types.length === 0 || types.some((type) => definition.appliesTo(type))))
      definitions.set(urn, definition);
  }
  return definitions;
}

export const isProperty = (column: string): boolean =>
  column.startsWith(PROPERTY_URN) && tryParseUrn(column) !== undefined;

/** Who the token belongs to. */
export async function actorOf(client: ServiceClient): Promise<string> {
  const { data } = await client.call<{ data?: { me?: { corpUser?: { urn?: string } } } }>('/api/graphql', {
    query: '{ me { corpUser { urn } } }',
  });
  return data?.me?.corpUser?.urn ?? 'urn:li:corpuser:unknown';
}
