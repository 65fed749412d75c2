import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { listParameter, queryOf } from '../../catalog/restli/index.js';

/** A parameter such as `aspects=List(a,b)`, read from the raw target: undefined when absent. */
export const ListQuery: (name: string) => ParameterDecorator = createParamDecorator(
  (name: string, context: ExecutionContext) =>
    listParameter(queryOf(context.switchToHttp().getRequest<{ url: string }>().url), name),
);

/** The list, which must have been given. */
export function required(name: string, values: string[] | undefined): string[] {
  if (values === undefined)
    throw refuse('PARAMETER_MISSING', `the parameter "${name}" is missing`, `/${name}`);
  return values;
}
