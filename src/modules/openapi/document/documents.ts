import type { EntitySpec, Model } from '../../../catalog/model/index.js';
import type { ActionResource, ActionRoute, HttpRoute } from '../../../catalog/route/index.js';
import { VERSION_1_ROUTES } from '../v1/entities-v1.routes.js';
import { ACROSS_ROUTES } from '../v3/across.routes.js';
import { DocumentBuilder } from './document-builder.js';
import type { DocumentEntry, Part } from './document-list.js';
import type { OpenapiDocument } from './openapi-types.js';
import type { Sample } from '../examples/sample.js';

/** The entities that a document describes, in its order. */
function entitiesOf(model: Model, part: Part): EntitySpec[] {
  const place = ({ apiDocument }: EntitySpec) => apiDocument?.place ?? Infinity;
  return [...model.entities.values()]
    .filter(({ apiDocument }) => (apiDocument?.part ?? 'more') === part)
    .sort((a, b) => compare(place(a), place(b)) || compare(a.name, b.name));
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The routes that the modules declare. */
export interface ApiRoutes {
  /** Actions of the aspect API, in the order in which they are shown. */
  readonly actions: readonly ActionRoute[];
  /** What they are on, by the group in which they are shown. */
  readonly resources: Readonly<Record<'aspectApi' | 'operations', readonly ActionResource[]>>;
  /** Others of its routes. */
  readonly aspectApi: readonly HttpRoute[];
  readonly counts: readonly HttpRoute[];
  readonly health: readonly HttpRoute[];
  /** What pages call to sign people in and out. */
  readonly signIn: readonly HttpRoute[];
  /** How entities hang together. */
  readonly relationships: readonly HttpRoute[];
  /** Events of time-series aspects. */
  readonly events: readonly HttpRoute[];
  /** The change feed. */
  readonly feed: readonly HttpRoute[];
  /** Events of tools that run jobs. */
  readonly openlineage: readonly HttpRoute[];
  /** What became of writes that were carried out later, and what follows from others. */
  readonly tracing: readonly HttpRoute[];
  /** What the service knows about its own model. */
  readonly registry: readonly HttpRoute[];
  /** Names of aspects whose deletion is always refused, as their entities cannot be without them. */
  readonly neverDeleted: readonly string[];
}

/** A group of routes below a tag. */
type Section = readonly [
  tag: string,
  description: string,
  add: (builder: DocumentBuilder, tag: string) => void,
];

const section = (tag: string, description: string, routes: readonly HttpRoute[]): Section => [
  tag,
  description,
  (builder) => builder.routes(tag, routes),
];

const across = ({
  relationships,
  events,
  feed,
  openlineage,
  tracing,
  registry,
}: ApiRoutes): readonly Section[] => [
  section('entities', 'Entities of several kinds at once.', ACROSS_ROUTES),
  section('relationships and lineage', 'How entities hang together.', relationships),
  section('time series', 'Events, such as profiles and usage.', events),
  section('change feed', 'What happened, for services that follow the catalog.', feed),
  section('OpenLineage', 'Events of tools that run jobs, such as Spark and Airflow.', openlineage),
  section('receipts', 'What became of writes that were queued.', tracing),
  section('registry', 'The model of the service.', registry),
  section('version 1', 'The oldest version of the surface.', VERSION_1_ROUTES),
];

/** What most back ends need beside entities and aspects. */
const NEEDED_BESIDE = [
  'relationshipsOfEntity',
  'scrollLineage',
  'listEvents',
  'getReceipt',
  'listEntitySpecifications',
  'getAspectSpecification',
];

const anyKind = ({ relationships, events, tracing, registry }: ApiRoutes): readonly Section[] => [
  [
    'entities',
    'Entities and aspects of any kind, by one address each.',
    (builder, tag) => {
      const others = [...relationships, ...events, ...tracing, ...registry];
      builder.anyKind(tag);
      builder.routes(tag, [
        ...ACROSS_ROUTES,
        ...others.filter(({ operation }) => NEEDED_BESIDE.includes(operation)),
      ]);
    },
  ],
];

const aspects = ({
  actions,
  resources,
  aspectApi,
  counts,
  health,
  signIn,
}: ApiRoutes): readonly Section[] => [
  [
    'aspect API',
    'Proposals, snapshots, search: what the command line and SDK of the field speak.',
    (builder, tag) => {
      builder.actions(tag, resources.aspectApi, actions);
      builder.routes(tag, aspectApi);
    },
  ],
  [
    'operations',
    'Looking after a catalog.',
    (builder, tag) => {
      builder.actions(tag, resources.operations, actions);
      builder.routes(tag, counts);
    },
  ],
  section('health', 'For load balancers and clients; needs no token.', health),
  section(
    'sign in',
    'For pages, which have a cookie in place of a token. Programs need a token, and none of this.',
    signIn,
  ),
];

const ABOUT = {
  v3: 'An aspect is wrapped as `{"value": …}`, in bodies and answers.',
  v2: 'Bodies of writes are the aspect itself; answers have aspects below `aspects`.',
  names: 'Names of entities and aspects match in any case.',
  generic:
    'Everything that most back ends need. An aspect is wrapped as `{"value": …}`; what its value holds is said in the documents of the entities, and by the registry as JSON Schema.',
  across: 'Operations across entity types.',
  aspects:
    'Every call but those of the groups health and sign in needs an access token: `Authorization: Bearer <token>`.',
};

const OTHERS = {
  generic: { sections: anyKind, about: `${ABOUT.generic} ${ABOUT.names}` },
  'across-entities': { sections: across, about: ABOUT.across },
  'aspect-api': { sections: aspects, about: ABOUT.aspects },
} as const;

/** Builds a document in steps of a few milliseconds. @param service version of the service */
export function* buildSteps(
  entry: DocumentEntry,
  model: Model,
  service: string,
  routes: ApiRoutes,
  sample: Sample,
): Generator<void, OpenapiDocument> {
  const builder = new DocumentBuilder(model, sample, routes.neverDeleted);
  const title = `Catalog – ${entry.title}`;
  if (entry.about === 'entities') {
    const { surface, part } = entry;
    for (const entity of entitiesOf(model, part)) yield* builder.entity(entity, surface);
    return builder.build(title, `${ABOUT[surface]} ${ABOUT.names}`, service);
  }
  const { sections, about } = OTHERS[entry.about];
  for (const [tag, description, add] of sections(routes)) {
    yield;
    builder.tag(tag, description);
    add(builder, tag);
  }
  return builder.build(title, about, service);
}

/** A document, in OpenAPI 3.1. @param service version of the service */
export function buildDocument(
  entry: DocumentEntry,
  model: Model,
  service: string,
  routes: ApiRoutes,
  sample: Sample,
): OpenapiDocument {
  const building = buildSteps(entry, model, service, routes, sample);
  for (;;) {
    const { done, value } = building.next();
    if (done) return value;
  }
}
