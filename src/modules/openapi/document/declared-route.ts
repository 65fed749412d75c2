import { exampleOf, isUndocumented, sharedNameOf, type HttpRoute } from '../../../catalog/route/index.js';
import { declared, type ParameterName } from './parameters.js';
import type { Route, RouteContext } from './routes.js';
import { path } from './route-words.js';

/** What a module declares, as the documents are built from it. */
export function describedRoute(route: HttpRoute): Route<RouteContext> {
  const { operation, summary, parameters, required = [], inPath = {}, headers = {}, body, ...rest } = route;
  const documented = Object.entries(parameters).filter(([, parameter]) => !isUndocumented(parameter));
  const own = documented.filter(([, parameter]) => sharedNameOf(parameter) === undefined);
  return {
    ...rest,
    name: operation,
    summary: () => summary,
    parameters: documented.flatMap(([, parameter]) => (sharedNameOf(parameter) as ParameterName) ?? []),
    more: ({ schemas }) => [
      ...Object.entries(inPath).map(([name, { description, schema, example }]) =>
        path(name, description, schema(schemas), example),
      ),
      ...own.map(([name, parameter]) => {
        const example = exampleOf(parameter);
        return declared(name, parameter, schemas, {
          ...(required.includes(name) && { required: true }),
          ...(example !== undefined && { example }),
        });
      }),
      ...Object.entries(headers).map(([name, header]) => ({ name, in: 'header' as const, ...header })),
    ],
    ...(body && { body: ({ schemas }: RouteContext) => bodyOf(body(schemas)) }),
    answers: ({ schemas }) => route.answers(schemas),
  };
}

function bodyOf({ schema, example, ...rest }: ReturnType<NonNullable<HttpRoute['body']>>) {
  return { ...rest, media: { schema, example } };
}
