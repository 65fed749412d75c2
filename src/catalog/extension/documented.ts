/** A call as it is sent, without the token. */
export interface ExampleCall {
  /** With its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

/** What a reader of the endpoint listing needs to know about one endpoint. */
export interface EndpointDoc {
  /** One sentence: what a call does. */
  summary: string;
  /** Parameters by name (path, query, or members of the JSON body), each with one phrase. */
  parameters?: Readonly<Record<string, string>>;
  /** What is answered. */
  answer?: string;
  /** A call that has an answer after the import of the sample. */
  example?: ExampleCall;
  deprecated?: boolean;
}

/* eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- a decorated method has any signature */
type Method = Function;

const endpoints = new WeakMap<Method, EndpointDoc>();

/** Documents a route: the listing of endpoints shows it beside the path that the route itself declares. */
export function Documented(doc: EndpointDoc): MethodDecorator {
  return (_target, _key, descriptor) => {
    endpoints.set(descriptor.value as Method, doc);
  };
}

/** What `@Documented` says about a method. */
export function endpointDocOf(method: unknown): EndpointDoc | undefined {
  return typeof method === 'function' ? endpoints.get(method) : undefined;
}
