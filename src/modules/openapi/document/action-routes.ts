import {
  bodyOf,
  type ActionResource,
  type ActionRoute,
  type DocumentSchemas,
} from '../../../catalog/route/index.js';
import { callSchema } from './action-schemas.js';
import type { Described } from './described.js';
import { capital } from './model-schemas.js';

/** The route of the actions on a resource, which are told apart by `action`. */
export function describeActions(
  { name: resource, summary }: ActionResource,
  declared: readonly ActionRoute[],
  schemas: DocumentSchemas,
): Described {
  const actions = declared.filter((route) => route.resource === resource);
  const versioned = actions.filter(({ protocolVersion }) => protocolVersion);
  const examples = actions.map(
    (route) => [route.action, { summary: route.summary, value: bodyOf(route, schemas) }] as const,
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
      ...(versioned.length > 0 ? [versionOf(versioned)] : []),
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

const versionOf = (actions: readonly ActionRoute[]) => ({
  parameter: {
    name: 'X-RestLi-Protocol-Version',
    in: 'header' as const,
    description: `\`2.0.0\`. ${actions.map(({ action }) => action).join(' and ')} need it.`,
    schema: { type: 'string' },
    example: '2.0.0',
  },
});

const line = ({ action, summary, deprecated }: ActionRoute): string =>
  `- \`${action}\`: ${summary}${deprecated === true ? ' (deprecated)' : ''}`;
