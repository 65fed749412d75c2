import { read } from '../api.js';

const MODELS = 'openapi/v1/registry/models';
/** All that there is, on one page: there are fewer types and aspects. */
const ALL = 'count=1000';

/** Places of an aspect that name other entities. */
export interface Reference {
  // Such as `/owners/*/owner`.
  readonly path: string;
  readonly relationshipAnnotation: {
    readonly name: string;
    readonly validDestinationTypes: readonly string[];
    readonly isLineage: boolean;
  };
}

export interface Aspect {
  readonly name: string;
  readonly description: string;
  readonly timeseries: boolean;
  readonly recordName: string;
  readonly relationshipFieldSpecs: readonly Reference[];
}

/** A type of entities. */
export interface Kind {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly keyAspectName: string;
  readonly aspectSpecs: readonly Aspect[];
}

/** The part of JSON Schema that the service writes. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

export interface AspectDetail extends Aspect {
  readonly searchableFieldSpecs: ReadonlyArray<{
    readonly path: string;
    readonly searchableAnnotation: { readonly fieldName: string };
  }>;
  readonly schema: Schema;
}

/** Where the service says what a type is. */
export const kindPath = (type: string): string =>
  `${MODELS}/entity/specifications/${encodeURIComponent(type)}`;

/** Where the service says what types there are. */
export const KINDS_PATH = `${MODELS}/entity/specifications?${ALL}`;

/** Where the service says what an aspect is made of. */
export const aspectPath = (name: string): string =>
  `${MODELS}/aspect/specifications/${encodeURIComponent(name)}`;

export async function kindsOf(signal: AbortSignal): Promise<readonly Kind[]> {
  const { elements } = await read<{ elements: Kind[] }>(KINDS_PATH, signal);
  return elements.toSorted((a, b) => a.name.localeCompare(b.name));
}

export const aspectOf = (name: string, signal: AbortSignal): Promise<AspectDetail> =>
  read(aspectPath(name), signal);

/** An edge of the model: a field of an aspect that names entities of other types. */
export interface Edge {
  readonly relation: string;
  readonly aspect: string;
  readonly path: string;
  readonly lineage: boolean;
  /** The types at the other end. */
  readonly kinds: readonly string[];
}

const edge = (
  { name: aspect }: Aspect,
  { path, relationshipAnnotation }: Reference,
  kinds: string[],
): Edge => ({
  relation: relationshipAnnotation.name,
  aspect,
  path,
  lineage: relationshipAnnotation.isLineage,
  kinds: kinds.toSorted(),
});

/** What entities of a type refer to. */
export const referencesOf = ({ aspectSpecs }: Kind): Edge[] =>
  aspectSpecs.flatMap((aspect) =>
    aspect.relationshipFieldSpecs.map((one) =>
      edge(aspect, one, [...one.relationshipAnnotation.validDestinationTypes]),
    ),
  );

/** What refers to entities of a type. */
export function referrersOf(name: string, kinds: readonly Kind[]): Edge[] {
  const aspects = new Map(kinds.flatMap(({ aspectSpecs }) => aspectSpecs.map((one) => [one.name, one])));
  return [...aspects.values()].flatMap((aspect) =>
    aspect.relationshipFieldSpecs
      .filter((one) => one.relationshipAnnotation.validDestinationTypes.includes(name))
      .map((one) => edge(aspect, one, holdersOf(aspect.name, kinds))),
  );
}

/** The types whose entities can have an aspect. */
export const holdersOf = (aspect: string, kinds: readonly Kind[]): string[] =>
  kinds.filter(({ aspectSpecs }) => aspectSpecs.some(({ name }) => name === aspect)).map(({ name }) => name);

/** A field of an aspect, however deep. */
export interface FieldRow {
  /** As relationships and searches name it. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  readonly deprecated: boolean;
}

/** All fields of a schema, those of a record behind the field that holds it. A record inside of itself is not opened again. */
export function fieldsOf({ $defs = {}, ...schema }: Schema): FieldRow[] {
  const rows: FieldRow[] = [];
  const nameOf = ({ $ref }: Schema) => $ref?.replace('#/$defs/', '');
  const resolve = (one: Schema): Schema => {
    const name = nameOf(one);
    return name === undefined ? one : { ...$defs[name], ...one };
  };
  const walk = (record: Schema, path: string, above: readonly string[]) => {
    for (const [name, field] of Object.entries(record.properties ?? {})) {
      const at = `${path}/${name}`;
      const { description = '', deprecated = false } = resolve(field);
      rows.push({
        path: at,
        type: typeOf(field, resolve, nameOf),
        description,
        required: record.required?.includes(name) === true,
        deprecated,
      });
      enter(field, at, above);
    }
  };
  const enter = (field: Schema, path: string, above: readonly string[]) => {
    const name = nameOf(field);
    if (name !== undefined && above.includes(name)) return;
    const inside = name === undefined ? above : [...above, name];
    const whole = resolve(field);
    const elements = whole.items ?? whole.additionalProperties;
    if (typeof elements === 'object') enter(elements, `${path}/*`, inside);
    walk(whole, path, inside);
  };
  walk(resolve(schema), '', []);
  return rows;
}

/** A type in words: `array of common.Owner`, `string (urn)`, `A or B`. */
function typeOf(
  field: Schema,
  resolve: (schema: Schema) => Schema,
  nameOf: (schema: Schema) => string | undefined,
): string {
  const whole = resolve(field);
  if (whole.enum) return whole.enum.map(String).join(' or ');
  if (whole.items) return `array of ${typeOf(whole.items, resolve, nameOf)}`;
  if (typeof whole.additionalProperties === 'object')
    return `map of ${typeOf(whole.additionalProperties, resolve, nameOf)}`;
  const plain = whole.format === undefined ? whole.type : `${whole.type} (${whole.format})`;
  return nameOf(field) ?? plain ?? 'anything';
}
