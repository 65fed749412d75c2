import { Injectable } from '@nestjs/common';
import { RestliAction } from '../../catalog/extension/documented.js';
import { EntityActions } from '../../catalog/extension/entity-actions.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import { EntityCountService } from './counts/entity-count.service.js';
import { DeletionService } from './deletion.service.js';
import { ExistenceService } from './existence.service.js';
import { ReferencesService } from './references/references.service.js';

const ANY_TIME = Number.MIN_SAFE_INTEGER;

/** URNs listed in one answer. */
const MAX_URNS = 10_000;

/** The actions of `POST /entities` about the life of entities: whether they are there, and their end. */
@Injectable()
export class LifecycleActions extends EntityActions {
  @RestliAction({
    resource: 'entities',
    action: 'delete',
    summary: 'Deletes an entity for good, or one of its aspects, or a range of events.',
    parameters: {
      urn: 'URN of the entity',
      aspectName: 'only this aspect',
      startTimeMillis: 'events of a time-series aspect from here on, included',
      endTimeMillis: 'and up to here, included',
    },
    answer:
      '{urn, rows, timeseriesRows}; zeros when there was nothing to delete; references: where it can be followed how a label, user or domain is taken off what refers to it',
  })
  @RestliAction({
    resource: 'entities',
    action: 'deleteReferences',
    summary:
      'Removes the references to an entity from all aspects that hold one; the entity may be gone already.',
    parameters: { urn: 'URN that is referred to', dryRun: 'true only finds the references' },
    answer: '{total, relatedAspects: [{relationshipType, urn, aspect}], left: those that cannot be removed}',
  })
  @RestliAction({
    resource: 'entities',
    action: 'exists',
    summary: 'Tells whether an entity exists.',
    parameters: {
      urn: 'URN of the entity',
      includeSoftDelete: 'whether a soft-deleted one counts, default true',
    },
    answer: 'true or false',
  })
  @RestliAction({
    resource: 'entities',
    action: 'filterExistingUrns',
    summary: 'Picks the URNs of entities that exist.',
    parameters: { request: '{urns: [urn], includeSoftDelete: default true}' },
    answer: 'list of URNs, in the order given',
  })
  @RestliAction({
    resource: 'entities',
    action: 'getTotalEntityCount',
    summary: 'Counts the entities of one type, without soft-deleted ones.',
    parameters: { entity: 'name of the entity' },
    answer: 'a number',
  })
  @RestliAction({
    resource: 'entities',
    action: 'batchGetTotalEntityCount',
    summary: 'Counts the entities of several types, without soft-deleted ones.',
    parameters: { entities: 'names of entities' },
    answer: '{<entity>: number}',
  })
  @RestliAction({
    resource: 'entities',
    action: 'listUrns',
    summary: 'Lists the URNs of entities of one type, without soft-deleted ones, in their own order.',
    parameters: {
      entity: 'name of the entity',
      start: 'how many to leave out, default 0',
      count: `at most ${MAX_URNS}, default 10`,
    },
    answer: '{entities: [urn], start, count, total}',
  })
  readonly actions: EntityActions['actions'] = {
    delete: async (principal, body) => {
      const parameters = Parameters.of(body, ['urn', 'aspectName', 'startTimeMillis', 'endTimeMillis']);
      const urn = parameters.urn('urn');
      const from = parameters.integer('startTimeMillis', ANY_TIME);
      const to = parameters.integer('endTimeMillis', ANY_TIME);
      return this.deletions.delete(principal, urn, parameters.optionalText('aspectName'), { from, to });
    },
    deleteReferences: async (principal, body) => {
      const parameters = Parameters.of(body, ['urn', 'dryRun']);
      const dryRun = parameters.flag('dryRun') ?? false;
      return this.references.remove(principal, parameters.urn('urn'), dryRun);
    },
    exists: async (principal, body) => {
      const parameters = Parameters.of(body, ['urn', 'includeSoftDelete']);
      const urn = parameters.text('urn');
      const includeSoftDelete = parameters.flag('includeSoftDelete') ?? true;
      const found = await this.existence.existing(principal, [urn], { includeSoftDelete, urnsAt: '/urn' });
      return found.length > 0;
    },
    filterExistingUrns: async (principal, body) => {
      const request = Parameters.of(body, ['request']).get('request');
      if (request === undefined)
        throw refuse('PARAMETER_MISSING', 'the parameter "request" is missing', '/request');
      const { urns, includeSoftDelete } = below('/request', () => {
        const parameters = Parameters.of(request, ['urns', 'includeSoftDelete']);
        return {
          urns: names(parameters, 'urns'),
          includeSoftDelete: parameters.flag('includeSoftDelete') ?? true,
        };
      });
      return this.existence.existing(principal, urns, { includeSoftDelete, urnsAt: '/request/urns' });
    },
    getTotalEntityCount: async (principal, body) => {
      const name = Parameters.of(body, ['entity']).text('entity');
      const [count] = await this.counts.counts(principal, [name], () => '/entity');
      return count?.active;
    },
    listUrns: async (principal, body) => {
      const parameters = Parameters.of(body, ['entity', 'start', 'count']);
      const start = parameters.integer('start') ?? 0;
      const count = Math.min(parameters.integer('count') ?? 10, MAX_URNS);
      return this.counts.list(principal, parameters.text('entity'), start, count);
    },
    batchGetTotalEntityCount: async (principal, body) => {
      const asked = names(Parameters.of(body, ['entities']), 'entities');
      const counts = await this.counts.counts(principal, asked, (index) => `/entities/${index}`);
      return Object.fromEntries(counts.map(({ entity, active }) => [entity.name, active]));
    },
  };

  constructor(
    private readonly deletions: DeletionService,
    private readonly references: ReferencesService,
    private readonly existence: ExistenceService,
    private readonly counts: EntityCountService,
  ) {
    super();
  }
}

function names(parameters: Parameters, name: string): string[] {
  return parameters.list(name).map((value, index) => {
    if (typeof value === 'string') return value;
    throw refuse('PARAMETER_INVALID', 'must be a text', `/${name}/${index}`);
  });
}

function below<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CatalogError ? error.below(pointer) : error;
  }
}
