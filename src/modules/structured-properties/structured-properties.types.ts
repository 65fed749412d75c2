import { createUnionType, Field, Float, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { entityTypeName } from '../../catalog/search/index.js';
import {
  AuditStamp,
  Entity,
  EntityObject,
  EntityType,
  optional,
  ResolvedAuditStamp,
} from '../graphql/index.js';
import { neutralName } from './property-definition.js';
import type { PropertyValue as Value } from './property-value.js';

export enum PropertyCardinality {
  SINGLE = 'SINGLE',
  MULTIPLE = 'MULTIPLE',
}
registerEnumType(PropertyCardinality, {
  name: 'PropertyCardinality',
  description: 'Whether an entity may hold one value of a property or several.',
});

@ObjectType('StringValue', { description: 'A string.' })
export class StringValue {
  @Field(() => String) stringValue!: string;
}

@ObjectType('NumberValue', { description: 'A number.' })
export class NumberValue {
  @Field(() => Float) numberValue!: number;
}

export const PropertyValueUnion = createUnionType({
  name: 'PropertyValue',
  description: 'A value of a structured property.',
  types: () => [StringValue, NumberValue] as const,
  resolveType: (value: StringValue | NumberValue) => ('stringValue' in value ? StringValue : NumberValue),
});

export function valueObject(value: Value): StringValue | NumberValue {
  return 'string' in value ? { stringValue: value.string } : { numberValue: value.double };
}

@ObjectType('AllowedValue', { description: 'A value that a property may hold.' })
export class AllowedValue {
  @Field(() => PropertyValueUnion) value!: StringValue | NumberValue;
  @Field(() => String, { nullable: true, description: 'What it means.' }) description!: string | null;
}

@ObjectType('DataTypeInfo', { description: 'What a data type is.' })
export class DataTypeInfo {
  @Field(() => String, { description: 'STRING, RICH_TEXT, NUMBER, DATE or URN.' }) type!: string;
  @Field(() => String, { description: 'Its name with the vendor word.' }) qualifiedName!: string;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) description!: string | null;
}

@EntityObject('dataType', 'A kind of values.', 'DataTypeEntity')
export class DataTypeEntity extends Entity {
  @Field(() => DataTypeInfo, { description: 'What it is.' })
  info(): DataTypeInfo {
    const info = this.value('dataTypeInfo');
    return { ...named(this.urn, info), type: neutralName(this.urn).toUpperCase() };
  }
}

@ObjectType('EntityTypeInfo', { description: 'What an entity type is.' })
export class EntityTypeInfo {
  @Field(() => EntityType) type!: EntityType;
  @Field(() => String, { description: 'Its name with the vendor word.' }) qualifiedName!: string;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) description!: string | null;
}

@EntityObject('entityType', 'A kind of entities.', 'EntityTypeEntity')
export class EntityTypeEntity extends Entity {
  @Field(() => EntityTypeInfo, { description: 'What it is.' })
  info(): EntityTypeInfo {
    const info = this.value('entityTypeInfo');
    const name = entityTypeName(neutralName(this.urn));
    const type = Object.hasOwn(EntityType, name) ? (name as EntityType) : EntityType.OTHER;
    return { ...named(this.urn, info), type };
  }
}

/** What stands in the URN, also under a vendor word that is not the service's own. */
function named(
  urn: string,
  info: { displayName?: string; description?: string } | undefined,
): { qualifiedName: string; displayName: string | null; description: string | null } {
  const [, , , ...id] = urn.split(':');
  return {
    qualifiedName: id.join(':'),
    displayName: info?.displayName ?? neutralName(urn),
    description: info?.description ?? null,
  };
}

@ObjectType('TypeQualifier', { description: 'Narrows the data type of a property.' })
export class TypeQualifier {
  @Field(() => [EntityTypeEntity], { nullable: true, description: 'What URNs may name.' })
  allowedTypes!: EntityTypeEntity[] | null;
}

@ObjectType('StructuredPropertyDefinition', {
  description: 'What a structured property may hold, and what it can be set on.',
})
export class StructuredPropertyDefinition {
  @Field(() => String, { description: 'Its name, the one in the URN.' }) qualifiedName!: string;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) description!: string | null;
  @Field(() => PropertyCardinality, optional) cardinality!: PropertyCardinality;
  @Field(() => [AllowedValue], {
    nullable: true,
    description: 'The only values allowed; any when null.',
  })
  allowedValues!: AllowedValue[] | null;
  @Field(() => DataTypeEntity) valueType!: DataTypeEntity;
  @Field(() => TypeQualifier, optional) typeQualifier!: TypeQualifier | null;
  @Field(() => [EntityTypeEntity]) entityTypes!: EntityTypeEntity[];
  @Field(() => [String], { nullable: true, description: 'URNs of the platforms whose assets can have it.' })
  allowedPlatforms!: string[] | null;
  @Field(() => Boolean, { description: 'Whether a value, once set, may no longer change.' })
  immutable!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Fourteen digits; a greater one marks a breaking change.',
  })
  version!: string | null;
  @Field(() => ResolvedAuditStamp, optional) created!: ResolvedAuditStamp | null;
  @Field(() => ResolvedAuditStamp, optional) lastModified!: ResolvedAuditStamp | null;
}

@ObjectType('StructuredPropertySettings', { description: 'Where a structured property is shown.' })
export class StructuredPropertySettings {
  @Field(() => Boolean) isHidden!: boolean;
  @Field(() => Boolean) showInSearchFilters!: boolean;
  @Field(() => Boolean) showInAssetSummary!: boolean;
  @Field(() => Boolean) hideInAssetSummaryWhenEmpty!: boolean;
  @Field(() => Boolean) showAsAssetBadge!: boolean;
  @Field(() => Boolean) showInColumnsTable!: boolean;
  @Field(() => AuditStamp, optional) lastModified!: AuditStamp | null;
}

@InputType('PropertyValueInput', { description: 'A value: one of the two.' })
export class PropertyValueInput {
  @Field(() => String, optional) stringValue?: string | null;
  @Field(() => Float, optional) numberValue?: number | null;
}

@InputType('AllowedValueInput', { description: 'A value that a property may hold: a string or a number.' })
export class AllowedValueInput extends PropertyValueInput {
  @Field(() => String, { nullable: true, description: 'What it means.' }) description?: string | null;
}

@InputType('TypeQualifierInput', { description: 'Narrows the data type of a new property.' })
export class TypeQualifierInput {
  @Field(() => [String], { nullable: true, description: 'URNs of the entity types that URNs may name.' })
  allowedTypes?: string[] | null;
}

@InputType('UpdateTypeQualifierInput', {
  description: 'Narrows the data type of a property less than before.',
})
export class UpdateTypeQualifierInput {
  @Field(() => [String], { nullable: true, description: 'URNs of further entity types that URNs may name.' })
  newAllowedTypes?: string[] | null;
}

@InputType('StructuredPropertySettingsInput', {
  description: 'Where to show a property; what is absent stays as it is.',
})
export class StructuredPropertySettingsInput {
  @Field(() => Boolean, optional) isHidden?: boolean | null;
  @Field(() => Boolean, optional) showInSearchFilters?: boolean | null;
  @Field(() => Boolean, optional) showInAssetSummary?: boolean | null;
  @Field(() => Boolean, optional) hideInAssetSummaryWhenEmpty?: boolean | null;
  @Field(() => Boolean, optional) showAsAssetBadge?: boolean | null;
  @Field(() => Boolean, optional) showInColumnsTable?: boolean | null;
}

@InputType('CreateStructuredPropertyInput', { description: 'A new structured property.' })
export class CreateStructuredPropertyInput {
  @Field(() => String, {
    nullable: true,
    description: 'The same as qualifiedName; a UUID when both are absent.',
  })
  id?: string | null;
  @Field(() => String, optional) qualifiedName?: string | null;
  @Field(() => String, optional) displayName?: string | null;
  @Field(() => String, optional) description?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Default false.' }) immutable?: boolean | null;
  @Field(() => String, { description: 'URN of the data type.' }) valueType!: string;
  @Field(() => TypeQualifierInput, optional) typeQualifier?: TypeQualifierInput | null;
  @Field(() => [AllowedValueInput], optional) allowedValues?: AllowedValueInput[] | null;
  @Field(() => PropertyCardinality, { nullable: true, description: 'Default SINGLE.' })
  cardinality?: PropertyCardinality | null;
  @Field(() => [String], { description: 'URNs of the entity types it can be set on.' })
  entityTypes!: string[];
  @Field(() => [String], optional) allowedPlatforms?: string[] | null;
  @Field(() => StructuredPropertySettingsInput, optional) settings?: StructuredPropertySettingsInput | null;
}

@InputType('UpdateStructuredPropertyInput', {
  description: 'What to change of a structured property, and to add to it. Nothing is taken away.',
})
export class UpdateStructuredPropertyInput {
  @Field(() => String) urn!: string;
  @Field(() => String, optional) displayName?: string | null;
  @Field(() => String, optional) description?: string | null;
  @Field(() => Boolean, optional) immutable?: boolean | null;
  @Field(() => UpdateTypeQualifierInput, optional) typeQualifier?: UpdateTypeQualifierInput | null;
  @Field(() => [AllowedValueInput], optional) newAllowedValues?: AllowedValueInput[] | null;
  @Field(() => Boolean, optional) setCardinalityAsMultiple?: boolean | null;
  @Field(() => [String], optional) newEntityTypes?: string[] | null;
  @Field(() => [String], optional) newAllowedPlatforms?: string[] | null;
  @Field(() => StructuredPropertySettingsInput, optional) settings?: StructuredPropertySettingsInput | null;
}

@InputType('DeleteStructuredPropertyInput', {
  description: 'Which structured property to delete permanently.',
})
export class DeleteStructuredPropertyInput {
  @Field(() => String) urn!: string;
}

@InputType('StructuredPropertyInputParams', { description: 'The values of one property.' })
export class StructuredPropertyInputParams {
  @Field(() => String) structuredPropertyUrn!: string;
  @Field(() => [PropertyValueInput]) values!: PropertyValueInput[];
}

@InputType('UpsertStructuredPropertiesInput', { description: 'All values that an asset is to have.' })
export class UpsertStructuredPropertiesInput {
  @Field(() => String) assetUrn!: string;
  @Field(() => [StructuredPropertyInputParams])
  structuredPropertyInputParams!: StructuredPropertyInputParams[];
}

@InputType('RemoveStructuredPropertiesInput', {
  description: 'Properties whose values are removed from an asset.',
})
export class RemoveStructuredPropertiesInput {
  @Field(() => String) assetUrn!: string;
  @Field(() => [String]) structuredPropertyUrns!: string[];
}
