import {
  aspectName,
  DATASET,
  documented,
  entityName,
  example,
  flag,
  integer,
  restliList,
  route,
  undocumented,
  type ActionResource,
  type HeaderParameter,
  type PathParameter,
} from '../../catalog/route/index.js';

const urn: PathParameter = {
  description: 'The URN, percent-encoded.',
  schema: (schemas) => schemas.knownUrn(),
  example: DATASET,
};

/** `POST /aspects?action=…`. */
export const ASPECT_ACTIONS: ActionResource = {
  name: 'aspects',
  summary: 'Writes aspects, and reads time series',
};

/** `POST /entities?action=…`. */
export const ENTITY_ACTIONS: ActionResource = {
  name: 'entities',
  summary: 'Searches, browses, counts and deletes entities',
};

const VERSION: Readonly<Record<string, HeaderParameter>> = {
  'X-RestLi-Protocol-Version': {
    required: true,
    description: 'The protocol of these calls.',
    schema: { type: 'string', enum: ['2.0.0'] },
    example: '2.0.0',
  },
};

const list = (description: string) =>
  documented(restliList(description), () => ({ type: 'string', pattern: '^List\\(.*\\)$' }));
const aspects = list('Only these aspects: `List(<aspect>,…)`.');
const ids = list('The URNs: `List(<urn>,…)`.');

const withKey = undocumented(flag('false leaves the key aspect out.', true));

export const getAspect = route({
  method: 'get',
  path: '/aspects/{urn}',
  operation: 'getAspect',
  summary: 'Reads one version of a versioned aspect',
  description: 'Returns one version of the aspect; use `getTimeseriesAspectValues` for time series.',
  surface: 'aspect-api',
  inPath: { urn },
  parameters: {
    aspect: example(
      'status',
      documented(aspectName('Name of the aspect.'), (schemas) => schemas.aspectName('versioned')),
    ),
    version: integer('0 is the latest.', { default: 0 }),
  },
  required: ['aspect'],
  answer: '{version, aspect: {<record name>: value}}',
  answers: () => ({
    200: {
      description: 'The version, and the aspect under the name of its record.',
      schema: {
        type: 'object',
        required: ['version', 'aspect'],
        properties: { version: { type: 'integer' }, aspect: { type: 'object' } },
      },
    },
  }),
  errors: [400, 404],
});

export const getEntityV2 = route({
  method: 'get',
  path: '/entitiesV2/{urn}',
  operation: 'getEntityV2',
  summary: 'Reads an entity with its aspects by name',
  description: 'Returns each aspect with its value, version and audit stamp.',
  surface: 'aspect-api',
  inPath: { urn },
  headers: VERSION,
  parameters: { aspects, alwaysIncludeKeyAspect: withKey },
  answer: '{urn, entityName, aspects: {<aspect>: {name, type, version, value, created, systemMetadata}}}',
  answers: () => ({
    200: {
      description: 'The entity.',
      schema: {
        type: 'object',
        required: ['urn', 'entityName', 'aspects'],
        properties: {
          urn: { type: 'string' },
          entityName: { type: 'string' },
          aspects: { type: 'object' },
        },
      },
    },
  }),
  errors: [400, 404],
});

export const getEntitiesV2 = route({
  method: 'get',
  path: '/entitiesV2',
  operation: 'getEntitiesV2',
  summary: 'Reads several entities with their aspects by name',
  description: 'Returns up to the limit of a batch, each as `/entitiesV2/{urn}` would.',
  surface: 'aspect-api',
  headers: VERSION,
  parameters: { ids: example(`List(${DATASET})`, ids), aspects, alwaysIncludeKeyAspect: withKey },
  required: ['ids'],
  answer: '{results: {<urn>: entity}, statuses, errors}',
  answers: () => ({
    200: { description: 'The entities by URN, below `results`.', schema: { type: 'object' } },
  }),
  errors: [400, 413],
});

export const getEntitiesVersionedV2 = route({
  method: 'get',
  path: '/entitiesVersionedV2',
  operation: 'getEntitiesVersionedV2',
  summary: 'Reads several entities with chosen versions of their aspects',
  description:
    'Each id names an entity and versions of its aspects: `(urn:<urn>,versionStamp:<aspect>:<version>;…)`, or as clients of the field print it, `(<urn> , <aspect>:<version>;…)`. Other aspects are read in their latest version, as with version 0. Results stand under the id as it was given, without versions that there are not.',
  surface: 'aspect-api',
  headers: VERSION,
  parameters: {
    ids: example(
      `List((urn:${DATASET},versionStamp:datasetProperties:0))`,
      list('The ids: `List((urn:<urn>,versionStamp:<aspect>:<version>),…)`.'),
    ),
    entityType: example('dataset', entityName('The kind of the entities.')),
    aspects,
  },
  required: ['ids', 'entityType'],
  answer: '{results: {<id>: entity}, statuses, errors}',
  answers: () => ({
    200: { description: 'The entities by id, below `results`.', schema: { type: 'object' } },
  }),
  errors: [400, 413],
});

export const getSnapshots = route({
  method: 'get',
  path: '/entities',
  operation: 'getSnapshots',
  summary: 'Reads the snapshots of several entities',
  description: 'Use `/entitiesV2` instead.',
  deprecated: true,
  surface: 'aspect-api',
  parameters: { ids, aspects },
  required: ['ids'],
  answer: '{results: {<urn>: snapshot}, statuses, errors}',
  answers: () => ({
    200: { description: 'The snapshots by URN, below `results`.', schema: { type: 'object' } },
  }),
  errors: [400, 413],
});

export const getSnapshot = route({
  method: 'get',
  path: '/entities/{urn}',
  operation: 'getSnapshot',
  summary: 'Reads the snapshot of an entity',
  description: 'Use `/entitiesV2/{urn}` instead.',
  deprecated: true,
  surface: 'aspect-api',
  inPath: { urn },
  parameters: { aspects },
  answer: '{value: {<snapshot record>: {urn, aspects: [{<record name>: value}]}}}',
  answers: () => ({
    200: {
      description: 'The snapshot, under the name of its record.',
      schema: { type: 'object', required: ['value'] },
    },
  }),
  errors: [400, 404],
});

/** Reads of aspects and entities, in the order in which they are shown. */
export const READ_ROUTES = [
  getAspect,
  getEntityV2,
  getEntitiesV2,
  getEntitiesVersionedV2,
  getSnapshots,
  getSnapshot,
];
