import { Args, Context, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { placing, refuse } from '../../catalog/errors/index.js';
import { given } from '../../catalog/json/given.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import {
  attribution,
  auditStamp,
  Entity,
  MetadataAttribution,
  RequestContext,
  resolvedStamp,
} from '../graphql/index.js';
import {
  StructuredProperties,
  structuredProperties,
  StructuredPropertiesEntry,
  StructuredPropertyEntity,
} from './property-values.types.js';
import { DEFINITION_ASPECT, PROPERTY_TYPE, SETTINGS_ASPECT, VALUES_ASPECT } from './property-definition.js';
import type { PropertyValue } from './property-value.js';
import {
  StructuredPropertiesService,
  type AllowedValue,
  type PropertySettings,
} from './structured-properties.service.js';
import {
  CreateStructuredPropertyInput,
  DataTypeEntity,
  DeleteStructuredPropertyInput,
  EntityTypeEntity,
  NumberValue,
  PropertyCardinality,
  PropertyValueUnion,
  RemoveStructuredPropertiesInput,
  StringValue,
  StructuredPropertyDefinition,
  StructuredPropertySettings,
  UpdateStructuredPropertyInput,
  UpsertStructuredPropertiesInput,
  valueObject,
  type AllowedValueInput,
  type PropertyValueInput,
  type StructuredPropertySettingsInput,
} from './structured-properties.types.js';

/** Structured properties and their values. */
@Resolver()
export class StructuredPropertiesResolver {
  constructor(private readonly properties: StructuredPropertiesService) {}

  @Query(() => StructuredPropertyEntity, { nullable: true, description: 'Null when it does not exist.' })
  structuredProperty(@Context() context: RequestContext, @Args('urn', { type: () => String }) urn: string) {
    return context.find(urn, PROPERTY_TYPE);
  }

  @Mutation(() => StructuredPropertyEntity, { description: 'Defines a structured property.' })
  async createStructuredProperty(
    @Context() context: RequestContext,
    @Args('input') { typeQualifier, allowedValues, settings, ...input }: CreateStructuredPropertyInput,
  ) {
    const urn = await this.properties.create(context.principal, {
      ...given(input),
      valueType: input.valueType,
      entityTypes: input.entityTypes,
      allowedTypes: typeQualifier?.allowedTypes ?? undefined,
      allowedValues: allowedValues?.map((value, i) => allowed(value, `/allowedValues/${i}`)),
      settings: settingsOf(settings),
    });
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => StructuredPropertyEntity, {
    description: 'Changes how a property is described, and adds to what it allows.',
  })
  async updateStructuredProperty(
    @Context() context: RequestContext,
    @Args('input')
    { urn, typeQualifier, newAllowedValues, settings, ...input }: UpdateStructuredPropertyInput,
  ) {
    await this.properties.update(context.principal, urn, {
      ...given(input),
      newAllowedTypes: typeQualifier?.newAllowedTypes ?? undefined,
      newAllowedValues: newAllowedValues?.map((value, i) => allowed(value, `/newAllowedValues/${i}`)),
      settings: settingsOf(settings),
    });
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => Boolean, {
    description: 'Permanently deletes a property. Its values cannot be read from then on.',
  })
  async deleteStructuredProperty(
    @Context() { principal }: RequestContext,
    @Args('input') { urn }: DeleteStructuredPropertyInput,
  ): Promise<boolean> {
    await this.properties.delete(principal, urn);
    return true;
  }

  @Mutation(() => StructuredProperties, { description: 'Sets and replaces all values of an asset.' })
  async upsertStructuredProperties(
    @Context() context: RequestContext,
    @Args('input') { assetUrn, structuredPropertyInputParams: params }: UpsertStructuredPropertiesInput,
  ) {
    const values = params.map(({ structuredPropertyUrn, values: own }, i) => ({
      propertyUrn: structuredPropertyUrn,
      values: own.map((v, k) => valueOf(v, `/structuredPropertyInputParams/${i}/values/${k}`)),
    }));
    await placing(this.properties.replaceValues(context.principal, assetUrn, values), inValues);
    return this.valuesOf(context, assetUrn);
  }

  @Mutation(() => StructuredProperties, { description: 'Takes the values of some properties from an asset.' })
  async removeStructuredProperties(
    @Context() context: RequestContext,
    @Args('input') { assetUrn, structuredPropertyUrns }: RemoveStructuredPropertiesInput,
  ) {
    await placing(
      this.properties.removeValues(context.principal, assetUrn, structuredPropertyUrns),
      inRemoval,
    );
    return this.valuesOf(context, assetUrn);
  }

  private async valuesOf(context: RequestContext, urn: string): Promise<StructuredProperties> {
    context.refresh();
    const value = (await context.value(urn, VALUES_ASPECT)) ?? { properties: [] };
    return structuredProperties(value, urn, context) ?? { properties: [] };
  }
}

/** What a structured property says of itself. */
@Resolver(() => StructuredPropertyEntity)
export class StructuredPropertyEntityResolver {
  @ResolveField(() => StructuredPropertyDefinition, {
    nullable: true,
    description: 'What it may hold; null when the property does not exist.',
  })
  async definition(
    @Parent() { urn }: StructuredPropertyEntity,
    @Context() context: RequestContext,
  ): Promise<StructuredPropertyDefinition | null> {
    const value = await context.value(urn, DEFINITION_ASPECT);
    if (!value) return null;
    const types = value.typeQualifier?.['allowedTypes'];
    return {
      qualifiedName: value.qualifiedName,
      displayName: value.displayName ?? null,
      description: value.description ?? null,
      cardinality:
        value.cardinality === 'MULTIPLE' ? PropertyCardinality.MULTIPLE : PropertyCardinality.SINGLE,
      allowedValues:
        value.allowedValues?.map((entry) => ({
          value: valueObject(entry.value),
          description: entry.description ?? null,
        })) ?? null,
      valueType: context.entity(value.valueType) as DataTypeEntity,
      typeQualifier: types ? { allowedTypes: entityTypes(types, context) } : null,
      entityTypes: entityTypes(value.entityTypes, context),
      allowedPlatforms: value.allowedPlatforms ?? null,
      immutable: value.immutable ?? false,
      version: value.version ?? null,
      created: resolvedStamp(value.created, context),
      lastModified: resolvedStamp(value.lastModified, context),
    };
  }

  @ResolveField(() => StructuredPropertySettings, { nullable: true, description: 'Where it is shown.' })
  async settings(
    @Parent() { urn }: StructuredPropertyEntity,
    @Context() context: RequestContext,
  ): Promise<StructuredPropertySettings | null> {
    const value = await context.value(urn, SETTINGS_ASPECT);
    if (!value) return null;
    return {
      isHidden: value.isHidden ?? false,
      showInSearchFilters: value.showInSearchFilters ?? false,
      showInAssetSummary: value.showInAssetSummary ?? false,
      hideInAssetSummaryWhenEmpty: value.hideInAssetSummaryWhenEmpty ?? false,
      showAsAssetBadge: value.showAsAssetBadge ?? false,
      showInColumnsTable: value.showInColumnsTable ?? false,
      lastModified: auditStamp(value.lastModified),
    };
  }
}

/** The values of one property on an entity. */
@Resolver(() => StructuredPropertiesEntry)
export class StructuredPropertiesEntryResolver {
  @ResolveField(() => StructuredPropertyEntity, { description: 'The property.' })
  structuredProperty(@Parent() entry: StructuredPropertiesEntry): StructuredPropertyEntity {
    return entry.property;
  }

  @ResolveField(() => [PropertyValueUnion], { nullable: 'items', description: 'Its values, in their order.' })
  values(@Parent() { assignment }: StructuredPropertiesEntry): Array<StringValue | NumberValue> {
    return (assignment.values as PropertyValue[]).map(valueObject);
  }

  @ResolveField(() => MetadataAttribution, { nullable: true, description: 'How the values came to be.' })
  attribution(@Parent() { assignment, context }: StructuredPropertiesEntry): MetadataAttribution | null {
    return attribution(assignment.attribution, context);
  }

  @ResolveField(() => [Entity], {
    nullable: 'itemsAndList',
    description: 'What those values that are URNs name.',
  })
  valueEntities(@Parent() { assignment, context }: StructuredPropertiesEntry): Entity[] {
    return (assignment.values as PropertyValue[]).flatMap((value) =>
      'string' in value && tryParseUrn(value.string) ? [context.entity(value.string)] : [],
    );
  }
}

/** Where the input of `upsertStructuredProperties` says what a parameter of the service holds. */
const inValues = (pointer: string): string =>
  pointer
    .replace(/^\/asset$/, '/assetUrn')
    .replace(/^\/values/, '/structuredPropertyInputParams')
    .replace(/\/propertyUrn$/, '/structuredPropertyUrn');

/** The same of `removeStructuredProperties`. */
const inRemoval = (pointer: string): string =>
  pointer.replace(/^\/asset$/, '/assetUrn').replace(/^\/properties/, '/structuredPropertyUrns');

function entityTypes(urns: readonly string[], context: RequestContext): EntityTypeEntity[] {
  return urns.map((urn) => context.entity(urn) as EntityTypeEntity);
}

/** @throws CatalogError PARAMETER_INVALID unless it is one of the two */
function valueOf({ stringValue, numberValue }: PropertyValueInput, at: string): PropertyValue {
  const text = stringValue ?? undefined;
  const number = numberValue ?? undefined;
  if (text !== undefined && number === undefined) return { string: text };
  if (number !== undefined && text === undefined) return { double: number };
  throw refuse('PARAMETER_INVALID', 'a value is either a stringValue or a numberValue', at);
}

function allowed(input: AllowedValueInput, at: string): AllowedValue {
  return { value: valueOf(input, at), description: input.description ?? undefined };
}

function settingsOf(input: StructuredPropertySettingsInput | null | undefined): PropertySettings | undefined {
  return input ? given(input) : undefined;
}
