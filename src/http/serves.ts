import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  type ExecutionContext,
} from '@nestjs/common';
import { Documented } from '../catalog/extension/documented.js';
import { check, phrasesOf, type HttpRoute, type Shape } from '../catalog/route/index.js';

/** Serves a declared route by a method of a controller without a path of its own. */
export function Serves(route: HttpRoute): MethodDecorator {
  const { method, path, summary, parameters, inPath = {} } = route;
  return applyDecorators(
    RequestMapping({
      method: method === 'get' ? RequestMethod.GET : RequestMethod.POST,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    }),
    HttpCode(200),
    Documented({ summary: `${summary}.`, ...phrasesOf({ ...inPath, ...parameters }) }),
  );
}

/** The parameters of the query of a declared route, checked. */
export const QueryOf: (route: Shape) => ParameterDecorator = createParamDecorator(
  (route: Shape, context: ExecutionContext) =>
    check(route, context.switchToHttp().getRequest<{ query: unknown }>().query),
);
