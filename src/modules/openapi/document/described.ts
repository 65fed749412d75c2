import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import {
  DATASET,
  documentationOf,
  exampleOf,
  isUndocumented,
  sharedNameOf,
  type DocumentSchemas,
  type HttpRoute,
  type PathParameter,
  type RouteAnswer,
  type RouteBody,
} from '../../../catalog/route/index.js';
import { OF_VERSIONS } from '../request/shared-parameters.js';
import type { EntityRoute, Subject } from '../request/entity-route.js';
import { capital } from './model-schemas.js';
import type { HttpMethod, MediaType, Parameter } from './openapi-types.js';

/** An operation as a document shows it. */
export interface Described {
  method: HttpMethod;
  path: string;
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  surface?: 'aspect-api';
  open?: boolean;
  parameters: DescribedParameter[];
  body?: (RouteBody & { examples?: MediaType['examples'] }) | undefined;
  answers: Readonly<Record<number, RouteAnswer>>;
  errors: readonly number[];
}

/** @param shared the name under which several operations refer to it */
export interface DescribedParameter {
  shared?: string | undefined;
  parameter: Parameter;
}

type WithParameters = Pick<HttpRoute, 'parameters' | 'required' | 'inPath' | 'headers'>;

/** What a module declares, as a document shows it. */
export function describeRoute(route: HttpRoute, schemas: DocumentSchemas): Described {
  const { operation, body, answers, method, path, summary, description, errors } = route;
  const { deprecated, surface, open } = route;
  return {
    ...{ method, path, summary, description, errors, operationId: operation },
    ...(deprecated && { deprecated }),
    ...(surface && { surface }),
    ...(open && { open }),
    parameters: parametersOf(route, schemas),
    body: body?.(schemas),
    answers: answers(schemas),
  };
}

/** An operation of entities by one address for all kinds. */
export function describeAnyKind(route: EntityRoute, subject: Subject): Described {
  const { schemas } = subject;
  const { operation, body, answers, method, path, summary, description, errors } = route;
  const inPath = Object.fromEntries(Object.entries(IN_PATH).filter(([name]) => path.includes(`{${name}}`)));
  return {
    ...{ method, path: `/openapi/v3/entity/${path}`, summary, description, errors, operationId: operation },
    parameters: parametersOf({ ...route, inPath }, schemas),
    body: body?.(subject),
    answers: answers(subject),
  };
}

/** An operation of the entities of one kind, or of one aspect of these. */
export function describeEach(
  route: EntityRoute,
  subject: Subject,
  version: 'v2' | 'v3',
  entity: EntitySpec,
  aspect?: AspectSpec,
): Described {
  const { each, body, answers, method, errors } = route;
  const path = route.path.replace('{entity}', entity.name).replace('{aspect}', aspect?.name ?? '');
  const name = capital(entity.name) + capital(aspect?.name ?? '');
  return {
    ...{ method, errors, path: `/openapi/${version}/entity/${path}` },
    operationId: `${each.operation}${version.toUpperCase()}${name}`,
    summary: each.summary(entity, aspect),
    description: each.description?.(aspect) ?? route.description,
    parameters: parametersOf(route, subject.schemas).filter(
      ({ shared }) => aspect?.kind !== 'timeseries' || shared === undefined || !OF_VERSIONS.has(shared),
    ),
    body: body?.(subject),
    answers: answers(subject),
  };
}

const IN_PATH: Readonly<Record<string, PathParameter>> = {
  entity: {
    description: 'The kind of the entity, as in its URN.',
    schema: (schemas) => schemas.entityName(),
    example: 'dataset',
  },
  urn: {
    description: 'The URN of the entity, percent-encoded.',
    schema: (schemas) => schemas.knownUrn(),
    example: DATASET,
  },
  aspect: {
    description: 'The name of the aspect.',
    schema: (schemas) => schemas.aspectName(),
    example: (schemas) => schemas.example('dataset').aspect,
  },
};

/** What is shared comes first. */
function parametersOf(
  { parameters, required = [], inPath = {}, headers = {} }: WithParameters,
  schemas: DocumentSchemas,
): DescribedParameter[] {
  const inQuery = Object.entries(parameters)
    .filter(([, parameter]) => !isUndocumented(parameter))
    .map(([name, parameter]): DescribedParameter => {
      const { description, ...own } = parameter;
      const example = exampleOf(parameter);
      return {
        shared: sharedNameOf(parameter),
        parameter: {
          name,
          in: 'query',
          description,
          schema: documentationOf(parameter)?.(schemas) ?? own,
          ...(required.includes(name) && { required: true }),
          ...(example !== undefined && { example }),
        },
      };
    });
  const inHeaders = Object.entries(headers).map(([name, header]): DescribedParameter => ({
    shared: sharedNameOf(header),
    parameter: { name, in: 'header', ...header },
  }));
  const path = Object.entries(inPath).map(([name, { description, schema, example }]): DescribedParameter => ({
    parameter: {
      ...{ name, in: 'path', required: true, description, schema: schema(schemas) },
      example: typeof example === 'function' ? example(schemas) : example,
    },
  }));
  const all = [...inQuery, ...inHeaders];
  return [
    ...all.filter(({ shared }) => shared !== undefined),
    ...path,
    ...all.filter(({ shared }) => shared === undefined),
  ];
}
