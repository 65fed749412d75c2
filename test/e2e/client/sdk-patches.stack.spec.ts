import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

const ADA = 'urn:li:corpuser:ada';

describe("the patches of the field's SDK, unmodified", () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop?.close());

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
  const form = { name: 'Care', type: 'COMPLETION' };
  const prompt = (id: string) => ({
    id,
    title: id,
    type: 'STRUCTURED_PROPERTY',
    structuredPropertyParams: { urn: 'urn:li:structuredProperty:patched.retention' },
    required: false,
  });
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
      fineGrainedLineages: [fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id'))],
    },
    'set upstreams': {
      upstreams: [upstream('kilns', 'VIEW')],
      fineGrainedLineages: [fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id'))],
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
      fineGrainedLineages: [fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id'))],
    },
    'remove inputs and outputs of a job': {
      inputDatasets: [],
      outputDatasets: [],
      inputDatasetEdges: [edge(dataset('clay'))],
      outputDatasetEdges: [edge(dataset('teapots'))],
      inputDatajobEdges: [],
      inputDatasetFields: [column('clay', 'id')],
      outputDatasetFields: [],
      fineGrainedLineages: [fine([column('clay', 'id'), column('clay', 'kiln/no')], column('teapots', 'id'))],
    },
    'make a chart of inputs alone': {
      customProperties: {},
      title: '',
      description: '',
      lastModified: chart.lastModified,
      inputs: [{ string: dataset('teapots') }, { string: dataset('cups') }],
    },
    'make an API': {
      inputDatasetEdges: [dataset('teapots'), dataset('cups')].map((destinationUrn) => ({ destinationUrn })),
      outputDatasetEdges: [{ destinationUrn: dataset('teapots') }],
    },
    'remove an input of an API': {
      inputDatasetEdges: [{ destinationUrn: dataset('teapots') }],
      outputDatasetEdges: [{ destinationUrn: dataset('teapots') }],
    },
    'make a form': {
      ...form,
      prompts: [prompt('how'), prompt('when')],
      actors: {
        owners: false,
        users: [ADA, 'urn:li:corpuser:bela'],
        groups: ['urn:li:corpGroup:tasters'],
        ownershipTypes: ['urn:li:ownershipType:cook'],
      },
    },
    'remove prompts and people of a form': {
      ...form,
      prompts: [prompt('how')],
      actors: { owners: false, users: ['urn:li:corpuser:bela'], groups: [], ownershipTypes: [] },
    },
    'make a data product': {
      name: 'Crockery',
      parentDataProduct: 'urn:li:dataProduct:kitchen',
      customProperties: { room: 'kitchen' },
      assets: [
        { destinationUrn: dataset('teapots'), outputPort: true },
        { destinationUrn: dataset('cups'), outputPort: false },
      ],
    },
    'remove an asset of a data product': {
      name: 'Crockery',
      parentDataProduct: 'urn:li:dataProduct:kitchen',
      customProperties: {},
      assets: [{ destinationUrn: dataset('teapots'), outputPort: true }],
    },
    'add a link': {
      elements: [{ url: 'https://example.org/a?b=c', description: 'docs', createStamp: stamp }],
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
  stepsOf(
    () => shop.client,
    'patches.py',
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, { value, same: true }])),
  );
});
