import type { Principal, Privilege } from '../auth/index.js';
import type { HttpHeaders } from '../change/index.js';
import { check, type Shape } from './check.js';
import type { ExampleSource, ParameterSchemas, Values } from './schema.js';

/** What the aspect API has actions on. */
export const RESOURCES = [
  'aspects',
  'entities',
  'relationships',
  'runs',
  'operations',
  'usageStats',
  'analytics',
] as const;
export type Resource = (typeof RESOURCES)[number];

/** What the actions on a resource are for, in a sentence without its full stop. */
export interface ActionResource {
  readonly name: Resource;
  readonly summary: string;
}

/**
 * One action of the aspect API, `POST /<resource>?action=<action>` with a JSON object of its parameters: said once, for
 * callers, the server, the listing and the documents.
 */
export interface ActionRoute<
  P extends ParameterSchemas = ParameterSchemas,
  R extends string = string,
> extends Shape<P, R> {
  readonly resource: Resource;
  readonly action: string;
  /** What a call does: one sentence, without its full stop. */
  readonly summary: string;
  /** What is answered, in a phrase. */
  readonly answer: string;
  /** The body of a call, or what makes it of the sample. */
  readonly example: Readonly<Record<string, unknown>> | ((source: ExampleSource) => object);
  /** What the caller must be allowed to do; to read, when it is left out. */
  readonly needs?: Privilege;
  /** A part of it that needs less, in words. */
  readonly remark?: string;
  readonly deprecated?: boolean;
  /** Whether a call needs the header with the version of the protocol. */
  readonly protocolVersion?: boolean;
  /** Whether the headers of the request may hold conditions of the write; other writes refuse them. */
  readonly conditions?: boolean;
}

/** An action, and who answers it. */
export interface ServedAction {
  readonly route: ActionRoute;
  /**
   * Checks the parameters and carries the action out. What it resolves to is answered under `value`, undefined as an
   * empty body.
   */
  run(principal: Principal, body: unknown, headers?: HttpHeaders): Promise<unknown>;
}

/**
 * Extension point: actions of the aspect API. Found at boot; start-up is refused when two modules answer the same one.
 */
export abstract class Actions {
  abstract readonly actions: readonly ServedAction[];
}

/** The body of an example call. */
export const bodyOf = ({ example }: ActionRoute, source: ExampleSource): object =>
  typeof example === 'function' ? example(source) : example;

/** Declares an action. */
export const action = <const P extends ParameterSchemas, R extends keyof P & string = never>(
  route: ActionRoute<P, R>,
): ActionRoute<P, R> => route;

/** Ties an action to what answers it. */
export function serve<P extends ParameterSchemas, R extends string>(
  route: ActionRoute<P, R>,
  handler: (principal: Principal, values: Values<P, R>, headers: HttpHeaders) => unknown,
): ServedAction {
  return {
    route,
    run: async (principal, body, headers = {}) =>
      handler(principal, check(route, body) as Values<P, R>, headers),
  };
}
