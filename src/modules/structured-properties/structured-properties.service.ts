import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { EditContext } from '../../catalog/change/index.js';
import { CatalogError, placing, refuse, type ErrorDetail } from '../../catalog/errors/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { columnIn, sameNeutralName, tryParseUrn } from '../../catalog/urn/index.js';
import { EditService, IngestService, type AspectEdit } from '../ingest/index.js';
import {
  DEFINITION_ASPECT,
  PROPERTY_TYPE,
  PROPERTY_URN,
  SETTINGS_ASPECT,
  VALUES_ASPECT,
} from './property-definition.js';
import { immutableFault, repeatedAt, sameValue, valueText, type PropertyValue } from './property-value.js';
import { assignmentsOf } from './properties.js';

/** The most findings named in one refusal. */
const MAX_NAMED = 20;

export interface AllowedValue {
  readonly value: PropertyValue;
  readonly description?: string | undefined;
}

/** Where a property is shown; what is absent stays as it is. */
export type PropertySettings = Readonly<Record<string, boolean>>;

interface Column {
  readonly dataset: string;
  readonly path: string;
}

export interface NewProperty {
  readonly id?: string | undefined;
  readonly qualifiedName?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly immutable?: boolean | undefined;
  /** URN of the data type. */
  readonly valueType: string;
  readonly allowedTypes?: readonly string[] | undefined;
  readonly allowedValues?: readonly AllowedValue[] | undefined;
  readonly cardinality?: 'SINGLE' | 'MULTIPLE' | undefined;
  readonly entityTypes: readonly string[];
  readonly allowedPlatforms?: readonly string[] | undefined;
  readonly settings?: PropertySettings | undefined;
}

/** What is added to a definition; nothing is ever taken away. */
export interface PropertyAdditions {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly immutable?: boolean | undefined;
  readonly newAllowedTypes?: readonly string[] | undefined;
  readonly newAllowedValues?: readonly AllowedValue[] | undefined;
  readonly setCardinalityAsMultiple?: boolean | undefined;
  readonly newEntityTypes?: readonly string[] | undefined;
  readonly newAllowedPlatforms?: readonly string[] | undefined;
  readonly settings?: PropertySettings | undefined;
}

export interface NewValues {
  readonly propertyUrn: string;
  readonly values: readonly PropertyValue[];
}

type Value = AspectValues['propertyDefinition'];

/**
 * What people do with structured properties, in the words of the domain. Pointers of errors are paths into the
 * parameters: `/allowedValues/3/value`.
 */
@Injectable()
export class StructuredPropertiesService {
  constructor(
    private readonly edits: EditService,
    private readonly ingest: IngestService,
  ) {}

  /**
   * @returns the URN.
   * @throws CatalogError ENTITY_EXISTS, RULE_VIOLATED, REFERENCE_MISSING, ASPECT_INVALID
   */
  async create(principal: Principal, property: NewProperty): Promise<string> {
    const { id, qualifiedName, settings } = property;
    if (id !== undefined && qualifiedName !== undefined && id !== qualifiedName) {
      throw refuse('RULE_VIOLATED', 'Qualified name and the ID of a structured property must match', '/id');
    }
    const name = qualifiedName ?? id ?? randomUUID();
    const urn = PROPERTY_URN + name;
    const made = { urn, at: '', entity: 'any' } as const;
    const edits: AspectEdit[] = [
      {
        ...made,
        aspect: DEFINITION_ASPECT,
        what: 'definition',
        apply: (_, { exists }) => {
          if (exists) {
            const message = 'A structured property already exists with this urn';
            throw refuse('ENTITY_EXISTS', message, qualifiedName === undefined ? '/id' : '/qualifiedName');
          }
          return { ...definitionOf(name, property) };
        },
      },
    ];
    if (settings) edits.push(settingsEdit(made, settings));
    await this.edits.submit(principal, edits);
    return urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, RULE_VIOLATED, REFERENCE_MISSING, ASPECT_INVALID */
  async update(principal: Principal, urn: string, additions: PropertyAdditions): Promise<void> {
    const target = { urn, at: '' };
    this.edits.checkMentions([{ urn, at: '/urn', types: [PROPERTY_TYPE] }]);
    refuseRepeated(additions.newAllowedValues ?? []);
    let next: Value | undefined;
    const edits: AspectEdit[] = [
      {
        ...target,
        aspect: DEFINITION_ASPECT,
        what: 'definition',
        apply: (current) => {
          if (!current) throw refuse('ASPECT_NOT_FOUND', `${urn} has no definition`, '/urn');
          next = withAdditions(current as unknown as Value, additions);
          return { ...next };
        },
      },
    ];
    if (additions.settings) edits.push(settingsEdit(target, additions.settings));
    const added = (pointer: string): string =>
      next === undefined ? pointer : placeOfAddition(pointer, next, additions);
    await this.pointed(this.edits.submit(principal, edits), '/urn', added);
  }

  /**
   * Permanently deletes a property. Its values cannot be read from now on; they are removed in the background.
   * @throws CatalogError ENTITY_NOT_FOUND
   */
  async delete(principal: Principal, urn: string): Promise<void> {
    const at = '/urn';
    this.edits.checkMentions([{ urn, at, types: [PROPERTY_TYPE] }]);
    const { entity, urn: parsed } = this.edits.entity(urn, at);
    const [outcome] = await this.ingest.submit(principal, [
      {
        entity,
        urn: parsed,
        aspect: entity.key,
        changeType: 'DELETE',
        systemMetadata: {},
        pointer: at,
        valuePointer: '',
      },
    ]);
    if (outcome?.changed !== true) throw refuse('ENTITY_NOT_FOUND', `${urn} does not exist`, at);
  }

  /**
   * Sets and replaces all values of an asset that can be seen. A column comes to be with them if the schema has it.
   * @throws CatalogError ENTITY_NOT_FOUND, COLUMN_UNKNOWN, RULE_VIOLATED, REFERENCE_MISSING
   */
  async replaceValues(principal: Principal, asset: string, values: readonly NewValues[]): Promise<void> {
    const properties = values.map(({ propertyUrn, values: own }) => ({ propertyUrn, values: [...own] }));
    const column = columnOf(asset);
    const edit: AspectEdit = {
      ...this.valuesEdit(asset, async (_, context) => {
        if (column && !context.exists) await this.judgeColumn(column, context);
        return { properties };
      }),
      ...(column && { looksAtEntities: [column.dataset] }),
    };
    const place = (pointer: string): string => pointer.replace(/^\/properties/, '/values');
    await this.pointed(this.edits.submit(principal, [edit]), '/asset', place);
  }

  /** Takes the values of some properties away. @throws CatalogError ENTITY_NOT_FOUND, RULE_VIOLATED */
  async removeValues(principal: Principal, asset: string, properties: readonly string[]): Promise<void> {
    const mentions = properties.map((urn, i) => ({
      urn,
      at: `/properties/${i}`,
      types: [PROPERTY_TYPE],
    }));
    const edit = this.valuesEdit(asset, async (current, context) => {
      if (!current) return undefined;
      const held = assignmentsOf(current);
      const refused: ErrorDetail[] = [];
      for (const { urn, at } of mentions) {
        if (refused.length === MAX_NAMED || !held.some(({ propertyUrn }) => propertyUrn === urn)) continue;
        const definition = await context.aspectOf(urn, DEFINITION_ASPECT);
        // Refused anyway; but only this place knows where the client named it.
        if (definition?.['immutable'] === true) refused.push({ pointer: at, message: immutableFault(urn) });
      }
      const [first] = refused;
      if (first) throw new CatalogError('RULE_VIOLATED', `${asset}: ${first.message}`, refused);
      return { ...current, properties: held.filter(({ propertyUrn }) => !properties.includes(propertyUrn)) };
    });
    const existing: AspectEdit = { ...edit, entity: 'existing', mentions };
    await this.pointed(this.edits.submit(principal, [existing]), '/asset');
  }

  /** Whether the asset exists is judged by the policy of values: a column may come to be with them. */
  private valuesEdit(urn: string, apply: AspectEdit['apply']): AspectEdit {
    return {
      urn,
      at: '',
      aspect: VALUES_ASPECT,
      what: 'structured properties',
      entity: 'any',
      apply,
    };
  }

  /** That the dataset exists is judged by the policy of values. @throws CatalogError COLUMN_UNKNOWN */
  private async judgeColumn({ dataset, path }: Column, context: EditContext): Promise<void> {
    const paths = await this.edits.columns.pathsOf(dataset, context);
    if (!paths.has(path) && (await context.entityExists(dataset)))
      throw refuse('COLUMN_UNKNOWN', `${dataset} has no column "${path}"`, '');
  }

  /** Errors about the target, and about what is in the aspect, point to the parameter that said it. */
  private pointed(
    work: Promise<unknown>,
    target: string,
    place: (pointer: string) => string = (pointer) => pointer,
  ): Promise<unknown> {
    return placing(work, (pointer) => (pointer === '' ? target : place(pointer)));
  }
}

/** The column of a dataset that a URN names. */
function columnOf(urn: string): Column | undefined {
  const { parent: dataset = '', path = '' } = columnIn(urn) ?? {};
  return tryParseUrn(dataset)?.type === 'dataset' ? { dataset, path } : undefined;
}

function definitionOf(name: string, p: NewProperty): Value {
  return {
    qualifiedName: name,
    ...(p.displayName !== undefined && { displayName: p.displayName }),
    ...(p.description !== undefined && { description: p.description }),
    valueType: p.valueType,
    ...(p.allowedTypes && { typeQualifier: { allowedTypes: [...p.allowedTypes] } }),
    ...(p.allowedValues && { allowedValues: p.allowedValues.map(allowedEntry) }),
    cardinality: p.cardinality ?? 'SINGLE',
    entityTypes: [...p.entityTypes],
    ...(p.allowedPlatforms && { allowedPlatforms: [...p.allowedPlatforms] }),
    immutable: p.immutable ?? false,
  };
}

/** What stands in the definition already may be named again, to describe it anew; one request names a value once. */
function refuseRepeated(added: readonly AllowedValue[]): void {
  const values = added.map(({ value }) => value);
  const at = repeatedAt(values);
  if (at === undefined) return;
  const message = `the allowed value ${valueText(values[at]!)} is there twice`;
  throw refuse('RULE_VIOLATED', message, `/newAllowedValues/${at}`);
}

function withAdditions(current: Value, a: PropertyAdditions): Value {
  const next: Value = { ...current };
  if (a.displayName !== undefined) next.displayName = a.displayName;
  if (a.description !== undefined) next.description = a.description;
  if (a.immutable !== undefined) next.immutable = a.immutable;
  if (a.setCardinalityAsMultiple === true) next.cardinality = 'MULTIPLE';
  if (a.newEntityTypes) next.entityTypes = union(current.entityTypes, a.newEntityTypes);
  if (a.newAllowedPlatforms) next.allowedPlatforms = union(current.allowedPlatforms, a.newAllowedPlatforms);
  if (a.newAllowedTypes) {
    const types = union(current.typeQualifier?.['allowedTypes'], a.newAllowedTypes);
    next.typeQualifier = { ...current.typeQualifier, allowedTypes: types };
  }
  if (a.newAllowedValues) {
    const values = [...(current.allowedValues ?? [])] as AllowedValue[];
    for (const added of a.newAllowedValues) {
      const at = values.findIndex(({ value }) => sameValue(value, added.value));
      if (at < 0) values.push(allowedEntry(added));
      else values[at] = { ...values[at]!, ...allowedEntry(added) };
    }
    next.allowedValues = values.map(allowedEntry);
  }
  return next;
}

/** Where a client said what stands at a place of the definition; what stood there before is the property's own. */
function placeOfAddition(pointer: string, next: Value, a: PropertyAdditions): string {
  const [, path = '', index, rest = ''] =
    /^\/(allowedValues|entityTypes|allowedPlatforms|typeQualifier\/allowedTypes)(?:\/(\d+)(.*))?$/.exec(
      pointer,
    ) ?? [];
  if (path === '') return pointer;
  const name = path.replace(/[a-z]+$/i, (last) => `new${last[0]!.toUpperCase()}${last.slice(1)}`);
  if (index === undefined) return `/${name}`;
  const i = Number(index);
  const value = next.allowedValues?.[i]?.value;
  const lists: Record<string, () => number | undefined> = {
    allowedValues: () => value && a.newAllowedValues?.findIndex((added) => sameValue(added.value, value)),
    entityTypes: () => a.newEntityTypes?.indexOf(next.entityTypes[i] ?? ''),
    allowedPlatforms: () => a.newAllowedPlatforms?.indexOf(next.allowedPlatforms?.[i] ?? ''),
    'typeQualifier/allowedTypes': () =>
      a.newAllowedTypes?.indexOf(next.typeQualifier?.['allowedTypes']?.[i] ?? ''),
  };
  const at = lists[path]?.() ?? -1;
  return at < 0 ? '/urn' : `/${name}/${at}${rest}`;
}

function allowedEntry({ value, description }: AllowedValue): { value: PropertyValue; description?: string } {
  return { value, ...(description !== undefined && { description }) };
}

/** The URNs of both, each once; data types and entity types whatever their vendor word. */
function union(known: readonly string[] = [], added: readonly string[]): string[] {
  const all = [...known];
  for (const urn of added) if (!all.some((other) => sameNeutralName(other, urn))) all.push(urn);
  return all;
}

function settingsEdit(
  target: Pick<AspectEdit, 'urn' | 'at' | 'entity'>,
  settings: PropertySettings,
): AspectEdit {
  return {
    ...target,
    at: '/settings',
    aspect: SETTINGS_ASPECT,
    what: 'settings',
    apply: (current, { stamp }) => ({ ...current, ...settings, lastModified: stamp }),
  };
}
