import type { ActionRoute, DocumentSchemas, Resource } from '../../../catalog/route/index.js';
import { callSchema } from './action-schemas.js';
import type { Described } from './described.js';
import { capital } from './model-schemas.js';

/** The route of the actions on a resource, which are told apart by `action`. */
export interface ActionDispatcher {
  resource: Resource;
  summary: string;
  actions: readonly ActionRoute[];
  /** Whether some of them need the version of the protocol. */
  versioned?: boolean;
}

const dispatcher = (
  declared: readonly ActionRoute[],
  resource: Resource,
  summary: string,
): ActionDispatcher => ({
  resource,
  summary,
  actions: declared.filter((route) => route.resource === resource),
});

/** The actions of the aspect and entity JSON API. */
export const aspectApiActions = (declared: readonly ActionRoute[]): ActionDispatcher[] => [
  { ...dispatcher(declared, 'aspects', 'Writes aspects, and reads time series'), versioned: true },
  dispatcher(declared, 'entities', 'Searches, browses, counts and deletes entities'),
];

/** What whoever runs the service needs of the aspect API. */
export const operationsActions = (declared: readonly ActionRoute[]): ActionDispatcher[] => [
  dispatcher(declared, 'runs', 'Lists, describes and rolls back runs'),
  dispatcher(declared, 'operations', 'Looks after the search index; for administrators'),
];

export function describeActions(
  { resource, summary, actions, versioned }: ActionDispatcher,
  schemas: DocumentSchemas,
): Described {
  const examples = actions.map(
    ({ action, summary: text, example }) =>
      [action, { summary: text, value: typeof example === 'function' ? example(schemas) : example }] as const,
  );
  return {
    method: 'post',
    path: `/${resource}`,
    operationId: `call${capital(resource)}`,
    summary,
    description: actions.map(line).join('\n'),
    surface: 'aspect-api',
    parameters: [
      {
        parameter: {
          name: 'action',
          in: 'query',
          description: 'What to do.',
          schema: { type: 'string', enum: actions.map(({ action }) => action) },
          required: true,
          example: actions[0]!.action,
        },
      },
      ...(versioned ? [VERSION] : []),
    ],
    // Which body goes with which action is said by its name: OpenAPI has no words for it.
    body: {
      schema: { anyOf: actions.map((action) => callSchema(action, schemas)) },
      example: undefined,
      examples: Object.fromEntries(examples),
    },
    answers: {
      200: { description: 'The result, mostly below `value`.', schema: { type: 'object' } },
    },
    errors: [400, 404, 409, 412, 413, 422],
  };
}

const VERSION = {
  parameter: {
    name: 'X-RestLi-Protocol-Version',
    in: 'header' as const,
    description: '`2.0.0`. ingestProposal and ingestProposalBatch need it.',
    schema: { type: 'string' },
    example: '2.0.0',
  },
};

const line = ({ action, summary, deprecated }: ActionRoute): string =>
  `- \`${action}\`: ${summary}${deprecated === true ? ' (deprecated)' : ''}`;
