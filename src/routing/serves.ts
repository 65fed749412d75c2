import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Documented, type ExampleCall } from '../catalog/extension/documented.js';
import { checkQuery, exampleOf, phrasesOf, type HttpRoute, type Shape } from '../catalog/route/index.js';

const METHODS = {
  get: RequestMethod.GET,
  head: RequestMethod.HEAD,
  post: RequestMethod.POST,
  patch: RequestMethod.PATCH,
  delete: RequestMethod.DELETE,
};

/** What is said of a route where it is served; `path` may be one below that of the controller. */
type Served = Pick<HttpRoute, 'method' | 'path' | 'summary' | 'parameters'> &
  Partial<Pick<HttpRoute, 'inPath' | 'answer' | 'deprecated' | 'open' | 'headers'>> & { body?: unknown };

/**
 * Serves a declared route by a method of a controller.
 * @param others the same at other addresses
 */
export function Serves(route: Served, ...others: Served[]): MethodDecorator {
  const { method, summary, parameters, inPath = {}, answer, deprecated, open } = route;
  const takesNone = open !== true && Object.keys(parameters).length === 0;
  return applyDecorators(
    RequestMapping({
      method: METHODS[method],
      path: [route, ...others].map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
    }),
    HttpCode(200),
    ...(takesNone ? [UseGuards(withoutQuery(route))] : []),
    Documented({
      summary: `${summary}.`,
      ...phrasesOf({ ...inPath, ...parameters }),
      ...(answer !== undefined && { answer }),
      ...exampleOfCall(route),
      ...(deprecated === true && { deprecated }),
    }),
  );
}

/** The call that the examples of a read make; none where one of them depends on the model. */
function exampleOfCall({ path, parameters, inPath = {}, headers = {}, body }: Served): {
  example?: ExampleCall;
} {
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => [name, inPath[name]?.example] as const,
  );
  const unknown = parts.some(
    ([name, example]) => typeof example !== 'string' || inPath[name]?.placeholder === true,
  );
  if (body !== undefined || unknown || !path.startsWith('/')) return {};
  const address = parts.reduce(
    (text, [name, example]) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = Object.entries(parameters)
    .map(([name, parameter]) => [name, exampleOf(parameter)] as const)
    .filter(([, example]) => example !== undefined)
    .map(([name, example]) => `${name}=${encodeURIComponent(String(example))}`);
  const sent = Object.entries(headers).filter(([, { example }]) => example !== undefined);
  return {
    example: {
      path: query.length > 0 ? `${address}?${query.join('&')}` : address,
      ...(sent.length > 0 && {
        headers: Object.fromEntries(sent.map(([name, { example }]) => [name, String(example)])),
      }),
    },
  };
}

/** Refuses any query where there is no {@link QueryOf} to do so. */
const withoutQuery = (route: Shape): CanActivate => ({
  canActivate: (context) => {
    checkQuery(route, context.switchToHttp().getRequest<{ query: unknown; url: string }>());
    return true;
  },
});

/** The parameters of the query of a declared route, checked. */
export const QueryOf: (route: Shape) => ParameterDecorator = createParamDecorator(
  (route: Shape, context: ExecutionContext) =>
    checkQuery(route, context.switchToHttp().getRequest<{ query: unknown; url: string }>()),
);
