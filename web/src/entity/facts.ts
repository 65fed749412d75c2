import type { RawAspect } from './raw-aspects.js';

/** Values of aspects as they are stored, by the name of the aspect. */
export type Aspects = Readonly<Record<string, unknown>>;

export interface Column {
  path: string;
  /** In the words of its platform. */
  type: string;
  description?: string | undefined;
  key: boolean;
  nullable: boolean;
  tags: string[];
  terms: string[];
}

export interface Owner {
  readonly urn: string;
  /** URN of the kind of ownership. */
  readonly type: string;
}

export interface Deprecation {
  readonly note: string;
  readonly replacement?: string;
  /** Milliseconds since the epoch. */
  readonly decommissionTime?: number;
}

/** A link to documentation. */
export interface EntityLinkTo {
  readonly url: string;
  readonly label: string;
  /** Whether previews of the entity show it too; absent where it was never set. */
  readonly preview?: boolean;
}

/** Values of a structured property. */
export interface Assigned {
  readonly urn: string;
  readonly values: ReadonlyArray<string | number>;
}

/** What most types of entities have in common. */
export interface Facts {
  description?: string | undefined;
  owners: Owner[];
  tags: string[];
  terms: string[];
  domains: string[];
  links: EntityLinkTo[];
  structured: Assigned[];
  custom: Array<[string, string]>;
  subTypes: string[];
  deprecation?: Deprecation | undefined;
  removed: boolean;
  columns: Column[];
}

/** Aspects that the page shows in places of their own. */
const SHOWN = new Set([
  'ownership',
  'globalTags',
  'glossaryTerms',
  'domains',
  'institutionalMemory',
  'structuredProperties',
  'subTypes',
  'deprecation',
  'status',
  'schemaMetadata',
  'editableSchemaMetadata',
  'browsePaths',
]);

export function parseAspects(raw: readonly RawAspect[]): Aspects {
  return Object.fromEntries(
    raw.map(({ aspectName, payload }) => [aspectName, JSON.parse(payload ?? 'null') as unknown]),
  );
}

/** What remains to be shown as it is: neither keys nor what has a place of its own. */
export function othersOf(aspects: Aspects): Array<[string, unknown]> {
  return Object.entries(aspects).filter(([name]) => !SHOWN.has(name) && !name.endsWith('Key'));
}

/** A field of a value, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
const texts = (values: unknown[]): string[] => values.map(text).filter((one) => one !== undefined);
const unique = (values: string[]): string[] => [...new Set(values)];

const tagsOf = (value: unknown) => texts(list(at(value, 'tags')).map((one) => at(one, 'tag')));
const termsOf = (value: unknown) => texts(list(at(value, 'terms')).map((one) => at(one, 'urn')));

/** What people wrote comes before what was ingested. */
export function descriptionOf(aspects: Aspects): string | undefined {
  const names = Object.keys(aspects).filter((name) => !SHOWN.has(name));
  names.sort((a, b) => Number(/editable/i.test(b)) - Number(/editable/i.test(a)));
  for (const name of names) {
    const found =
      text(at(aspects[name], 'description')) ??
      text(at(aspects[name], 'definition')) ??
      text(at(aspects[name], 'aboutMe'));
    if (found !== undefined) return found;
  }
  return text(at(list(at(aspects['documentation'], 'documentations'))[0], 'documentation'));
}

/** Types whose own description people edit, rather than one beside it. */
const OWN = new Set(['tag', 'domain', 'glossaryTerm', 'glossaryNode', 'dataProduct']);

/** What people wrote, without what was ingested. */
export function writtenDescription(aspects: Aspects, urn: string): string {
  if (OWN.has(urn.split(':')[2] ?? '')) return descriptionOf(aspects) ?? '';
  const theirs = Object.entries(aspects).filter(([name]) => /^(editable|corpGroupEditable)/.test(name));
  return descriptionOf(Object.fromEntries(theirs)) ?? '';
}

/** The kind of ownership of a stored owner: older writers name it by a word. */
export const ownershipTypeOf = (owner: unknown): string =>
  text(at(owner, 'typeUrn')) ??
  `urn:li:ownershipType:__system__${(text(at(owner, 'type')) ?? 'NONE').toLowerCase()}`;

const present = (name: string, value: unknown) =>
  value === undefined || value === null ? {} : { [name]: value };

/** What people say about the columns, by their paths. */
const editedColumns = (aspects: Aspects): ReadonlyMap<unknown, unknown> =>
  new Map(
    list(at(aspects['editableSchemaMetadata'], 'editableSchemaFieldInfo')).map((one) => [
      at(one, 'fieldPath'),
      one,
    ]),
  );

/** What people say about a column. */
export function editedColumn(aspects: Aspects, path: string) {
  const edit = editedColumns(aspects).get(path);
  return {
    description: text(at(edit, 'description')) ?? '',
    tags: tagsOf(at(edit, 'globalTags')),
    terms: termsOf(at(edit, 'glossaryTerms')),
  };
}

function columnsOf(aspects: Aspects): Column[] {
  const edited = editedColumns(aspects);
  return list(at(aspects['schemaMetadata'], 'fields')).map((field) => {
    const edit = edited.get(at(field, 'fieldPath'));
    return {
      path: text(at(field, 'fieldPath')) ?? '',
      type: text(at(field, 'nativeDataType')) ?? '',
      description: text(at(edit, 'description')) ?? text(at(field, 'description')),
      key: at(field, 'isPartOfKey') === true,
      nullable: at(field, 'nullable') === true,
      tags: unique([...tagsOf(at(field, 'globalTags')), ...tagsOf(at(edit, 'globalTags'))]),
      terms: unique([...termsOf(at(field, 'glossaryTerms')), ...termsOf(at(edit, 'glossaryTerms'))]),
    };
  });
}

/** What the schema of a table says of one of its columns, with what people wrote there. */
export const columnIn = (table: Aspects, path: string): Column | undefined =>
  columnsOf(table).find((column) => column.path === path);

/** What is known of a column as an entity, and by its table. */
export const withColumn = (own: Facts, { description, tags, terms }: Column): Facts => ({
  ...own,
  description: description ?? own.description,
  tags: unique([...tags, ...own.tags]),
  terms: unique([...terms, ...own.terms]),
});

export function factsOf(aspects: Aspects): Facts {
  const custom = Object.values(aspects).flatMap((value) =>
    Object.entries((at(value, 'customProperties') ?? {}) as Record<string, unknown>),
  );
  const deprecation = aspects['deprecation'];
  return {
    description: descriptionOf(aspects),
    owners: list(at(aspects['ownership'], 'owners')).flatMap((one) => {
      const urn = text(at(one, 'owner'));
      return urn === undefined ? [] : [{ urn, type: ownershipTypeOf(one) }];
    }),
    tags: tagsOf(aspects['globalTags']),
    terms: termsOf(aspects['glossaryTerms']),
    domains: texts(list(at(aspects['domains'], 'domains'))),
    links: list(at(aspects['institutionalMemory'], 'elements')).flatMap((one) => {
      const url = text(at(one, 'url'));
      const preview = at(one, 'settings', 'showInAssetPreview');
      return url === undefined
        ? []
        : [
            {
              url,
              label: text(at(one, 'description')) ?? '',
              ...(typeof preview === 'boolean' && { preview }),
            },
          ];
    }),
    structured: list(at(aspects['structuredProperties'], 'properties')).flatMap((one) => {
      const urn = text(at(one, 'propertyUrn'));
      const values = list(at(one, 'values')).map(
        (value) => at(value, 'string') ?? at(value, 'double') ?? value,
      );
      return urn === undefined
        ? []
        : [{ urn, values: values.map((value) => (typeof value === 'number' ? value : String(value))) }];
    }),
    custom: custom.map(([name, value]) => [name, String(value)]),
    subTypes: texts(list(at(aspects['subTypes'], 'typeNames'))),
    deprecation:
      at(deprecation, 'deprecated') === true
        ? {
            note: text(at(deprecation, 'note')) ?? '',
            ...present('replacement', at(deprecation, 'replacement')),
            ...present('decommissionTime', at(deprecation, 'decommissionTime')),
          }
        : undefined,
    removed: at(aspects['status'], 'removed') === true,
    columns: columnsOf(aspects),
  };
}
