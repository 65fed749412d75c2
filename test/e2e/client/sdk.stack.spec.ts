import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../harness/service-process.js';
import { FieldClient } from './field-client.js';

type Outcomes = Record<string, any>;

const ADA = 'urn:li:corpuser:ada';
const error = (type: string, text: string) => ({ error: type, text: expect.stringContaining(text) });

describe("the field's SDK, unmodified", () => {
  let home: string;
  let service: ServiceProcess;
  let client: FieldClient;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-sdk-'));
    service = await ServiceProcess.start(join(home, 'catalog'));
    client = new FieldClient(home, service);
  });

  afterAll(async () => {
    await service?.kill();
    await rm(home, { recursive: true, force: true });
  });

  /** One test for each step of a script, and one that no step was forgotten. */
  function steps(script: string, expected: Record<string, unknown>): void {
    let outcomes: Outcomes;
    beforeAll(async () => {
      outcomes = await client.outcomes(script);
    });

    it.each(Object.entries(expected))('%s', (name, outcome) => {
      expect(outcomes[name]).toEqual(outcome);
    });

    it('has a test for every step', () => {
      expect(Object.keys(outcomes)).toEqual(Object.keys(expected));
    });
  }

  describe('the graph client', () => {
    const dataset = (name: string): string =>
      `urn:li:dataset:(urn:li:dataPlatform:postgres,graph.${name},PROD)`;
    const tag = 'urn:li:tag:graph_fragile';

    steps('graph.py', {
      'emitter connects': 'true',
      'graph connects': true,
      'wrong token': error('HTTPError', '401'),
      'emits one proposal': {
        name: 'teapots',
        description: 'Jede Kanne, 急須 🫖',
        customProperties: {},
        tags: [],
      },
      'emits with the emitter': { removed: false },
      'emits a batch': { chunks: expect.anything(), last: 'the last one counts' },
      'a batch with one wrong item writes nothing': {
        message: expect.stringContaining('urn:li:structuredProperty:graph.nowhere does not exist'),
        written: false,
      },
      'CREATE makes an aspect once': {
        again: expect.stringContaining('has subTypes already'),
        value: { typeNames: ['Table'] },
      },
      'CREATE_ENTITY makes an entity once': {
        again: expect.stringContaining('exists already'),
        exists: true,
      },
      'DELETE of the key removes the entity': false,
      'emits a snapshot': [
        'browsePathsV2',
        'dataPlatformInstance',
        'datasetKey',
        'institutionalMemory',
        'ownership',
        'status',
      ],
      'emits everything through the batching sink': 10,
      'a refused value says why': error('OperationalError', '/managerUrn must be a URN'),
      'versions of an aspect': ['three', 'one', 'two', 'three', null],
      'whole entity': [
        'browsePathsV2',
        'dataPlatformInstance',
        'datasetKey',
        'datasetProperties',
        'globalTags',
        'ownership',
        'upstreamLineage',
      ],
      'chosen aspects': ['datasetKey', 'datasetProperties', 'globalTags'],
      'raw entity': { urn: dataset('teapots'), name: 'dataset', tags: { tags: [{ tag }] } },
      'entity as proposals': 7,
      'what is not there': [false, null, null, tag, ADA],
      'keys of every kind exist': [],
      'aspects of many kinds come back as they were': {},
      'time series, newest first': [30, 20, 10],
      'time series, limited': [30, 20],
      'latest of a time series': { rows: 30, none: null },
      'filtered time series': { updates: [2, 1], 'latest insert': 0, none: null },
      'usage between two times': [10, 20],
      'part of a time series is deleted': { deleted: 2, left: [30] },
      relationships: {
        tagged: [`TaggedWith ${dataset('cups')}`, `TaggedWith ${dataset('teapots')}`],
        'of teapots': [`DownstreamOf ${dataset('clay')}`, `OwnedBy ${ADA}`, `TaggedWith ${tag}`],
        'from clay': [`DownstreamOf ${dataset('kinds')}`, `DownstreamOf ${dataset('teapots')}`],
        nothing: [],
      },
      'relationships over several pages': 250,
      'lists URNs': { fragile: true, distinct: true, unknown: null },
      'counts aspects': [250, 1],
      searches: { count: 5, enough: true },
      timeline: {
        before: [],
        after: ['ADD DOCUMENTATION', 'ADD TAG'],
        versions: expect.arrayContaining([expect.stringMatching(/^\d+\.\d+\.\d+-computed$/)]),
      },
      'soft deletion': { removed: true, run: '__datahub-graph-client', back: true },
      'references are counted, then deleted': {
        dry: 4,
        kept: [tag],
        sample: [
          `EditableSchemaFieldTaggedWith ${dataset('kinds')} editableSchemaMetadata`,
          `TaggedWith ${dataset('cups')} globalTags`,
          `TaggedWith ${dataset('teapots')} globalTags`,
          `TaggedWith ${dataset('versions')} globalTags`,
        ],
        real: 4,
        left: [],
        again: 0,
      },
      'hard deletion': { rows: true, events: 0, exists: false, status: null, again: [0, 0] },
      'deletion of a dataset with events': [false, [], []],
      'indices are restored': 'done',
    });
  });

  describe('patches', () => {
    const dataset = (name: string): string =>
      `urn:li:dataset:(urn:li:dataPlatform:postgres,patched.${name},PROD)`;
    const column = (name: string, field: string): string => `urn:li:schemaField:(${dataset(name)},${field})`;
    const stamp = { time: 1, actor: ADA };
    const anyStamp = { time: expect.any(Number), actor: 'urn:li:corpuser:admin' };
    const from = (source: string) => ({
      attribution: { ...stamp, source: `urn:li:dataHubAction:${source}`, sourceDetail: {} },
    });
    const edge = (destinationUrn: string) => ({ destinationUrn, created: stamp, lastModified: stamp });
    const fragile = { tag: 'urn:li:tag:fragile' };
    const owner = (urn: string, type: string, typeUrn?: string) => ({
      owner: urn,
      type,
      ...(typeUrn && { typeUrn }),
    });
    const bela = owner('urn:li:corpuser:bela', 'CUSTOM', 'urn:li:ownershipType:steward');
    const number = (double: number, description?: string) => ({
      value: { double },
      ...(description && { description }),
    });
    const fine = (upstreams: string[], downstream: string, more: object = {}) => ({
      upstreamType: 'FIELD_SET',
      downstreamType: 'FIELD',
      upstreams,
      downstreams: [downstream],
      confidenceScore: 1,
      ...more,
    });
    const transformed = fine([column('clay', 'colour')], column('teapots', 'glaze'), {
      transformOperation: 'LOWER(colour)',
      query: 'urn:li:query:glazing',
      confidenceScore: 0.5,
    });
    const upstream = (name: string, type: string) => ({ dataset: dataset(name), type, auditStamp: stamp });
    const chart = {
      title: 'Brews',
      description: 'By hour',
      lastModified: { created: stamp, lastModified: stamp },
      externalUrl: 'https://example.org/chart',
      chartUrl: 'https://example.org/brews',
      type: 'BAR',
      access: 'PUBLIC',
      lastRefreshed: 3,
      customProperties: { room: 'kitchen' },
    };
    const dashboard = {
      title: 'Kitchen',
      description: 'At a glance',
      lastModified: { created: stamp, lastModified: stamp },
      dashboardUrl: 'https://example.org/kitchen',
      access: 'PRIVATE',
      charts: [],
      datasets: [],
      dashboards: [edge('urn:li:dashboard:(looker,house)')],
      customProperties: {},
    };
    const retention = {
      qualifiedName: 'patched.retention',
      displayName: 'Retention',
      valueType: 'urn:li:dataType:datahub.number',
      cardinality: 'MULTIPLE',
      description: 'Days that rows are kept',
      entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.schemaField'],
      allowedValues: [number(30, 'a month'), number(365)],
      immutable: false,
    };
    const properties = {
      name: 'teapots',
      qualifiedName: 'shop.teapots',
      description: 'Every pot',
      externalUrl: 'https://example.org/teapots',
      created: stamp,
      lastModified: { time: 2 },
      tags: [],
    };
    const set = (property: string, ...values: object[]) => ({
      propertyUrn: `urn:li:structuredProperty:patched.${property}`,
      values,
    });
    const columns = (glaze: object) => ({
      created: anyStamp,
      lastModified: anyStamp,
      editableSchemaFieldInfo: [
        { fieldPath: 'glaze', ...glaze },
        { fieldPath: 'maker.[type=struct].name', globalTags: { tags: [{ tag: 'urn:li:tag:person' }] } },
      ],
    });
    const owners = (list: object[], ownerTypes: object) => ({
      owners: list,
      ownerTypes,
      lastModified: anyStamp,
    });
    const system = (type: string): string => `urn:li:ownershipType:__system__${type}`;
    const jobs = 'urn:li:dataFlow:(airflow,brew,PROD)';

    /** Each is sent twice; the second time changes nothing. */
    const expected: Record<string, object> = {
      'add a tag': { tags: [fragile] },
      'add a tag of another source': {
        tags: [fragile, { ...fragile, ...from('scanner') }, { tag: 'urn:li:tag:hot', ...from('scanner') }],
      },
      'remove the tag of one source': { tags: [fragile, { ...fragile, ...from('scanner') }] },
      'remove a tag': { tags: [] },
      'remove a tag that is not there': { tags: [] },
      'add terms': {
        terms: [{ urn: 'urn:li:glossaryTerm:Crockery' }, { urn: 'urn:li:glossaryTerm:Glaze' }],
        auditStamp: anyStamp,
      },
      'remove a term': { terms: [{ urn: 'urn:li:glossaryTerm:Crockery' }], auditStamp: anyStamp },
      'add owners': owners(
        [
          owner(ADA, 'DATAOWNER'),
          owner(ADA, 'TECHNICAL_OWNER'),
          owner('urn:li:corpGroup:tasters', 'DATAOWNER'),
          bela,
        ],
        {
          [system('dataowner')]: [ADA, 'urn:li:corpGroup:tasters'],
          [system('technical_owner')]: [ADA],
          'urn:li:ownershipType:steward': ['urn:li:corpuser:bela'],
        },
      ),
      'remove an owner of one type': owners([owner(ADA, 'DATAOWNER'), owner(ADA, 'TECHNICAL_OWNER'), bela], {
        [system('dataowner')]: [ADA],
        [system('technical_owner')]: [ADA],
        'urn:li:ownershipType:steward': ['urn:li:corpuser:bela'],
      }),
      'remove an owner of all types': owners([bela], {
        'urn:li:ownershipType:steward': ['urn:li:corpuser:bela'],
      }),
      'set owners': owners([owner(ADA, 'DATAOWNER')], { [system('dataowner')]: [ADA] }),
      'define a property': retention,
      'widen a property': {
        ...retention,
        displayName: 'Kept for',
        allowedValues: [...retention.allowedValues, number(7)],
      },
      'define a property of users': {
        qualifiedName: 'patched.steward',
        valueType: 'urn:li:dataType:datahub.urn',
        typeQualifier: { allowedTypes: ['urn:li:entityType:datahub.corpuser'] },
        cardinality: 'SINGLE',
        immutable: false,
        entityTypes: ['urn:li:entityType:datahub.dataset'],
      },
      'set properties': {
        properties: [set('retention', { double: 30 }, { double: 365 }), set('steward', { string: ADA })],
      },
      'set a property again': {
        properties: [set('retention', { double: 7 }), set('steward', { string: ADA })],
      },
      'remove a property': { properties: [set('retention', { double: 7 })] },
      'add custom properties': { customProperties: { room: 'kitchen', 'a/b~c': '1', shelf: '2' }, tags: [] },
      'remove a custom property': { customProperties: { room: 'kitchen', shelf: '2' }, tags: [] },
      'set name, description and times': { ...properties, customProperties: { room: 'kitchen', shelf: '2' } },
      'set custom properties': { ...properties, customProperties: { only: 'this' } },
      'set the editable description': {
        description: 'Every pot that we sell',
        created: anyStamp,
        lastModified: anyStamp,
      },
      'add tags and terms of columns': columns({
        globalTags: { tags: [{ tag: 'urn:li:tag:shiny' }, { tag: 'urn:li:tag:hot' }] },
        glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Glaze' }], auditStamp: anyStamp },
      }),
      'remove a tag and a term of a column': columns({
        globalTags: { tags: [{ tag: 'urn:li:tag:shiny' }] },
        glossaryTerms: { terms: [], auditStamp: anyStamp },
      }),
      'add upstreams': { upstreams: [upstream('clay', 'TRANSFORMED'), upstream('glazes', 'COPY')] },
      'remove an upstream': { upstreams: [upstream('clay', 'TRANSFORMED')] },
      'add lineage of columns': {
        upstreams: [upstream('clay', 'TRANSFORMED')],
        fineGrainedLineages: [
          fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id')),
          transformed,
        ],
      },
      'remove lineage of columns': {
        upstreams: [upstream('clay', 'TRANSFORMED')],
        fineGrainedLineages: [fine([column('clay', 'id')], column('teapots', 'id')), transformed],
      },
      'set lineage of columns': {
        upstreams: [upstream('clay', 'TRANSFORMED')],
        fineGrainedLineages: [
          fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id')),
        ],
      },
      'set upstreams': {
        upstreams: [upstream('kilns', 'VIEW')],
        fineGrainedLineages: [
          fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id')),
        ],
      },
      'add siblings': { siblings: [dataset('cups'), dataset('bowls')], primary: true },
      'remove a sibling': { siblings: [dataset('cups')], primary: true },
      'add documentation': {
        documentations: [{ documentation: 'By hand' }, { documentation: 'By machine', ...from('writer') }],
      },
      'remove documentation of one source': { documentations: [{ documentation: 'By hand' }] },
      'add a domain': {
        domains: ['urn:li:domain:kitchen'],
        domainAssociations: [{ domain: 'urn:li:domain:kitchen', ...from('scanner') }],
      },
      'remove a domain': { domains: [], domainAssociations: [] },
      'remove an entity softly': { removed: true },
      'bring it back': { removed: false },
      'make a chart': { ...chart, inputEdges: [edge(dataset('teapots')), edge(dataset('cups'))] },
      'remove an input of a chart': { ...chart, inputEdges: [edge(dataset('teapots'))] },
      'add a tag to a chart': { tags: [{ tag: 'urn:li:tag:hot' }] },
      'set inputs of a chart': { ...chart, inputEdges: [edge(dataset('bowls'))] },
      'make a dashboard': {
        ...dashboard,
        chartEdges: [edge('urn:li:chart:(looker,brews)'), edge('urn:li:chart:(looker,cups)')],
        datasetEdges: [edge(dataset('teapots'))],
      },
      'remove edges of a dashboard': {
        ...dashboard,
        chartEdges: [edge('urn:li:chart:(looker,brews)')],
        datasetEdges: [],
      },
      'add an owner to a dashboard': owners([owner(ADA, 'DATAOWNER')], { [system('dataowner')]: [ADA] }),
      'make inputs and outputs of a job': {
        inputDatasets: [],
        outputDatasets: [],
        inputDatasetEdges: [edge(dataset('clay')), edge(dataset('glazes'))],
        outputDatasetEdges: [edge(dataset('teapots'))],
        inputDatajobEdges: [edge(`urn:li:dataJob:(${jobs},boil)`)],
        inputDatasetFields: [column('clay', 'id'), column('clay', 'colour')],
        outputDatasetFields: [column('teapots', 'id')],
        fineGrainedLineages: [
          fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id')),
        ],
      },
      'remove inputs and outputs of a job': {
        inputDatasets: [],
        outputDatasets: [],
        inputDatasetEdges: [edge(dataset('clay'))],
        outputDatasetEdges: [edge(dataset('teapots'))],
        inputDatajobEdges: [],
        inputDatasetFields: [column('clay', 'id')],
        outputDatasetFields: [],
        fineGrainedLineages: [
          fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id')),
        ],
      },
      'old: add tags': { tags: [{ tag: 'urn:li:tag:hot' }, fragile] },
      'old: remove a tag': { tags: [fragile] },
      'old: add a term': { terms: [{ urn: 'urn:li:glossaryTerm:Crockery' }], auditStamp: anyStamp },
      'old: add owners': owners([owner(ADA, 'DATAOWNER'), owner(ADA, 'TECHNICAL_OWNER')], {
        [system('dataowner')]: [ADA],
        [system('technical_owner')]: [ADA],
      }),
      'old: remove an owner of one type': owners([owner(ADA, 'TECHNICAL_OWNER')], {
        [system('technical_owner')]: [ADA],
      }),
      'old: set a property': { properties: [set('retention', { double: 30 })] },
    };
    steps(
      'patches.py',
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, { value, same: true }])),
    );
  });

  describe('entities as objects', () => {
    const dataset = (name: string): string =>
      `urn:li:dataset:(urn:li:dataPlatform:postgres,sdk.public.${name},PROD)`;
    const column = (name: string, field: string): string => `urn:li:schemaField:(${dataset(name)},${field})`;

    steps('entities.py', {
      connects: null,
      tag: ['Fragile', 'Breaks at once', '#ff0000', [ADA]],
      glossary: [
        'Green tea',
        'Leaves that were heated early',
        'urn:li:glossaryNode:sdk_kitchen',
        ['urn:li:glossaryTerm:sdk_tea'],
        ['urn:li:glossaryTerm:sdk_tea'],
        { colour: 'green' },
        'All of it',
      ],
      containers: ['public', 'The front room', 'Schema', true, true, ['urn:li:tag:sdk_fragile'], true],
      'dataset is made': {
        name: 'teapots',
        qualified: 'shop.teapots',
        description: 'Every pot',
        url: 'https://example.org/teapots',
        custom: { room: 'kitchen' },
        times: [true, true],
        container: true,
        subtype: 'Table',
        owners: [ADA, 'urn:li:corpuser:bela'],
        links: ['https://example.org/docs'],
        tags: ['urn:li:tag:sdk_fragile'],
        terms: ['urn:li:glossaryTerm:sdk_tea'],
        domain: 'urn:li:domain:sdk',
        upstreams: [dataset('clay')],
        columns: [
          ['id', 'NumberTypeClass', 'bigint', 'Number'],
          ['glaze', 'StringTypeClass', 'varchar', null],
          ['sold', 'DateTypeClass', 'date', null],
        ],
        properties: [['urn:li:structuredProperty:sdk.room', ['kitchen', 'shop']]],
      },
      'dataset is changed': {
        tags: ['urn:li:tag:sdk_fragile', 'urn:li:tag:sdk_hot'],
        terms: ['urn:li:glossaryTerm:sdk_green', 'urn:li:glossaryTerm:sdk_tea'],
        owners: [ADA],
        description: 'Every pot that we sell',
        column: ['How it shines', ['urn:li:tag:sdk_hot'], ['urn:li:glossaryTerm:sdk_green']],
        edited: 'Every pot that we sell',
      },
      'a change of nothing keeps versions': true,
      'dataset is patched': { room: 'kitchen', shelf: '2' },
      'create refuses what is there': ['new', 'SdkUsageError'],
      'what is not there': error('ItemNotFoundError', 'not found'),
      'flow and job': [
        'Brew',
        'Every day',
        true,
        'Pour',
        'Hotter water',
        [dataset('clay')],
        [dataset('teapots')],
        1,
        { room: 'kitchen' },
      ],
      'chart and dashboard': [
        'Brews',
        'By the hour',
        'BAR',
        'PUBLIC',
        [dataset('clay'), dataset('teapots')],
        true,
        'Kitchen',
        'All at a glance',
        ['urn:li:chart:(looker,sdk_brews)'],
        [dataset('teapots')],
        ['urn:li:dashboard:(looker,sdk_house)'],
      ],
      'lineage of datasets and their columns': {
        upstreams: [
          [dataset('clay'), 'COPY'],
          [dataset('teapots'), 'COPY'],
        ],
        columns: [
          [[column('clay', 'glaze')], [column('cups', 'glaze')], false],
          [[column('clay', 'id')], [column('cups', 'id')], false],
          [
            [column('clay', 'sold'), column('teapots', 'id'), column('teapots', 'sold')],
            [column('cups', 'sold')],
            false,
          ],
        ],
      },
      'lineage with a query': {
        upstreams: [[dataset('clay'), 'TRANSFORMED']],
        columns: ['glaze', 'id', 'sold'].map((field) => [
          [column('clay', field)],
          [column('bowls', field)],
          true,
        ]),
        statement: 'INSERT INTO bowls SELECT * FROM clay',
        subjects: 8,
      },
      'lineage between other kinds': {
        inputs: [dataset('cups')],
        outputs: [dataset('bowls')],
        jobs: ['urn:li:dataJob:(urn:li:dataFlow:(airflow,sdk_brew,PROD),boil)'],
        chart: [dataset('bowls')],
        dashboard: [dataset('bowls'), dataset('teapots')],
        house: ['urn:li:chart:(looker,sdk_brews)', 'urn:li:dashboard:(looker,sdk_kitchen)'],
      },
      deletion: [[true, true], false, 'SdkUsageError'],
    });
  });

  it('leaves nothing in the log of the service', () => {
    expect(service.log).toBe('');
  });
});
