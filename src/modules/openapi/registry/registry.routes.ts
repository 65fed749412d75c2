import type { JsonSchema } from '../../../catalog/model/index.js';
import { integer, route, type DocumentSchemas, type PathParameter } from '../../../catalog/route/index.js';

const MODELS = '/openapi/v1/registry/models';

const whole: JsonSchema = { type: 'integer', minimum: 0 };

const page = (description: string) => () => ({
  200: {
    description,
    schema: {
      type: 'object',
      required: ['start', 'count', 'total', 'elements'],
      additionalProperties: false,
      properties: {
        start: whole,
        count: whole,
        total: whole,
        elements: { type: 'array', items: { type: 'object' } },
      },
    },
  },
});
const one = (description: string) => () => ({ 200: { description, schema: { type: 'object' } } });

const range = {
  start: integer('How many to leave out at the beginning.', { default: 0 }),
  count: integer('The most entries.', { maximum: 1000, default: 20 }),
};

const entity: PathParameter = {
  description: 'The kind.',
  schema: (schemas: DocumentSchemas) => schemas.entityName(),
  example: 'dataset',
};
const aspect: PathParameter = {
  description: 'The aspect.',
  schema: (schemas: DocumentSchemas) => schemas.aspectName(),
  // One with fields of all kinds: it is searched, and refers to others.
  example: 'ownership',
};

export const listEntitySpecifications = route({
  method: 'get',
  path: `${MODELS}/entity/specifications`,
  operation: 'listEntitySpecifications',
  summary: 'Lists the kinds of entities',
  description:
    'Returns the entity types of the model with their key aspect and aspects, in the order of their names. `relationshipFieldSpecs` of an aspect says which of its fields refer to other entities, and of which types.',
  parameters: range,
  answers: page('One page of kinds.'),
  errors: [400],
});

export const getEntitySpecification = route({
  method: 'get',
  path: `${MODELS}/entity/specifications/{entity}`,
  operation: 'getEntitySpecification',
  summary: 'Describes one kind of entities',
  description: 'Returns the key aspect and the other aspects of the type.',
  inPath: { entity },
  parameters: {},
  answers: one('The kind, with its aspects.'),
  errors: [400],
});

export const listAspectSpecificationsOfEntity = route({
  method: 'get',
  path: `${MODELS}/entity/specifications/{entity}/aspects`,
  operation: 'listAspectSpecificationsOfEntity',
  summary: 'Lists the aspects of one kind of entities',
  description: 'Returns the aspects that entities of the type can have.',
  inPath: { entity },
  parameters: range,
  answers: page('One page of aspects.'),
  errors: [400],
});

export const listAspectSpecifications = route({
  method: 'get',
  path: `${MODELS}/aspect/specifications`,
  operation: 'listAspectSpecifications',
  summary: 'Lists the aspects',
  description: 'Answers all aspects of the model, in the order of their names.',
  parameters: range,
  answers: page('One page of aspects.'),
  errors: [400],
});

export const getAspectSpecification = route({
  method: 'get',
  path: `${MODELS}/aspect/specifications/{aspect}`,
  operation: 'getAspectSpecification',
  summary: 'Describes one aspect, with its JSON Schema',
  description: 'Returns the JSON Schema of the aspect, and which of its fields are searched and related.',
  inPath: { aspect },
  parameters: {},
  answers: one('The aspect.'),
  errors: [400],
});

/** What the service knows about its own model. */
export const REGISTRY_ROUTES = [
  listEntitySpecifications,
  getEntitySpecification,
  listAspectSpecificationsOfEntity,
  listAspectSpecifications,
  getAspectSpecification,
];
