import {
  documented,
  example,
  flag,
  integer,
  name,
  names,
  restliList,
  route,
  text,
} from '../../catalog/route/index.js';

/** The media type of lines of JSON. */
export const LINES_TYPE = 'application/x-ndjson';

export const exportCatalog = route({
  method: 'get',
  path: '/openapi/v3/export',
  needs: 'manage',
  operation: 'exportCatalog',
  summary: 'Streams the whole catalog, or a part of it, from one moment',
  description:
    'Each line is a JSON object: a header, then each entity with its aspects, history and events, in the order of the URNs, and at the end the counts, a checksum, and the `cursor` at which the change feed goes on. Writes go on meanwhile and are not in it. An answer without the line of the end is not whole: with `cut` and `skipLines` its rest is answered. The import command takes it back. Needs the privilege to manage; aspects that no read shows are left out.',
  parameters: {
    entityType: documented(names('Only entities of these types.'), (schemas) => ({
      type: 'array',
      items: schemas.entityName(),
    })),
    urn: example(
      ['*shop.orders*'],
      documented(
        restliList('Only entities whose URN has one of these forms: `*` stands for any text.'),
        () => ({ type: 'array', items: { type: 'string' } }),
      ),
    ),
    query: example(
      'shop',
      text(
        'Only entities that a search for this finds, in `query_string` syntax, soft-deleted ones included. What was deleted is not found.',
      ),
    ),
    history: flag('Whether earlier values and deleted entities are told.', true),
    timeseries: flag('Whether events of time-series aspects are told.', true),
    tokens: flag('Whether access tokens are named; the tokens themselves are kept nowhere.', false),
    cut: name(
      'The header `X-Export-Cut` of an answer that was cut off: the same is answered again, as of its moment, with the same parameters. 410 where the catalog no longer has what it was then; not with `query`.',
    ),
    skipLines: integer('With `cut`: how many lines the caller has whole. The answer begins behind them.', {
      default: 0,
    }),
  },
  answer: 'lines of JSON',
  answers: () => ({
    200: {
      description: 'The lines, each a JSON object.',
      type: LINES_TYPE,
      schema: { type: 'string' },
      headers: {
        'X-Export-Cut': {
          description: 'For `cut`, should the answer be cut off; not with `query`.',
          schema: { type: 'string' },
        },
      },
    },
  }),
  errors: [400, 410, 429],
});

export const TRANSFER_ROUTES = [exportCatalog];
