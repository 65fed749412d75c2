import { MAX_WINDOW } from '../../../catalog/search/index.js';
import {
  DATASET,
  filter,
  flag,
  name,
  names,
  number,
  ofUrn,
  one,
  optional,
  optionalText,
  proposalSchema,
  restore,
  scope,
  search,
  snapshotSchema,
  start,
  time,
} from './aspect-api-schemas.js';
import { capital } from './model-schemas.js';
import type { Schema } from './openapi-types.js';
import { closed, entityName, listOf, urn } from './route-words.js';
import type { RouteContext } from './routes.js';

/** One action of a resource: `POST /<resource>?action=<action>`. */
interface Action {
  action: string;
  summary: string;
  /** The parameters, which are the members of the body. */
  parameters: (context: RouteContext) => Record<string, Schema>;
  required?: readonly string[];
  /** A call. */
  body: unknown;
}

const proposal = {
  entityType: 'dataset',
  entityUrn: DATASET,
  changeType: 'UPSERT',
  aspectName: 'status',
  aspect: { contentType: 'application/json', value: '{"removed":false}' },
};

const snapshot = {
  value: {
    'com.linkedin.metadata.snapshot.TagSnapshot': {
      urn: 'urn:li:tag:pii',
      aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'pii' } }],
    },
  },
};

/** The actions of each resource, with a call of each. */
export const ACTIONS: Readonly<Record<'aspects' | 'entities' | 'runs' | 'operations', readonly Action[]>> = {
  aspects: [
    {
      action: 'ingestProposal',
      summary: 'Writes one aspect of one entity',
      parameters: (context) => ({ proposal: proposalSchema(context), async: flag }),
      required: ['proposal'],
      body: { proposal },
    },
    {
      action: 'ingestProposalBatch',
      summary: 'Carries out several proposals: all or none',
      parameters: (context) => ({ proposals: listOf(proposalSchema(context)), async: flag }),
      required: ['proposals'],
      body: { proposals: [proposal] },
    },
    {
      action: 'getTimeseriesAspectValues',
      summary: 'Reads the events of a time-series aspect, newest first',
      parameters: (context) => ({
        ...ofUrn(context),
        ...one(context),
        aspect: context.schemas.aspectName('timeseries'),
        startTimeMillis: time,
        endTimeMillis: time,
        limit: number(1),
        latestValue: flag,
        filter: filter(context),
        sort: optional(
          context.schemas.component('TimeseriesSort', () => ({
            type: 'object',
            required: ['field'],
            properties: {
              field: { type: 'string', enum: ['timestampMillis'] },
              order: { type: 'string', enum: ['ASCENDING', 'DESCENDING'] },
            },
          })),
        ),
      }),
      required: ['urn', 'entity', 'aspect'],
      body: {
        urn: DATASET,
        entity: 'dataset',
        aspect: 'datasetProfile',
        startTimeMillis: 0,
        endTimeMillis: 1_900_000_000_000,
      },
    },
    {
      action: 'getCount',
      summary: 'Counts the entities that have an aspect',
      parameters: ({ schemas }) => ({
        aspect: schemas.aspectName(),
        urnLike: optionalText,
      }),
      required: ['aspect'],
      body: { aspect: 'status', urnLike: 'urn:li:dataset:%' },
    },
    {
      action: 'restoreIndices',
      summary: 'Writes entities to the search index again',
      parameters: restore,
      body: { urn: DATASET },
    },
  ],
  entities: [
    {
      action: 'ingest',
      summary: 'Writes the aspects of one snapshot (deprecated)',
      parameters: (context) => ({
        entity: snapshotSchema(context),
        systemMetadata: optional(context.schemas.common('SystemMetadataInput')),
      }),
      required: ['entity'],
      body: { entity: snapshot },
    },
    {
      action: 'batchIngest',
      summary: 'Writes the aspects of several snapshots: all or none',
      parameters: (context) => ({
        entities: listOf(snapshotSchema(context)),
        systemMetadata: {
          type: ['array', 'null'],
          description: 'One for each snapshot, or none.',
          items: optional(context.schemas.common('SystemMetadataInput')),
        },
      }),
      required: ['entities'],
      body: { entities: [snapshot] },
    },
    {
      action: 'search',
      summary: 'Finds entities of one type',
      parameters: (context) => ({ ...one(context), input: { type: 'string' }, start, ...search(context) }),
      required: ['entity', 'input'],
      body: { entity: 'dataset', input: 'orders', start: 0, count: 10 },
    },
    {
      action: 'searchAcrossEntities',
      summary: 'Finds entities of several types',
      parameters: (context) => ({
        entities: names(context),
        input: { type: 'string' },
        start,
        ...search(context),
      }),
      required: ['input'],
      body: { entities: ['dataset', 'chart'], input: 'orders', start: 0, count: 10 },
    },
    {
      action: 'scrollAcrossEntities',
      summary: 'Walks over all hits page by page',
      parameters: (context) => ({
        entities: names(context),
        input: { type: 'string' },
        scrollId: optionalText,
        keepAlive: { description: 'Taken for older clients: a scroll id does not expire.' },
        ...search(context),
      }),
      required: ['input'],
      body: { entities: ['dataset'], input: '*', count: 10 },
    },
    {
      action: 'filter',
      summary: 'Finds entities of one type by a filter alone',
      parameters: (context) => ({ ...one(context), start, ...search(context) }),
      required: ['entity'],
      body: {
        entity: 'dataset',
        filter: { or: [{ and: [{ field: 'origin', condition: 'EQUAL', values: ['PROD'] }] }] },
        start: 0,
        count: 10,
      },
    },
    {
      action: 'list',
      summary: 'Lists the URNs of entities of one type',
      parameters: (context) => ({ ...one(context), start, ...search(context) }),
      required: ['entity'],
      body: { entity: 'dataset', start: 0, count: 10 },
    },
    {
      action: 'autocomplete',
      summary: 'Completes the name of an entity',
      parameters: (context) => ({
        ...one(context),
        query: { type: 'string' },
        field: optionalText,
        limit: number(),
        start: number(),
        ...scope(context),
      }),
      required: ['entity', 'query'],
      body: { entity: 'dataset', query: 'ord', limit: 10 },
    },
    {
      action: 'browse',
      summary: 'Shows one level of the tree of browse paths',
      parameters: (context) => ({
        ...one(context),
        path: optionalText,
        start,
        limit: number(),
        ...scope(context),
      }),
      required: ['entity'],
      body: { entity: 'dataset', path: '/prod', start: 0, limit: 10 },
    },
    {
      action: 'getBrowsePaths',
      summary: 'Tells where in the browse tree an entity is',
      parameters: ofUrn,
      required: ['urn'],
      body: { urn: DATASET },
    },
    {
      action: 'exists',
      summary: 'Tells whether an entity exists',
      parameters: (context) => ({ ...ofUrn(context), includeSoftDelete: flag }),
      required: ['urn'],
      body: { urn: DATASET },
    },
    {
      action: 'filterExistingUrns',
      summary: 'Picks the URNs of entities that exist',
      parameters: (context) => ({
        request: context.schemas.component('FilterExistingUrnsRequest', () =>
          closed({ urns: listOf(urn(context)), includeSoftDelete: flag }, ['urns']),
        ),
      }),
      required: ['request'],
      body: { request: { urns: [DATASET] } },
    },
    {
      action: 'listUrns',
      summary: 'Lists the URNs of entities of one type',
      parameters: (context) => ({ ...one(context), start: number(), count: number() }),
      required: ['entity'],
      body: { entity: 'dataset', start: 0, count: 10 },
    },
    {
      action: 'getTotalEntityCount',
      summary: 'Counts the entities of one type',
      parameters: one,
      required: ['entity'],
      body: { entity: 'dataset' },
    },
    {
      action: 'batchGetTotalEntityCount',
      summary: 'Counts the entities of several types',
      parameters: (context) => ({ entities: listOf(entityName(context)) }),
      required: ['entities'],
      body: { entities: ['dataset'] },
    },
    {
      action: 'delete',
      summary: 'Deletes an entity for good',
      parameters: (context) => ({
        ...ofUrn(context),
        aspectName: optionalText,
        startTimeMillis: time,
        endTimeMillis: time,
      }),
      required: ['urn'],
      body: { urn: 'urn:li:tag:pii' },
    },
    {
      action: 'deleteReferences',
      summary: 'Removes the references to an entity',
      parameters: (context) => ({ ...ofUrn(context), dryRun: flag }),
      required: ['urn'],
      body: { urn: 'urn:li:tag:pii', dryRun: true },
    },
  ],
  runs: [
    {
      action: 'list',
      summary: 'Lists runs',
      parameters: () => ({ pageOffset: number(), pageSize: number(), includeSoft: flag }),
      body: { pageOffset: 0, pageSize: 100 },
    },
    {
      action: 'describe',
      summary: 'Describes what stands from a run',
      parameters: () => ({
        runId: name,
        start: number(),
        count: number(),
        includeSoft: flag,
        includeAspect: flag,
      }),
      required: ['runId'],
      body: { runId: 'nightly-1', start: 0, count: 100 },
    },
    {
      action: 'rollback',
      summary: 'Rolls a run back',
      parameters: () => ({ runId: name, dryRun: flag, hardDelete: flag, safe: flag }),
      required: ['runId'],
      body: { runId: 'nightly-1', dryRun: true },
    },
  ],
  operations: [
    {
      action: 'verify',
      summary: 'Compares store and search index, and repairs the index',
      parameters: () => ({ repair: flag, buckets: number(1, 65_536), limit: number(0, MAX_WINDOW) }),
      body: {},
    },
    {
      action: 'restoreIndices',
      summary: 'Writes entities to the search index again',
      parameters: restore,
      body: {},
    },
    {
      action: 'systemUpdate',
      summary: 'Builds the search index anew, and carries out the steps of an update',
      parameters: () => ({ mappingsReindex: flag, structuredProperties: flag }),
      body: { mappingsReindex: false },
    },
    {
      action: 'systemUpdateProgress',
      summary: 'Tells what the last system update of this process has reported',
      parameters: () => ({ from: number() }),
      body: { from: 0 },
    },
    {
      action: 'propertyRemovals',
      summary: 'Tells how far the removal of values of structured properties is',
      parameters: (context) => ({ urn: optional(urn(context)), count: number(0, 1000) }),
      body: { count: 20 },
    },
  ],
};

/** The body of each action of a resource: an object of its parameters, `<Resource><Action>Call`. */
export function callSchemas(resource: keyof typeof ACTIONS, context: RouteContext): Schema[] {
  return ACTIONS[resource].map(({ action, parameters, required }) =>
    context.schemas.component(`${capital(resource)}${capital(action)}Call`, () => ({
      ...closed(parameters(context), required),
      description: `The parameters of \`${action}\`.`,
    })),
  );
}
