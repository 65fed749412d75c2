import { describe, expect, it } from '@jest/globals';
import { Model } from '../../catalog/model/index.js';
import { atOnce } from '../../catalog/schedule/index.js';
import { CATEGORIES, differences, type Category, type Value } from './change-event.js';
import { differsFor } from './differs.js';

const model = Model.load();
const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)';
const column = (path: string) => `urn:li:schemaField:(${URN},${path})`;

function diff(
  aspect: string,
  before: Value,
  after: Value,
  categories: readonly Category[] = CATEGORIES,
  entity = 'dataset',
) {
  const spec = model.findEntity(entity);
  if (!spec) throw new Error(`no entity ${entity}`);
  const differs = differsFor(spec, new Set(categories)).get(aspect) ?? [];
  return differs.flatMap((differ) => atOnce(differences(differ, URN, before, after)));
}
const brief = (events: ReturnType<typeof diff>) =>
  events.map((e) => [e.category, e.operation, e.entityUrn, e.modifier, e.semVerChange]);

describe('the differences of', () => {
  it('tags: what came and what went, not what moved', () => {
    const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) });
    expect(brief(diff('globalTags', undefined, tags('a')))).toEqual([
      ['TAG', 'ADD', URN, 'urn:li:tag:a', 'MINOR'],
    ]);
    expect(brief(diff('globalTags', tags('a', 'b'), tags('c', 'b')))).toEqual([
      ['TAG', 'REMOVE', URN, 'urn:li:tag:a', 'MINOR'],
      ['TAG', 'ADD', URN, 'urn:li:tag:c', 'MINOR'],
    ]);
    expect(diff('globalTags', tags('a', 'b'), tags('b', 'a'))).toEqual([]);
    expect(diff('globalTags', undefined, tags('a'), ['OWNERSHIP'])).toEqual([]);
  });

  it('terms, domains and applications', () => {
    const terms = {
      terms: [{ urn: 'urn:li:glossaryTerm:x' }],
      auditStamp: { time: 0, actor: 'urn:li:corpuser:a' },
    };
    expect(brief(diff('glossaryTerms', undefined, terms))).toEqual([
      ['GLOSSARY_TERM', 'ADD', URN, 'urn:li:glossaryTerm:x', 'MINOR'],
    ]);
    expect(brief(diff('domains', { domains: ['urn:li:domain:d'] }, { domains: [] }))).toEqual([
      ['DOMAIN', 'REMOVE', URN, 'urn:li:domain:d', 'MINOR'],
    ]);
    expect(brief(diff('applications', undefined, { applications: ['urn:li:application:p'] }))).toEqual([
      ['APPLICATION', 'ADD', URN, 'urn:li:application:p', 'MINOR'],
    ]);
  });

  it('assets of a data product, and versions', () => {
    const assets = (...all: string[]) => ({
      name: 'p',
      assets: all.map((destinationUrn) => ({ destinationUrn })),
    });
    const moved = [assets('urn:a', 'urn:b'), assets('urn:b', 'urn:c')] as const;
    expect(brief(diff('dataProductProperties', ...moved, CATEGORIES, 'dataProduct'))).toEqual([
      ['ASSET_MEMBERSHIP', 'REMOVE', URN, 'urn:a', 'MINOR'],
      ['ASSET_MEMBERSHIP', 'ADD', URN, 'urn:c', 'MINOR'],
    ]);
    const version = (versionTag: string, isLatest: boolean) => ({
      versionSet: 'urn:li:versionSet:(v,dataset)',
      version: { versionTag },
      sortId: 'a',
      isLatest,
    });
    const events = diff('versionProperties', undefined, version('1', true));
    expect(brief(events)).toEqual([['VERSIONING', 'ADD', URN, 'urn:li:versionSet:(v,dataset)', 'MINOR']]);
    expect(events[0]?.parameters).toEqual({
      versionSetUrn: 'urn:li:versionSet:(v,dataset)',
      versionTag: '1',
    });
    expect(diff('versionProperties', version('1', true), version('1', false))).toEqual([]);
    expect(brief(diff('versionProperties', version('1', true), version('2', true)))).toEqual([
      ['VERSIONING', 'MODIFY', URN, 'urn:li:versionSet:(v,dataset)', 'MINOR'],
    ]);
  });

  it('owners: another kind of ownership is another owner', () => {
    const owners = (type: string) => ({ owners: [{ owner: 'urn:li:corpuser:ann', type }] });
    const events = diff('ownership', owners('DATAOWNER'), owners('TECHNICAL_OWNER'));
    expect(brief(events)).toEqual([
      ['OWNERSHIP', 'REMOVE', URN, 'urn:li:corpuser:ann', 'MINOR'],
      ['OWNERSHIP', 'ADD', URN, 'urn:li:corpuser:ann', 'MINOR'],
    ]);
    expect(events[1]?.parameters).toEqual({ ownerUrn: 'urn:li:corpuser:ann', ownerType: 'TECHNICAL_OWNER' });
  });

  it('structured properties: their values count', () => {
    const values = (...all: number[]) => ({
      properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: all.map((double) => ({ double })) }],
    });
    expect(brief(diff('structuredProperties', values(1), values(2)))).toEqual([
      ['STRUCTURED_PROPERTY', 'MODIFY', URN, 'urn:li:structuredProperty:p', 'MINOR'],
    ]);
    expect(diff('structuredProperties', values(1), values(1))).toEqual([]);
  });

  it('descriptions, in whatever aspect they stand', () => {
    expect(diff('datasetProperties', { description: 'a' }, { description: 'b' })).toEqual([
      {
        category: 'DOCUMENTATION',
        operation: 'MODIFY',
        entityUrn: URN,
        parameters: { description: 'b', previousDescription: 'a' },
        semVerChange: 'PATCH',
        description: expect.stringContaining("'b', it was 'a'"),
      },
    ]);
    expect(brief(diff('editableDatasetProperties', undefined, { description: 'a' }))).toEqual([
      ['DOCUMENTATION', 'ADD', URN, undefined, 'MINOR'],
    ]);
    expect(
      brief(diff('glossaryTermInfo', { definition: 'a' }, { definition: '' }, CATEGORIES, 'glossaryTerm')),
    ).toEqual([['DOCUMENTATION', 'REMOVE', URN, undefined, 'MINOR']]);
    expect(diff('datasetProperties', { name: 'x' }, { name: 'y' })).toEqual([]);
  });

  it('links', () => {
    const link = (url: string) => ({
      elements: [{ url, description: 'd', createStamp: { time: 0, actor: 'urn:li:corpuser:a' } }],
    });
    expect(brief(diff('institutionalMemory', link('https://a'), link('https://b')))).toEqual([
      ['DOCUMENTATION', 'REMOVE', URN, 'https://a', 'MINOR'],
      ['DOCUMENTATION', 'ADD', URN, 'https://b', 'MINOR'],
    ]);
  });

  const field = (fieldPath: string, more: object = {}) => ({
    fieldPath,
    nativeDataType: 'int',
    type: { type: { 'schema.NumberType': {} } },
    nullable: false,
    ...more,
  });

  it('the technical schema: what breaks readers is major', () => {
    const before = {
      fields: [field('gone'), field('same'), field('typed'), field('null')],
      primaryKeys: ['same'],
    };
    const after = {
      fields: [
        field('same'),
        field('typed', { nativeDataType: 'text' }),
        field('null', { nullable: true }),
        field('new', { nativeDataType: 'text' }),
      ],
      primaryKeys: ['new'],
    };
    expect(brief(diff('schemaMetadata', before, after, ['TECHNICAL_SCHEMA']))).toEqual([
      ['TECHNICAL_SCHEMA', 'REMOVE', URN, column('gone'), 'MAJOR'],
      ['TECHNICAL_SCHEMA', 'ADD', URN, column('new'), 'MINOR'],
      ['TECHNICAL_SCHEMA', 'MODIFY', URN, column('typed'), 'MAJOR'],
      ['TECHNICAL_SCHEMA', 'MODIFY', URN, column('null'), 'MAJOR'],
      ['TECHNICAL_SCHEMA', 'MODIFY', URN, undefined, 'MAJOR'],
    ]);
    expect(diff('schemaMetadata', after, after)).toEqual([]);
  });

  it('the technical schema: a column that differs in its name alone has a new name', () => {
    const events = diff('schemaMetadata', { fields: [field('a')] }, { fields: [field('b'), field('c')] });
    expect(brief(events)).toEqual([
      ['TECHNICAL_SCHEMA', 'MODIFY', URN, column('a'), 'MINOR'],
      ['TECHNICAL_SCHEMA', 'ADD', URN, column('c'), 'MINOR'],
    ]);
    expect(events[0]).toMatchObject({
      parameters: { modificationCategory: 'RENAME' },
      description: 'Column a is now called b.',
    });
  });

  it('columns: their tags, terms and descriptions', () => {
    const edited = (more: object) => ({ editableSchemaFieldInfo: [{ fieldPath: 'a', ...more }] });
    const tagged = edited({ globalTags: { tags: [{ tag: 'urn:li:tag:t' }] } });
    expect(brief(diff('editableSchemaMetadata', edited({}), tagged))).toEqual([
      ['TAG', 'ADD', column('a'), 'urn:li:tag:t', 'MINOR'],
    ]);
    expect(brief(diff('editableSchemaMetadata', tagged, undefined))).toEqual([
      ['TAG', 'REMOVE', column('a'), 'urn:li:tag:t', 'MINOR'],
    ]);
    expect(
      brief(diff('editableSchemaMetadata', edited({ description: 'x' }), edited({ description: 'y' }))),
    ).toEqual([['DOCUMENTATION', 'MODIFY', column('a'), undefined, 'PATCH']]);
    expect(
      brief(
        diff('schemaMetadata', undefined, { fields: [field('a', { description: 'x' })] }, ['DOCUMENTATION']),
      ),
    ).toEqual([['DOCUMENTATION', 'ADD', column('a'), undefined, 'MINOR']]);
  });
});

describe('the work for large values', () => {
  const COUNT = 2_000;

  it('grows with the number of equal labels, not with its square', () => {
    // By the square this would take minutes.
    const tags = { tags: Array.from({ length: 50_000 }, () => ({ tag: 'urn:li:tag:a' })) };
    const events = diff('globalTags', { tags: tags.tags.slice(1) }, tags);
    expect(brief(events)).toEqual([['TAG', 'ADD', URN, 'urn:li:tag:a', 'MINOR']]);
  });

  it('grows with the number of renamed columns, not with its square', () => {
    let reads = 0;
    // The order of fields means nothing.
    const before = Array.from({ length: COUNT }, (_, i) => ({
      fieldPath: `a${i}`,
      label: `${i}`,
      nativeDataType: 'int',
    }));
    const after = Array.from({ length: COUNT }, (_, i) => ({
      nativeDataType: 'int',
      fieldPath: `b${i}`,
      get label() {
        reads += 1;
        return `${COUNT - 1 - i}`;
      },
    }));
    const events = diff('schemaMetadata', { fields: before }, { fields: after }, ['TECHNICAL_SCHEMA']);
    expect(events.map(({ operation, parameters }) => [operation, parameters?.['newFieldPath']])).toEqual(
      before.map((_, i) => ['MODIFY', `b${COUNT - 1 - i}`]),
    );
    expect(reads).toBeLessThan(10 * COUNT);
  });

  it('takes columns that are alike in their order', () => {
    const fields = (...names: string[]) => ({ fields: names.map((fieldPath) => ({ fieldPath })) });
    const events = diff('schemaMetadata', fields('a', 'b', 'c'), fields('x', 'y'), ['TECHNICAL_SCHEMA']);
    expect(events.map(({ description }) => description)).toEqual([
      'Column a is now called x.',
      'Column b is now called y.',
      'Column c was removed.',
    ]);
  });
});
