import { describe, expect, it } from '@jest/globals';
import { Model } from '../../../catalog/model/index.js';
import { withoutReference } from './without-reference.js';

const model = Model.load();
const TARGET = 'urn:li:dataset:(urn:li:dataPlatform:hive,gone,PROD)';
const OTHER = 'urn:li:dataset:(urn:li:dataPlatform:hive,stays,PROD)';

function without(aspect: string, value: Record<string, unknown>, target = TARGET): unknown {
  const spec = model.aspects.get(aspect);
  if (!spec) throw new Error(`no aspect ${aspect}`);
  const before = structuredClone(value);
  const rest = withoutReference(spec, value, target, model.definitions);
  expect(value).toEqual(before);
  return 'stuck' in rest ? rest.stuck : rest.keep;
}

describe('withoutReference', () => {
  it('removes the elements of a list that hold the reference, and keeps their neighbours as they are', () => {
    const other = { tag: 'urn:li:tag:b', context: 'c' };
    expect(
      without(
        'globalTags',
        { tags: [{ tag: 'urn:li:tag:a' }, other, { tag: 'urn:li:tag:a' }] },
        'urn:li:tag:a',
      ),
    ).toEqual({
      tags: [other],
    });
    expect(without('globalTags', { tags: [{ tag: 'urn:li:tag:a' }] }, 'urn:li:tag:a')).toEqual({ tags: [] });
  });

  it('removes one of very many elements', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => ({ tag: `urn:li:tag:${i}` }));
    const rest = without('globalTags', { tags: many }, 'urn:li:tag:7') as { tags: typeof many };
    expect(rest.tags).toHaveLength(199_999);
    expect(rest.tags[7]).toEqual({ tag: 'urn:li:tag:8' });
  });

  it('removes plain URNs and wrapped ones from a list', () => {
    expect(
      without('dataJobInputOutput', { inputDatasets: [TARGET, OTHER], outputDatasets: [TARGET] }),
    ).toEqual({
      inputDatasets: [OTHER],
      outputDatasets: [],
    });
    expect(without('chartInfo', { title: 't', inputs: [{ string: TARGET }, { string: OTHER }] })).toEqual({
      title: 't',
      inputs: [{ string: OTHER }],
    });
  });

  it('removes the innermost element where lists are nested', () => {
    const column = (tags: object[]) => ({ fieldPath: 'a', description: 'd', globalTags: { tags } });
    expect(
      without(
        'editableSchemaMetadata',
        { editableSchemaFieldInfo: [column([{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }])] },
        'urn:li:tag:a',
      ),
    ).toEqual({ editableSchemaFieldInfo: [column([{ tag: 'urn:li:tag:b' }])] });
  });

  it('drops an optional field, of the aspect or of an element, and nothing around it', () => {
    const term = { definition: 'd', termSource: 'INTERNAL' };
    expect(
      without('glossaryTermInfo', { ...term, parentNode: 'urn:li:glossaryNode:n' }, 'urn:li:glossaryNode:n'),
    ).toEqual(term);
    const owner = { owner: 'urn:li:corpuser:ann', type: 'CUSTOM' };
    expect(
      without(
        'ownership',
        { owners: [{ ...owner, typeUrn: 'urn:li:ownershipType:x' }] },
        'urn:li:ownershipType:x',
      ),
    ).toEqual({ owners: [owner] });
  });

  it('drops the nearest optional record around a required field', () => {
    expect(
      without('assertionInfo', {
        type: 'DATASET',
        datasetAssertion: { dataset: TARGET, scope: 'DATASET_ROWS', operator: 'IN' },
      }),
    ).toEqual({ type: 'DATASET' });
  });

  it('leaves nothing of an aspect that is only there for the reference', () => {
    expect(without('container', { container: 'urn:li:container:c' }, 'urn:li:container:c')).toBeUndefined();
  });

  it('keeps what cannot be without the reference, and says so', () => {
    expect(
      without('erModelRelationshipProperties', {
        source: TARGET,
        destination: OTHER,
        name: 'n',
        relationshipFieldMappings: [],
      }),
    ).toMatch(/cannot be without source/);
    expect(
      without('dataJobKey', { flow: 'urn:li:dataFlow:(a,b,c)', jobId: 'j' }, 'urn:li:dataFlow:(a,b,c)'),
    ).toMatch(/URN/);
  });

  it('changes nothing where there is no reference', () => {
    const value = { upstreams: [{ dataset: OTHER, type: 'COPY' }] };
    expect(without('upstreamLineage', value)).toEqual(value);
  });
});
