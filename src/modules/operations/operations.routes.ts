import { route, type HttpRoute } from '../../catalog/route/index.js';

/** What load balancers and clients ask before they have a token; any query is accepted. */
const open = { method: 'get', open: true, parameters: {}, errors: [] } as const;

const health = ({ unready = true }: { unready?: boolean } = {}): HttpRoute['answers'] => {
  return (schemas) => {
    const schema = schemas.component('HealthStatus', () => ({
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string' } },
    }));
    return {
      200: { description: 'Well.', schema },
      ...(unready && { 503: { description: 'Not ready.', schema } }),
    };
  };
};
const PARTS = 'Names each part that the service needs, and its state.';

export const getHealth = route({
  ...open,
  path: '/health',
  operation: 'health',
  summary: 'How the service and its parts are',
  description: PARTS,
  answer: '200 or 503 with {status, parts}',
  answers: health(),
});

export const getLiveness = route({
  ...open,
  path: '/health/live',
  operation: 'health_live',
  summary: 'Whether the process runs',
  description: 'Looks at nothing but the process itself.',
  answer: '200 with {status}',
  answers: health({ unready: false }),
});

export const getReadiness = route({
  ...open,
  path: '/health/ready',
  operation: 'health_ready',
  summary: 'Whether requests can be served',
  description: PARTS,
  answer: '200 or 503 with {status}',
  answers: health(),
});

export const getConfig = route({
  ...open,
  path: '/config',
  operation: 'getConfig',
  summary: 'What this service is and can do',
  description:
    'Returns the version and the capabilities of the service, which clients look at first; with `verbose=true` also whether the caller is `anonymous`, a `user` or an `admin`.',
  answer: '{noCode, versions, patchCapable, …, userType: with verbose=true anonymous, user or admin}',
  errors: [429, 503],
  answers: () => ({ 200: { description: 'The configuration.', schema: { type: 'object' } } }),
});

/** Needs no token. */
export const HEALTH_ROUTES = [getHealth, getLiveness, getReadiness, getConfig];

/** Not in the documents: a text for machines, and pages for people. */
export const getMetrics = route({
  method: 'get',
  path: '/metrics',
  operation: 'getMetrics',
  summary: 'Metrics for Prometheus',
  description: 'Returns the metrics of this process.',
  parameters: {},
  answer: 'text in its exposition format',
  answers: () => ({ 200: { description: 'The metrics.' } }),
  errors: [404],
});

export const getLandingPage = route({
  ...open,
  path: '/',
  operation: 'getLandingPage',
  summary: 'A page that leads to the others',
  description: 'A page for people.',
  answers: () => ({ 200: { description: 'The page.' } }),
});
