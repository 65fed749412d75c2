/** What a reader of the endpoint listing needs to know about one endpoint. */
export interface EndpointDoc {
  /** One sentence: what a call does. */
  summary: string;
  /** Parameters by name (path, query, or members of the JSON body), each with one phrase. */
  parameters?: Readonly<Record<string, string>>;
  /** What is answered. */
  answer?: string;
  deprecated?: boolean;
}

/** One action of a resource of the aspect API, `POST /<resource>?action=<action>`. */
export interface ActionDoc extends EndpointDoc {
  resource: string;
  action: string;
}

/* eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- a decorated method has any signature */
type Method = Function;

const endpoints = new WeakMap<Method, EndpointDoc>();
const actions = new WeakMap<object, ActionDoc[]>();

/** Documents a route: the listing of endpoints shows it beside the path that the route itself declares. */
export function Documented(doc: EndpointDoc): MethodDecorator {
  return (_target, _key, descriptor) => {
    endpoints.set(descriptor.value as Method, doc);
  };
}

/** Documents one action of the aspect API, on a member of the class that answers it. May be given several times. */
export function RestliAction(doc: ActionDoc): MethodDecorator & PropertyDecorator {
  return (target: object) => {
    actions.set(target, [...(actions.get(target) ?? []), doc]);
  };
}

/** What `@Documented` says about a method. */
export function endpointDocOf(method: unknown): EndpointDoc | undefined {
  return typeof method === 'function' ? endpoints.get(method) : undefined;
}

/** What `@RestliAction` says about the class of `instance` and the classes it extends. */
export function actionDocsOf(instance: object): ActionDoc[] {
  const found: ActionDoc[] = [];
  for (
    let type: unknown = instance;
    typeof type === 'object' && type !== null;
    type = Object.getPrototypeOf(type)
  ) {
    found.push(...(actions.get(type) ?? []));
  }
  return found;
}
