import { describe, expect, it } from '@jest/globals';
import { CatalogError } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { SnapshotParser } from './snapshot.js';

const parser = new SnapshotParser(Model.load());
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)';
const DATASET = 'com.linkedin.metadata.snapshot.DatasetSnapshot';
const parse = (record: string, snapshot: unknown) =>
  parser.parse({ value: { [record]: snapshot } }, { runId: 'r' }, '/entity');

describe('SnapshotParser', () => {
  it('makes an UPSERT of each aspect', () => {
    const proposals = parse(DATASET, {
      urn: ORDERS,
      aspects: [
        { 'com.linkedin.common.Status': { removed: false } },
        { 'com.linkedin.dataset.DatasetProperties': { description: 'd' } },
      ],
    });
    expect(proposals).toMatchObject([
      {
        entity: { name: 'dataset' },
        urn: { text: ORDERS },
        aspect: { name: 'status' },
        changeType: 'UPSERT',
        value: { removed: false },
        systemMetadata: { runId: 'r' },
        pointer: `/entity/value/${DATASET}/aspects/0`,
        valuePointer: '/com.linkedin.common.Status',
      },
      { aspect: { name: 'datasetProperties' }, pointer: `/entity/value/${DATASET}/aspects/1` },
    ]);
  });

  it.each([
    ['acme.metadata.snapshot.DatasetSnapshot', ORDERS, 'acme.common.Status', 'status'],
    [
      'x.metadata.snapshot.CorpUserSnapshot',
      'urn:li:corpuser:ann',
      'x.metadata.key.CorpUserKey',
      'corpUserKey',
    ],
    [
      'x.metadata.snapshot.CorpGroupSnapshot',
      'urn:li:corpGroup:g',
      'x.identity.CorpGroupInfo',
      'corpGroupInfo',
    ],
    ['x.metadata.snapshot.TagSnapshot', 'urn:li:tag:t', 'x.tag.TagProperties', 'tagProperties'],
    ['x.metadata.snapshot.ChartSnapshot', 'urn:li:chart:(looker,c)', 'x.chart.ChartInfo', 'chartInfo'],
    ['x.metadata.snapshot.DashboardSnapshot', 'urn:li:dashboard:(looker,d)', 'x.common.Status', 'status'],
    [
      'x.metadata.snapshot.MLModelSnapshot',
      'urn:li:mlModel:(urn:li:dataPlatform:sage,m,PROD)',
      'x.common.Ownership',
      'ownership',
    ],
  ])('knows %s', (record, urn, aspectRecord, aspect) => {
    expect(parse(record, { urn, aspects: [{ [aspectRecord]: {} }] })).toMatchObject([
      { urn: { text: urn }, aspect: { name: aspect } },
    ]);
  });

  it('takes aspects by their own names, as glossary terms are read', () => {
    const record = 'com.linkedin.metadata.snapshot.GlossaryTermSnapshot';
    const proposals = parse(record, {
      urn: 'urn:li:glossaryTerm:a.b',
      glossaryTermInfo: { definition: 'd' },
    });
    expect(proposals).toMatchObject([
      {
        aspect: { name: 'glossaryTermInfo' },
        pointer: `/entity/value/${record}`,
        valuePointer: '/glossaryTermInfo',
      },
    ]);
  });

  it.each<[string, unknown, string, string]>([
    ['no object', 5, 'PROPOSAL_MALFORMED', '/value'],
    ['no snapshot', { value: {} }, 'PROPOSAL_MALFORMED', '/value'],
    ['two snapshots', { value: { a: {}, b: {} } }, 'PROPOSAL_MALFORMED', '/value'],
    ['an unknown snapshot', { value: { 'a.Table': {} } }, 'ENTITY_UNKNOWN', '/value/a.Table'],
    ['no URN', { value: { DatasetSnapshot: {} } }, 'PROPOSAL_MALFORMED', '/value/DatasetSnapshot/urn'],
    [
      'the URN of another type',
      { value: { DatasetSnapshot: { urn: 'urn:li:tag:x' } } },
      'PROPOSAL_MALFORMED',
      '/value/DatasetSnapshot/urn',
    ],
    [
      'a URN that does not fit its key',
      { value: { DatasetSnapshot: { urn: 'urn:li:dataset:x' } } },
      'URN_MALFORMED',
      '/value/DatasetSnapshot/urn',
    ],
    [
      'an unknown aspect',
      { value: { DatasetSnapshot: { urn: ORDERS, aspects: [{ 'a.Nothing': {} }] } } },
      'ASPECT_UNKNOWN',
      '/value/DatasetSnapshot/aspects/0/a.Nothing',
    ],
    [
      'an aspect of another entity',
      { value: { DatasetSnapshot: { urn: ORDERS, aspects: [{ 'tag.TagProperties': {} }] } } },
      'ASPECT_UNKNOWN',
      '/value/DatasetSnapshot/aspects/0/tag.TagProperties',
    ],
    [
      'an unknown field',
      { value: { DatasetSnapshot: { urn: ORDERS, aspect: [] } } },
      'PROPOSAL_MALFORMED',
      '/value/DatasetSnapshot/aspect',
    ],
    [
      'two aspects in one',
      { value: { DatasetSnapshot: { urn: ORDERS, aspects: [{ a: {}, b: {} }] } } },
      'PROPOSAL_MALFORMED',
      '/value/DatasetSnapshot/aspects/0',
    ],
  ])('refuses %s', (_, raw, code, pointer) => {
    let thrown: unknown;
    try {
      parser.parse(raw, {}, '/entity');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code });
    expect((thrown as CatalogError).errors[0]?.pointer).toBe(`/entity${pointer}`);
  });
});
