import { describe, expect, it } from '@jest/globals';
import { model, schema } from '../../../test/conformance/search-fixture.js';
import { entityTypeName } from './entity-type-name.js';
import { facetTitle, SearchSchema } from './search-schema.js';

const names = (name: string, ...entities: string[]) => schema.lookup(name, entities).map((f) => f.name);

describe('search schema', () => {
  it('merges the marks of all aspects of an entity type', () => {
    expect(schema.fields(['dataset']).get('name')).toMatchObject({
      kind: 'WORD_GRAM',
      boost: 10,
      autocomplete: true,
    });
    expect(schema.fields(['dataset']).get('origin')).toMatchObject({ facet: true, facetName: 'Environment' });
    expect(schema.fields(['dataset']).get('hasOwners')).toMatchObject({ kind: 'BOOLEAN', presence: true });
    expect(schema.facets(['dataset']).map((f) => f.name)).toEqual(
      expect.arrayContaining(['_entityType', 'tags', 'owners', 'origin', 'typeNames', 'domains']),
    );
    expect(schema.queried(['dataset']).map((f) => f.name)).toContain('fieldPaths');
  });

  it('has a name for people for each facet', () => {
    const fields = schema.fields(['dataset']);
    expect(['tags', 'hasSiblings', 'typeNames'].map((name) => facetTitle(fields.get(name)!))).toEqual([
      'Tagged With',
      'Has Siblings',
      expect.stringMatching(/^[A-Z]/),
    ]);
  });

  it('knows nothing of other entity types', () => {
    expect(schema.fields(['tag']).has('fieldPaths')).toBe(false);
    expect(schema.fields(['nonesuch']).size).toBe(0);
    expect(schema.fields(['tag', 'dataset']).has('fieldPaths')).toBe(true);
  });

  it('spells out groups, as far as the entity types have them', () => {
    expect(names('tags', 'dataset')).toEqual(expect.arrayContaining(['tags', 'fieldTags']));
    expect(names('tags', 'corpuser')).toEqual(['tags']);
    expect(names('env', 'dataset')).toContain('origin');
    expect(names('origin', 'dashboard', 'container')).toContain('env');
    expect(names('description', 'dataset')).toEqual(['description', 'editedDescription']);
  });

  it.each(['platform.keyword', 'platform.delimited', 'platform'])(
    'takes %s for the field platform',
    (name) => {
      expect(names(name, 'dataset')).toEqual(['platform']);
    },
  );

  it.each(['nonesuch', '', 'constructor', '__proto__', 'toString', '.keyword', 'platform.raw'])(
    'does not know %j',
    (name) => expect(names(name, 'dataset')).toEqual([]),
  );

  it('has a fingerprint of what it would index', () => {
    const again = new SearchSchema([...model.entities.values()].reverse());
    expect(again.fingerprint()).toBe(schema.fingerprint());
    expect(new SearchSchema([model.findEntity('tag')!]).fingerprint()).not.toBe(schema.fingerprint());
  });

  it.each([
    ['dataset', 'DATASET'],
    ['dataFlow', 'DATA_FLOW'],
    ['corpuser', 'CORP_USER'],
    ['corpGroup', 'CORP_GROUP'],
    ['mlModel', 'MLMODEL'],
    ['mlPrimaryKey', 'MLPRIMARY_KEY'],
    ['schemaField', 'SCHEMA_FIELD'],
    ['dataHubAccessToken', 'ACCESS_TOKEN'],
    ['dataHubPolicy', 'DATAHUB_POLICY'],
    ['erModelRelationship', 'ER_MODEL_RELATIONSHIP'],
    ['constructor', 'CONSTRUCTOR'],
  ])('calls a %s %s', (name, type) => expect(entityTypeName(name)).toBe(type));
});
