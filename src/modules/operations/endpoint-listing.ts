import { Inject, Injectable, Optional, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { endpointDocOf, type EndpointDoc } from '../../catalog/extension/documented.js';
import {
  Actions,
  bodyOf,
  phrasesOf,
  type ActionRoute,
  type ExampleSource,
} from '../../catalog/route/index.js';

/** Loads what examples are made of, when the page is requested at the listing. */
export type LoadExamples = () => Promise<ExampleSource>;
/** Injection token: who knows all modules says where examples come from. */
export const LOAD_EXAMPLES = Symbol('LOAD_EXAMPLES');

export interface Endpoint extends Partial<EndpointDoc> {
  method: string;
  path: string;
}

export interface EndpointGroup {
  /** First segment of the paths. */
  name: string;
  endpoints: Endpoint[];
}

/**
 * The endpoints of the running service, read from the routes and tables of actions that requests are dispatched by:
 * what is not served is not listed, and what is served cannot be missing.
 */
@Injectable()
export class EndpointListing {
  private examples: ExampleSource | undefined;

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Optional() @Inject(LOAD_EXAMPLES) private readonly loadExamples: LoadExamples | undefined,
  ) {}

  async groups(): Promise<EndpointGroup[]> {
    this.examples ??= await this.loadExamples?.();
    const actions = this.actions();
    const dispatchers = new Set(actions.map(({ path }) => path.slice(0, path.indexOf('?'))));
    // A route that only hands over to actions is shown as those.
    const routes = this.routes().filter(({ method, path }) => !(method === 'POST' && dispatchers.has(path)));
    const groups = Map.groupBy([...routes, ...actions], ({ path }) => /^\/([^/?]*)/.exec(path)?.[1] ?? '');
    return [...groups]
      .map(([name, endpoints]) => ({ name, endpoints: endpoints.sort(byPathAndMethod) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private routes(): Endpoint[] {
    const found: Endpoint[] = [];
    for (const { instance, metatype } of this.discovery.getControllers()) {
      if (!metatype || typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, unknown>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as object;
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) continue;
        for (const base of pathsOf(metatype)) {
          for (const path of pathsOf(handler)) {
            found.push({
              method: RequestMethod[method],
              path: written(join(base, path)),
              ...endpointDocOf(handler),
            });
          }
        }
      }
    }
    return found;
  }

  private actions(): Endpoint[] {
    // One instance may be provided under several names.
    const instances = new Set(this.discovery.getProviders().map((wrapper) => wrapper.instance as unknown));
    const groups = [...instances].filter((instance) => instance instanceof Actions);
    return groups.flatMap(({ actions }) => actions).map(({ route }) => endpointOf(route, this.examples));
  }
}

function endpointOf(route: ActionRoute, examples: ExampleSource | undefined): Endpoint {
  const { resource, action, summary, parameters, answer, deprecated } = route;
  const path = `/${resource}?action=${action}`;
  return {
    method: 'POST',
    path,
    summary: `${summary}.`,
    ...phrasesOf(parameters),
    answer,
    ...(examples && {
      example: {
        path,
        ...(route.protocolVersion && { headers: { 'X-RestLi-Protocol-Version': '2.0.0' } }),
        body: bodyOf(route, examples),
      },
    }),
    ...(deprecated === true && { deprecated }),
  };
}

function pathsOf(target: object): string[] {
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [paths ?? ''].flat();
}

/** A path parameter as OpenAPI writes it: `{urn}`, not `:urn`. */
function written(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function join(base: string, path: string): string {
  return `/${base}/${path}`.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
}

function byPathAndMethod(a: Endpoint, b: Endpoint): number {
  return a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1;
}
