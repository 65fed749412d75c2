import type { ActionRoute, Resource } from '../../../catalog/route/index.js';
import { callSchema } from './action-schemas.js';
import { capital } from './model-schemas.js';
import type { MediaType, Parameter } from './openapi-types.js';
import { query } from './route-words.js';
import type { Route, RouteContext } from './routes.js';

/** The route of the actions on a resource, which are told apart by `action`. */
function actionRoute(
  declared: readonly ActionRoute[],
  resource: Resource,
  summary: string,
  headers: readonly Parameter[] = [],
): Route<RouteContext> {
  const actions = declared.filter((route) => route.resource === resource);
  const examples: NonNullable<MediaType['examples']> = Object.fromEntries(
    actions.map(({ action, summary: text, example }) => [action, { summary: text, value: example }]),
  );
  return {
    method: 'post',
    path: `/${resource}`,
    name: `call${capital(resource)}`,
    summary: () => summary,
    description: actions.map(described).join('\n'),
    surface: 'aspect-api',
    more: () => [
      query(
        'action',
        'What to do.',
        { type: 'string', enum: actions.map(({ action }) => action) },
        { required: true, example: actions[0]!.action },
      ),
      ...headers,
    ],
    // Which body goes with which action is said by its name: OpenAPI has no words for it.
    body: ({ schemas }) => ({
      media: { schema: { anyOf: actions.map((action) => callSchema(action, schemas)) }, examples },
    }),
    answers: () => ({
      200: { description: 'The result, mostly below `value`.', schema: { type: 'object' } },
    }),
    errors: [400, 404, 409, 412, 413, 422],
  };
}

const described = ({ action, summary, deprecated }: ActionRoute): string =>
  `- \`${action}\`: ${summary}${deprecated === true ? ' (deprecated)' : ''}`;

/** The actions of the aspect and entity JSON API. */
export const aspectApi = (actions: readonly ActionRoute[]): ReadonlyArray<Route<RouteContext>> => [
  actionRoute(actions, 'aspects', 'Writes aspects, and reads time series', [
    {
      name: 'X-RestLi-Protocol-Version',
      in: 'header',
      description: '`2.0.0`. ingestProposal and ingestProposalBatch need it.',
      schema: { type: 'string' },
      example: '2.0.0',
    },
  ]),
  actionRoute(actions, 'entities', 'Searches, browses, counts and deletes entities'),
];

/** What whoever runs the service needs of the aspect API. */
export const operations = (actions: readonly ActionRoute[]): ReadonlyArray<Route<RouteContext>> => [
  actionRoute(actions, 'runs', 'Lists, describes and rolls back runs'),
  actionRoute(actions, 'operations', 'Looks after the search index; for administrators'),
];
