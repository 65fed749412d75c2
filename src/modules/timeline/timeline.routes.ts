import { DATASET, documented, example, flag, restliList, route, integer } from '../../catalog/route/index.js';
import { CATEGORIES } from './change-event.js';

export const getTimeline = route({
  method: 'get',
  path: '/openapi/v2/timeline/v1/{urn}',
  operation: 'getTimeline',
  summary: 'Returns the changes of an entity, in the order of time',
  description:
    'Compares the versions of the aspects of the categories, and returns the changes with a semantic version each. More than 50,000 changes are refused with 400: ask for a narrower time.',
  inPath: {
    urn: {
      description: 'The URN, percent-encoded.',
      schema: (schemas) => schemas.knownUrn(),
      example: DATASET,
    },
  },
  parameters: {
    categories: example(
      'TAG,OWNERSHIP',
      documented(restliList('Which changes: one or several, separated by commas.'), () => ({
        type: 'string',
        pattern: `^(?:${CATEGORIES.join('|')})(?:,(?:${CATEGORIES.join('|')}))*$`,
      })),
    ),
    startTime: integer('Epoch milliseconds, included; from the beginning when left out, or -1.', {
      minimum: -1,
    }),
    endTime: integer('Epoch milliseconds, included; until now when left out, or 0.'),
    raw: flag('true adds the difference of the values as JSON Patch.', false),
    includeVersionSet: flag('true adds the changes of all other versions in its version set.', false),
  },
  required: ['categories'],
  answer:
    '[{timestamp, actor, semVer, semVerChange, changeEvents: [{category, operation, entityUrn, modifier, description}]}]',
  answers: () => ({
    200: { description: 'The changes.', schema: { type: 'array', items: { type: 'object' } } },
  }),
  errors: [400, 404],
});

/** Under an older path. */
export const getTimelineV1: typeof getTimeline = {
  ...getTimeline,
  path: '/openapi/timeline/v1/{urn}',
  operation: 'getTimelineV1',
};

/** What happened to entities, on the OpenAPI surface. */
export const TIMELINE_ROUTES = [getTimeline, getTimelineV1];
