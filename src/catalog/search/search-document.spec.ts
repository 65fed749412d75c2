import { describe, expect, it } from '@jest/globals';
import { documentOf, model, stateOf } from '../../../test/conformance/search-fixture.js';
import { atOnce } from '../schedule/index.js';
import {
  addFieldsInSteps,
  addFieldsOf,
  displayNameOf,
  searchDocument,
  searchDocumentInSteps,
  searchFields,
} from './search-document.js';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,db.orders,DEV)';
const stamp = (time: number) => ({ time, actor: 'urn:li:corpuser:ada' });

describe('search document', () => {
  it('holds the key, the type and the state of an entity without aspects', () => {
    expect(documentOf(URN, {}, 7)).toEqual({
      urn: URN,
      entity: 'dataset',
      sequence: 7,
      removed: false,
      fields: {
        platform: ['urn:li:dataPlatform:hive'],
        id: ['db.orders'],
        origin: ['DEV'],
        urn: [URN],
        _entityType: ['DATASET'],
        _standing: [0.15],
        browsePaths: ['/dev/hive/db'],
        removed: [false],
      },
    });
  });

  it('takes as many values as fit into aspects that share a field', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300_000 }, (_, i) => [`key ${i}`, i % 2 ? 'text' : i]),
    );
    const { fields } = documentOf('urn:li:dataJob:(urn:li:dataFlow:(airflow,a,PROD),b)', {
      dataJobInfo: { name: 'b', type: { string: 'SQL' }, customProperties: many },
      versionInfo: { version: '1', versionType: 'x', customProperties: { first: 'one' } },
    });
    expect(fields['customProperties']).toHaveLength(300_001);
    expect(fields['customProperties']).toEqual(
      expect.arrayContaining(['first=one', 'key 2=2', 'key 3=text']),
    );
  });

  it('holds every mark of every aspect', () => {
    const { fields, removed } = documentOf(URN, {
      datasetProperties: {
        name: 'Orders',
        description: 'what was ordered',
        customProperties: { team: 'shop', 'a/b~c': 'x=y', '': '' },
        created: { time: 12 },
      },
      globalTags: { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }, { tag: 'urn:li:tag:a' }] },
      ownership: {
        owners: [{ owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' }],
        ownerTypes: { 'urn:li:ownershipType:x/y': ['urn:li:corpuser:ada', 'urn:li:corpuser:bob'] },
        lastModified: stamp(1),
      },
      browsePaths: { paths: ['/dev/hive', '/all'] },
      browsePathsV2: { path: [{ id: 'hive' }, { id: 'db' }] },
      schemaMetadata: { fields: [{ fieldPath: 'id' }, { fieldPath: 'user.name', description: 'who' }] },
      subTypes: { typeNames: ['Table'] },
      status: { removed: true },
    });
    expect(removed).toBe(true);
    expect(fields).toMatchObject({
      name: ['Orders'],
      _entityName: ['Orders'],
      description: ['what was ordered'],
      hasDescription: [true],
      customProperties: ['team=shop', 'a/b~c=x=y', '='],
      createdAt: [12],
      tags: ['urn:li:tag:a', 'urn:li:tag:b'],
      hasTags: [true],
      owners: ['urn:li:corpuser:ada'],
      ownerTypes: [
        'urn:li:ownershipType:x/y=urn:li:corpuser:ada',
        'urn:li:ownershipType:x/y=urn:li:corpuser:bob',
      ],
      browsePaths: ['/dev/hive', '/all'],
      browsePathV2: ['␟hive␟db'],
      fieldPaths: ['id', 'user.name'],
      fieldDescriptions: ['who'],
      typeNames: ['Table'],
      removed: [true],
    });
  });

  it('says of a field that several aspects fill whether any of them did', () => {
    const { fields } = documentOf(URN, {
      datasetProperties: { description: 'here' },
      schemaMetadata: { fields: [{ fieldPath: 'id' }] },
      globalTags: { tags: [] },
    });
    expect(fields).toMatchObject({ hasDescription: [true], hasTags: [false] });
    expect(fields).not.toHaveProperty('tags');
  });

  it('takes what providers add, and drops what is no value', () => {
    const entity = model.findEntity('dataset')!;
    const state = stateOf(URN, 1, {});
    const fields = searchFields(entity, state);
    fields.set('extra', ['a', 1, true, null, NaN, Infinity, {}, 'a']);
    fields.set('__proto__', ['odd']);
    fields.set('none', []);
    const document = searchDocument(entity, state, fields);
    expect(document.fields['extra']).toEqual(['a', 1, true]);
    expect(Object.keys(document.fields)).toContain('__proto__');
    expect(document.fields).not.toHaveProperty('none');
    expect(({} as Record<string, unknown>)['extra']).toBeUndefined();
  });

  it('is the same when it is made in steps', () => {
    const list = <T>(of: (k: number) => T) => Array.from({ length: 6_000 }, (_, k) => of(k));
    const text = (k: number) => [`text ${k % 5_500}`, '', `${k}`][k % 3]!;
    const aspects = {
      datasetProperties: {
        name: 'Orders',
        customProperties: Object.fromEntries(list((k) => [`key/${k}`, text(k)])),
        created: { time: 12 },
      },
      globalTags: { tags: list((k) => ({ tag: `urn:li:tag:t${k % 5_000}` })) },
      ownership: {
        owners: list((k) => ({ owner: `urn:li:corpuser:${k}`, type: 'DATAOWNER', attribution: { time: k } })),
        ownerTypes: { 'urn:li:ownershipType:x/y~z': list((k) => `urn:li:corpuser:${k}`), none: [] },
        lastModified: stamp(1),
      },
      browsePaths: { paths: list((k) => `/dev/${k}`) },
      browsePathsV2: { path: list((k) => ({ id: `i${k}` })) },
      schemaMetadata: {
        fields: list((k) => ({ fieldPath: `f${k}`, ...(k % 2 && { description: text(k), label: null }) })),
      },
      subTypes: { typeNames: list(text) },
      siblings: { siblings: list((k) => `urn:li:dataset:${k}`), primary: true },
      upstreamLineage: { upstreams: [], fineGrainedLineages: list((k) => ({ upstreams: [text(k), 'x'] })) },
      status: { removed: false },
    };
    const entity = model.findEntity('dataset')!;
    const state = stateOf(URN, 7, aspects);
    const fields = new Map<string, unknown[]>();
    for (const aspect of entity.aspects.values()) {
      const stored = state.aspects.get(aspect.name);
      if (stored) atOnce(addFieldsInSteps(fields, aspect, stored));
      else addFieldsOf(fields, entity, aspect, state);
    }
    const whole = searchFields(entity, state);
    expect(fields).toEqual(whole);
    expect([...fields.keys()]).toEqual([...whole.keys()]);
    expect(fields.get('customProperties')).toHaveLength(6_000);
    expect(atOnce(searchDocumentInSteps(entity, state, fields))).toEqual(searchDocument(entity, state));
    expect([...searchDocumentInSteps(entity, state, fields)].length).toBeGreaterThan(10);
  });

  it('finds a name for people', () => {
    expect(displayNameOf(documentOf(URN, { datasetProperties: { name: 'Orders' } }))).toBe('Orders');
    expect(displayNameOf(documentOf(URN))).toBe('db.orders');
    expect(displayNameOf(documentOf('urn:li:tag:pii'))).toBe('pii');
  });

  it.each([...model.entities.keys()])('can be built for a %s', (name) => {
    const parts = model.findEntity(name)!.key.keyFields ?? [];
    const id = parts.length > 1 ? `(${parts.map((_, i) => `p${i}`).join(',')})` : 'id';
    expect(documentOf(`urn:li:${name}:${id}`).fields['_entityType']).toHaveLength(1);
  });
});
