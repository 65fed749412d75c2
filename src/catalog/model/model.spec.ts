import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { parseUrn } from '../urn/urn.js';
import { bundleModel } from './bundle.js';
import { EntityKeyError } from './entity-keys.js';
import type { EntitySpec } from './specs.js';
import { Model } from './model.js';

const SOURCE_ROOT = fileURLToPath(new URL('../../', import.meta.url));
let model: Model;

beforeAll(() => {
  model = Model.load();
});

function entity(name: string): EntitySpec {
  const found = model.findEntity(name);
  if (!found) throw new Error(`no entity ${name}`);
  return found;
}

describe('the model that ships', () => {
  it('has every entity and aspect', () => {
    expect(model.entities.size).toBe(71);
    expect(model.aspects.size).toBe(266);
    expect(
      [...model.aspects.values()]
        .filter((a) => a.kind === 'timeseries')
        .map((a) => a.name)
        .sort(),
    ).toEqual([
      'assertionRunEvent',
      'chartUsageStatistics',
      'dashboardUsageStatistics',
      'dataProcessInstanceRunEvent',
      'datahubIngestionCheckpoint',
      'datahubIngestionRunSummary',
      'datasetProfile',
      'datasetUsageStatistics',
      'documentUsageStatistics',
      'operation',
      'queryUsageStatistics',
    ]);
  });

  it('compiles, every schema of it', () => {
    const documents = bundleModel(SOURCE_ROOT, (file) => file.slice(SOURCE_ROOT.length));
    expect(documents.length).toBeGreaterThan(71 + 266);
    expect(documents.some((d) => d.file === 'modules/tags/models/tag.entity.yaml')).toBe(true);
  });

  it('says what everything is for', () => {
    for (const spec of [...model.entities.values(), ...model.aspects.values()]) {
      expect([spec.name, spec.description.length > 10]).toEqual([spec.name, true]);
    }
  });

  it.each([
    ['dataset', 'datasetKey', ['platform', 'name', 'origin']],
    ['chart', 'chartKey', ['dashboardTool', 'chartId']],
    ['dashboard', 'dashboardKey', ['dashboardTool', 'dashboardId']],
    ['corpuser', 'corpUserKey', ['username']],
    ['corpGroup', 'corpGroupKey', ['name']],
    ['tag', 'tagKey', ['name']],
    ['glossaryTerm', 'glossaryTermKey', ['name']],
    ['structuredProperty', 'structuredPropertyKey', ['id']],
    ['schemaField', 'schemaFieldKey', ['parent', 'fieldPath']],
    ['dataPlatform', 'dataPlatformKey', ['platformName']],
  ])('gives %s the key %s', (name, key, fields) => {
    const spec = entity(name);
    expect(spec.key).toMatchObject({ name: key, keyOf: name, keyFields: fields });
    expect([...spec.aspects.keys()][0]).toBe(key);
    expect(spec.has(key)).toBe(true);
  });

  it('gives a structured property the aspects of the specification', () => {
    expect([...entity('structuredProperty').aspects.keys()].sort()).toEqual([
      'institutionalMemory',
      'propertyDefinition',
      'status',
      'structuredPropertyKey',
      'structuredPropertySettings',
    ]);
  });

  it('spells out the marks', () => {
    expect(model.aspects.get('tagProperties')?.search[0]).toEqual({
      path: ['name'],
      field: 'name',
      kind: 'WORD_GRAM',
      queryByDefault: true,
      autocomplete: true,
      facet: false,
      boost: 10,
      aliases: ['_entityName'],
      hasValuesFacet: false,
    });
    expect(model.aspects.get('globalTags')?.search[0]).toMatchObject({
      field: 'tags',
      facet: true,
      facetName: 'Tagged With',
    });
    expect(model.aspects.get('status')?.search[0]).toMatchObject({
      field: 'removed',
      kind: 'BOOLEAN',
      queryByDefault: false,
    });
    expect(model.aspects.get('ownership')?.relationships[0]).toEqual({
      path: ['owners', '*', 'owner'],
      name: 'OwnedBy',
      targets: ['corpuser', 'corpGroup'],
      lineage: false,
      upstream: true,
    });
    expect(model.aspects.get('upstreamLineage')?.relationships[0]).toMatchObject({
      name: 'DownstreamOf',
      lineage: true,
    });
    expect(model.aspects.get('propertyDefinition')?.urns[0]).toEqual({
      path: ['valueType'],
      targets: ['dataType'],
      strict: true,
      exist: true,
    });
    expect(model.aspects.get('corpUserInfo')?.search.find((row) => row.field === 'active')?.weights).toEqual({
      true: 2,
    });
  });

  it('makes a schema that stands on its own', () => {
    const tags = model.aspects.get('globalTags');
    const schema = tags && model.standaloneSchema(tags);
    expect(schema?.properties?.['tags']?.items).toEqual({ $ref: '#/$defs/common.TagAssociation' });
    expect(Object.keys(schema?.['$defs'] as object).sort()).toEqual([
      'common.MetadataAttribution',
      'common.TagAssociation',
    ]);
  });
});

describe('lookups', () => {
  it('ignore the case of names', () => {
    expect(model.findEntity('structuredproperty')?.name).toBe('structuredProperty');
    expect(model.findAspect(entity('dataset'), 'GLOBALTAGS')?.name).toBe('globalTags');
    expect(model.findAspect(entity('tag'), 'datasetProperties')).toBeUndefined();
    expect(model.findEntity('nothing')).toBeUndefined();
    expect(model.findEntity('constructor')).toBeUndefined();
  });

  it.each([
    ['com.acme.common.Status', 'status'],
    ['x.y.common.Status', 'status'],
    ['common.Status', 'status'],
    ['Status', 'status'],
    ['acme.metadata.key.CorpUserKey', 'corpUserKey'],
    ['acme.schema.SchemaMetadata', 'schemaMetadata'],
    ['acme.structured.StructuredPropertyDefinition', 'propertyDefinition'],
    ['acme.uncommon.Status', undefined],
    ['acme.common.Nothing', undefined],
    ['', undefined],
  ])('find the aspect of record %s: %s', (record, aspect) => {
    expect(model.findAspectByRecord(record)?.name).toBe(aspect);
  });

  it('find every aspect by its record, and every entity by its snapshot', () => {
    for (const aspect of model.aspects.values()) {
      expect(model.findAspectByRecord(`com.acme.${aspect.record}`)?.name).toBe(aspect.name);
    }
    for (const spec of model.entities.values()) {
      expect(model.findEntityBySnapshot(`com.acme.${model.snapshotRecord(spec)}`)?.name).toBe(spec.name);
    }
  });

  it.each([
    ['CorpUserSnapshot', 'corpuser'],
    ['CorpGroupSnapshot', 'corpGroup'],
    ['DatasetSnapshot', 'dataset'],
    ['ChartSnapshot', 'chart'],
    ['DashboardSnapshot', 'dashboard'],
    ['TagSnapshot', 'tag'],
  ])('find the entity of %s', (snapshot, name) => {
    expect(model.findEntityBySnapshot(`acme.metadata.snapshot.${snapshot}`)?.name).toBe(name);
    expect(model.snapshotRecord(entity(name))).toBe(`metadata.snapshot.${snapshot}`);
  });
});

describe('keys', () => {
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:kafka,SampleKafkaDataset,PROD)';

  it.each([
    [dataset, { platform: 'urn:li:dataPlatform:kafka', name: 'SampleKafkaDataset', origin: 'PROD' }],
    ['urn:li:chart:(looker,baz1)', { dashboardTool: 'looker', chartId: 'baz1' }],
    ['urn:li:corpuser:jdoe', { username: 'jdoe' }],
    ['urn:li:tag:(a,b)', { name: '(a,b)' }],
    [`urn:li:schemaField:(${dataset},user.id)`, { parent: dataset, fieldPath: 'user.id' }],
    ['urn:li:structuredProperty:io.acme.retention', { id: 'io.acme.retention' }],
  ])('of %s, both ways', (text, expected) => {
    const { entity: spec, key } = model.keyFromUrn(parseUrn(text));
    expect(key).toEqual(expected);
    expect(model.urnFromKey(spec, key)).toBe(text);
    expect(model.validate(spec.key, key)).toEqual([]);
  });

  it.each([
    ['urn:li:nothing:a', 'entity-type', 'unknown entity type "nothing"'],
    ['urn:li:dataset:a', 'parts', 'has the id (<platform>,<name>,<origin>), this one has 1 of 3 parts'],
    ['urn:li:dataset:(urn:li:dataPlatform:a,b,c,PROD)', 'parts', '4 of 3 parts'],
    ['urn:li:dataset:(urn:li:dataPlatform:a,,PROD)', 'part', 'part 2 (name)'],
    ['urn:li:dataset:(urn:li:dataPlatform:a,b,NOWHERE)', 'part', 'must be one of DEV, TEST'],
    ['urn:li:dataset:(kafka,b,PROD)', 'part', 'part 1 (platform)'],
    ['urn:li:dataset:(urn:li:tag:kafka,b,PROD)', 'part', 'must be the URN of a dataPlatform'],
    ['urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:a,b,NOWHERE),f)', 'part', 'is no whole URN'],
  ])('of %s are refused', (text, reason, message) => {
    try {
      model.keyFromUrn(parseUrn(text));
      throw new Error('was accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(EntityKeyError);
      expect(error).toMatchObject({ reason });
      expect((error as Error).message).toContain(message);
    }
  });

  it('that would not be read back are refused', () => {
    const key = { platform: 'urn:li:dataPlatform:a', name: 'b,c', origin: 'PROD' };
    expect(() => model.urnFromKey(entity('dataset'), key)).toThrow(EntityKeyError);
    expect(() => model.urnFromKey(entity('dataset'), { ...key, name: 'b)(' })).toThrow(EntityKeyError);
    expect(() => model.urnFromKey(entity('dataset'), {})).toThrow('needs "platform"');
    expect(() => model.urnFromKey(entity('tag'), { name: ' a ' })).toThrow(EntityKeyError);
  });

  it('of any entity go round', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
    for (const spec of model.entities.values()) {
      const arbitraries = (spec.key.keyFields ?? []).map((field) => {
        const schema = spec.key.schema.properties?.[field];
        if (schema?.format === 'urn') return word.map((w) => `urn:li:dataPlatform:${w}`);
        return schema?.$ref === 'common.FabricType' ? fc.constantFrom('PROD', 'DEV') : word;
      });
      // The flow of a data job is a URN of three parts of its own.
      if (spec.name === 'dataJob') arbitraries[0] = fc.constant('urn:li:dataFlow:(airflow,daily,prod)');
      fc.assert(
        fc.property(fc.tuple(...arbitraries), (values) => {
          const key = Object.fromEntries((spec.key.keyFields ?? []).map((field, i) => [field, values[i]]));
          const urn = model.urnFromKey(spec, key);
          expect(model.keyFromUrn(parseUrn(urn))).toEqual({ entity: spec, key });
        }),
        { numRuns: 5 },
      );
    }
  });
});
