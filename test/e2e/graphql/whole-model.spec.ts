import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { isRecord, Model, namesRecord, type JsonSchema } from '../../../src/catalog/model/index.js';
import {
  aspectFieldNames,
  entityTypeNamed,
  queryNamed,
} from '../../../src/modules/graphql/model-types/names.js';
import { Examples } from '../../../src/modules/openapi/examples/examples.js';
import { TestCatalog } from '../../harness/catalog.js';
import { importSample, SAMPLE, SAMPLE_LINES, type SampleLine } from '../../harness/sample.js';
import { data } from './support.js';

const model = Model.load();
const examples = new Examples(model, SAMPLE);
const entities = [...model.entities.values()];

let catalog: TestCatalog;
let schema: GraphQLSchema;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  schema = buildClientSchema(await data(catalog, getIntrospectionQuery()));
  // Other entities of this test have values of them.
  const isProperty = ({ entityType }: SampleLine) => entityType === 'structuredProperty';
  await importSample(catalog, SAMPLE_LINES.filter(isProperty));
});
afterAll(() => catalog.stop());

/** What to select of a value, and what must come back for it. */
interface Asked {
  readonly selection: string;
  readonly expected: unknown;
}

/** Fields that are hand-written, of types that the model completes. */
const COMPLETED: Readonly<Record<string, string>> = {
  AuditStamp: 'time actor',
  ChartInfo: 'name description customProperties externalUrl created lastModified inputs',
  ChartProperties: 'name description customProperties externalUrl created lastModified',
  ContainerProperties: 'name description customProperties externalUrl created lastModified qualifiedName',
  CorpGroupInfo: 'displayName description email slack admins members groups',
  CorpUserEditableProperties: 'displayName title aboutMe teams skills pictureLink slack phone email',
  CorpUserInfo:
    'active displayName email title fullName firstName lastName departmentName countryCode manager',
  ContractStatus: 'removed state',
  CorpUserProperties:
    'active displayName email title fullName firstName lastName departmentName countryCode manager',
  DashboardInfo: 'name description customProperties externalUrl created lastModified charts',
  DashboardProperties: 'name description customProperties externalUrl created lastModified',
  DataFlowProperties: 'name description customProperties externalUrl created lastModified project',
  DataJobProperties: 'name description customProperties externalUrl created lastModified',
  DataPlatformInstanceProperties: 'name description customProperties externalUrl created lastModified',
  DataProductProperties: 'name description customProperties externalUrl created lastModified',
  DatasetEditableProperties: 'name description',
  DatasetProperties:
    'name qualifiedName origin description customProperties externalUrl created lastModified',
  DocumentInfo: 'title created lastModified',
  DomainProperties: 'name description customProperties externalUrl created lastModified',
  GlossaryNodeProperties: 'name description customProperties',
  GlossaryTermInfo: 'name description definition termSource sourceRef sourceUrl customProperties rawSchema',
  GlossaryTermProperties:
    'name description definition termSource sourceRef sourceUrl customProperties rawSchema',
  MLFeatureProperties: 'name description customProperties externalUrl created lastModified',
  MLFeatureTableProperties: 'name description customProperties externalUrl created lastModified',
  MLModelGroupProperties: 'name description customProperties externalUrl created lastModified',
  MLModelProperties: 'name description customProperties externalUrl created lastModified',
  MLPrimaryKeyProperties: 'name description customProperties externalUrl created lastModified',
  MetadataAttribution: 'time actor source',
  SchemaField:
    'fieldPath label type nativeDataType description nullable recursive isPartOfKey isPartitioningKey jsonPath tags globalTags glossaryTerms schemaFieldEntity',
  SchemaMetadata: 'name version hash platformUrn datasetUrn fields primaryKeys createdAt',
  Status: 'removed',
};

/** Types that are hand-written as a whole: they have tests of their own. */
const HAND_WRITTEN = new Set(
  `AggregationMetadata ApplicationAssociation BrowsePath BrowsePathEntry BrowsePathV2 CorpGroupProperties CustomPropertiesEntry DataJobInputOutput DataPlatformProperties Deprecation DomainAssociation EditableDescription EditableSchemaFieldInfo EditableSchemaMetadata ExtraProperty FacetMetadata GlobalTags GlossaryTermAssociation GlossaryTerms InstitutionalMemory InstitutionalMemoryMetadata MatchedField Owner Ownership OwnershipTypeInfo QuerySubject RawAspect ResolvedAuditStamp SearchInsight SearchResult SearchSuggestion StructuredProperties StructuredPropertiesEntry SubTypes TagAssociation TagProperties ViewProperties DatasetProfile DataTypeInfo EntityTypeInfo StructuredPropertyDefinition StructuredPropertySettings`.split(
    /\s+/,
  ),
);

/** Fields that are hand-written, by type; undefined for a type that is made from the model. */
function handWritten(type: string): ReadonlySet<string> | undefined {
  const fields = COMPLETED[type]?.split(' ') ?? (HAND_WRITTEN.has(type) ? [] : undefined);
  return fields && new Set(fields);
}

const membersOf = (value: unknown): string => (isRecord(value) ? Object.keys(value).sort().join() : '');

/** The same, with lists whose elements have the same members: what is selected of a list is what its first one has. */
function alike(value: unknown): unknown {
  if (Array.isArray(value)) {
    const [first] = value.map(membersOf);
    return value.filter((element) => membersOf(element) === first).map(alike);
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, alike(member)]));
}

/** Everything below a stored value, in the form that the rules give it. */
function ask(type: GraphQLOutputType, value: unknown, given: JsonSchema): Asked {
  const named = getNamedType(type);
  let definition = given;
  let record: string | undefined;
  while (definition.$ref !== undefined) {
    record = definition.$ref;
    definition = model.definitions.get(definition.$ref)!;
  }
  if (named.name === 'CustomPropertiesEntry')
    return {
      selection: '{ key value }',
      expected: Object.entries(value as object).map(([key, text]) => ({ key, value: text })),
    };
  const byHand = handWritten(named.name);
  if (byHand && COMPLETED[named.name] === undefined && !implementsEntity(named))
    return { selection: '{ __typename }', expected: anyOf(named.name) };
  if (isInterfaceType(named) || implementsEntity(named))
    return { selection: '{ urn }', expected: entitiesOf(named.name, value) };
  if (Array.isArray(value)) {
    const [first] = value;
    const items = definition.items ?? {};
    if (first === undefined) return { selection: isObjectType(named) ? '{ __typename }' : '', expected: [] };
    const asked = value.map((element) => ask(named as GraphQLOutputType, element, items));
    return { selection: asked[0]!.selection, expected: asked.map(({ expected }) => expected) };
  }
  if (/MapEntry$/.test(named.name)) {
    const of = (named as GraphQLObjectType).getFields()['value']!.type;
    const entries = Object.entries(value as object).map(([key, inner]) => ({
      key,
      asked: ask(of, inner, definition.additionalProperties as JsonSchema),
    }));
    return {
      selection: entries[0] ? `{ key value ${entries[0].asked.selection} }` : '{ key }',
      expected: entries.map(({ key, asked }) => ({ key, value: asked.expected })),
    };
  }
  if (isUnionType(named)) {
    const [[member, inner]] = Object.entries(value as object) as [[string, unknown]];
    const found = definition['x-union']!.find((name) => namesRecord(member, name));
    if (!found?.includes('.')) return { selection: '{ __typename }', expected: expect.anything() };
    const of = named.getTypes().find(({ name }) => namesRecord(found, name) || found.endsWith(`.${name}`))!;
    const asked = ask(of, inner, { $ref: found });
    const fields = asked.selection === '' ? '' : `... on ${of.name} ${asked.selection}`;
    return {
      selection: `{ __typename ${fields} }`,
      expected: { ...(asked.expected as object), __typename: of.name },
    };
  }
  if (isObjectType(named)) {
    if (definition['x-union']) return ask(named, Object.values(value as object)[0], {});
    const parts = Object.entries(definition.properties ?? {}).flatMap(([name, inner]) => {
      const field = named.getFields()[name];
      if (!field) throw new Error(`${named.name} (${record}) has no field ${name}`);
      const found = (value as Record<string, unknown>)[name];
      if (found === undefined || byHand?.has(name)) return [];
      const asked = ask(field.type, found, inner);
      return [{ name, ...asked }];
    });
    if (parts.length === 0) return { selection: '{ __typename }', expected: { __typename: named.name } };
    return {
      selection: `{ ${parts.map(({ name, selection }) => `${name} ${selection}`).join(' ')} }`,
      expected: Object.fromEntries(parts.map(({ name, expected }) => [name, expected])),
    };
  }
  // A member of a union that is the only one, or one of texts.
  if (isRecord(value) && definition['x-union']) return { selection: '', expected: Object.values(value)[0] };
  if (isEnumType(named) && isRecord(value)) return { selection: '', expected: expect.any(String) };
  if (isRecord(value)) return { selection: '', expected: JSON.stringify(value) };
  return { selection: '', expected: value };
}

const anyOf = (type: string) => expect.objectContaining({ __typename: type });

/** What is of another type than the field has is left out. */
function entitiesOf(type: string, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((urn) => entitiesOf(type, urn)).filter((found) => found !== null);
  const urn = String(isRecord(value) ? Object.values(value)[0] : value);
  const entity = model.entities.get(urn.split(':')[2] ?? '');
  const fits = type === 'Entity' || (entity !== undefined && type === entityTypeNamed(entity));
  return fits ? { urn } : null;
}

function implementsEntity(type: unknown): boolean {
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Entity');
}

it('has a type and a query for every entity', () => {
  for (const entity of entities) {
    const type = schema.getType(entityTypeNamed(entity));
    expect([entity.name, implementsEntity(type)]).toEqual([entity.name, true]);
    const query = schema.getQueryType()!.getFields()[queryNamed(entity)];
    expect([entity.name, String(query?.type)]).toEqual([entity.name, entityTypeNamed(entity)]);
  }
});

describe.each(entities)('$name', (entity) => {
  const shipped = entity.name === 'dataType' || entity.name === 'entityType';
  const urn = shipped ? `urn:li:${entity.name}:acme.colour` : examples.urn(entity);
  const aspects = [...entity.aspects.values()].filter((aspect) => aspect !== entity.key);

  it('shows every aspect as it was written', async () => {
    const type = schema.getType(entityTypeNamed(entity)) as GraphQLObjectType;
    for (const aspect of aspects) {
      const where = `${entity.name} ${aspect.name}`;
      const value = alike(examples.value(entity, aspect)) as Record<string, unknown>;
      await catalog.ingest([urn, aspect.name, value]);
      // A short name that is the name of another aspect is the field of that one.
      const names = [...aspectFieldNames(entity, aspect), ...(SHOWN_AS[aspect.name] ?? [])].filter(
        (name) => name === aspect.name || !entity.has(name),
      );
      const field = names
        .map((name) => type.getFields()[name])
        .find((found) => found?.args.every(({ type: needed }) => !isNonNullType(needed)));
      if (aspect.secret) {
        expect([where, field?.name]).toEqual([where, undefined]);
        continue;
      }
      if (!field) throw new Error(`${where} has no field`);
      const stored = await catalog.get(
        `/openapi/v3/entity/${entity.name}/${encodeURIComponent(urn)}/${aspect.name}`,
      );
      const full = stored.body[aspect.name]?.value ?? value;
      const derived = isDerived(field.type);
      const counted = aspect.schema['x-graphql']?.counted;
      const within = getNamedType(field.type);
      const type0 = counted
        ? getNamedType((within as GraphQLObjectType).getFields()[counted.member]!.type)
        : within;
      const asked: Asked = derived
        ? ask(type0 as GraphQLOutputType, full, { $ref: aspect.record })
        : { selection: isCompositeType(within) ? '{ __typename }' : '', expected: undefined };
      const selection = counted ? `{ ${counted.member} ${asked.selection} }` : asked.selection;
      const answer = await data(
        catalog,
        `query($urn: String!) { found: ${queryNamed(entity)}(urn: $urn) { urn shown: ${field.name} ${selection} } }`,
        { urn },
      );
      const shown: unknown = answer.found.shown;
      expect([where, answer.found.urn]).toEqual([where, urn]);
      if (!derived) expect([where, shown === undefined]).toEqual([where, false]);
      else if (counted) expect([where, shown]).toEqual([where, { [counted.member]: [asked.expected] }]);
      else if (isListType(getNullableType(field.type)))
        expect([where, shown]).toEqual([where, [asked.expected]]);
      else expect([where, shown]).toEqual([where, asked.expected]);
    }
  });
});

/** Aspects whose hand-written field has another name. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = { browsePathsV2: ['browsePathV2'] };

/** Whether a field shows the record of an aspect as the rules say. */
function isDerived(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return !handWritten(named.name) && named.name !== 'Entity' && !implementsEntity(named);
}
