import type { Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { DirectRoute } from '../../catalog/extension/direct-route.js';
import type { QuickRead } from '../../catalog/extension/quick-read.js';

/** What is known about a route before a request is read. Without marks: a token is needed, and bodies are small. */
export interface RouteMarks {
  /** Open to callers without a token. */
  readonly open?: boolean;
  /**
   * Writes aspects: the caller must be allowed to write, and the body may be as large as CATALOG_BODY_LIMIT. A set
   * names the actions, `/<resource>?action=<name>`, for which this holds.
   */
  readonly writes?: true | ReadonlySet<string>;
  /** Takes JSON whatever Content-Type says, as the aspect API does for its actions. */
  readonly anyContentType?: boolean;
  /**
   * Waits for what has not happened yet, maybe for long: takes no place from requests that work, and does not hold up work
   * in the background. Who serves it bounds how many there are.
   */
  readonly waits?: boolean;
  /**
   * Sends a file of a page. It is sent also while the event loop is late: a browser asks for it once, and a page that lacks
   * one stays empty.
   */
  readonly pageFile?: boolean;
  /** Ends its work after a time of its own, whatever CATALOG_REQUEST_TIMEOUT_MS says. */
  readonly ownTimeLimit?: boolean;
  /** Answers plain requests of the route, a GET, that were answered recently. */
  readonly quick?: Type<QuickRead>;
  /** Serves the route without the framework. */
  readonly direct?: Type<DirectRoute>;
}

/** The name under which `RouteConfig` keeps what Fastify hands to its hooks. */
const CONFIG = RouteConfig({}).KEY;

/** Marks a route, or all routes of a controller. Marks add up. */
export function Marked(marks: RouteMarks): MethodDecorator & ClassDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor !== undefined) add(marks, descriptor.value as object);
    else for (const method of methodsOf(target as Prototyped)) add(marks, method);
  };
}

interface Prototyped {
  readonly prototype: object;
}

/** Nest hands the config of methods to Fastify, not that of classes. */
function methodsOf({ prototype }: Prototyped): object[] {
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name) => Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown)
    .filter((value) => typeof value === 'function');
}

function add(marks: RouteMarks, method: object): void {
  Reflect.defineMetadata(CONFIG, { ...marksOf(method), ...marks }, method);
}

/** What is marked on the method of a controller. */
export function marksOf(method: object): RouteMarks {
  return (Reflect.getMetadata(CONFIG, method) as RouteMarks | undefined) ?? {};
}

/** Opens a route, or all routes of a controller, to callers without a token. */
export const Public = (): MethodDecorator & ClassDecorator => Marked({ open: true });

/** {@link Public}, for what a browser loads as parts of a page. */
export const PageParts = (): ClassDecorator => Marked({ open: true, pageFile: true });
