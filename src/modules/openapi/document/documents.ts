import type { EntitySpec, Model } from '../../../catalog/model/index.js';
import { ASPECT_API, HEALTH, OPERATIONS } from './aspect-api-routes.js';
import { ACROSS_ENTITIES } from './across-routes.js';
import { EVENTS, REGISTRY, TRACING } from './registry-routes.js';
import { RELATIONSHIPS } from './relationship-routes.js';
import { VERSION_1 } from './version-1-routes.js';
import { DocumentBuilder } from './document-builder.js';
export { asOpenapi30 } from './openapi-30.js';
import type { OpenapiDocument } from './openapi-types.js';

/** One document of the set, built when it is asked for. */
interface DocumentSpec {
  /** In the address, and of the file that is checked in. */
  name: string;
  title: string;
  build: (model: Model, version: string) => OpenapiDocument;
}

/** What most catalogs are about: the document that opens first. */
const CORE = [
  'dataset',
  'chart',
  'dashboard',
  'container',
  'dataPlatform',
  'domain',
  'tag',
  'glossaryTerm',
  'glossaryNode',
  'structuredProperty',
  'corpuser',
  'corpGroup',
];

const PIPELINES =
  /^(data(Flow|Job|Process.*|Product|Contract|PlatformInstance)|ml.*|notebook|metric|semanticModel|query|schemaField|erModelRelationship|assertion|incident|test|aiAgent|agentSkill|api|application|service|repository)$/;

type Part = 'core' | 'pipelines' | 'more';

const PARTS: Readonly<Record<Part, string>> = {
  core: 'datasets, dashboards, terms, tags, properties, people',
  pipelines: 'pipelines, models, metrics, columns, quality',
  more: 'forms, settings, internal and own entities',
};

function partOf(entity: EntitySpec): Part {
  return CORE.includes(entity.name) ? 'core' : PIPELINES.test(entity.name) ? 'pipelines' : 'more';
}

function entitiesOf(model: Model, part: Part): EntitySpec[] {
  const place = ({ name }: EntitySpec) => (CORE.includes(name) ? CORE.indexOf(name) : CORE.length);
  return [...model.entities.values()]
    .filter((entity) => partOf(entity) === part)
    .sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

function entityDocument(version: 'v2' | 'v3', part: Part): DocumentSpec {
  const title = `Entities, ${version}: ${PARTS[part]}`;
  return {
    name: `entities-${version}-${part}`,
    title,
    build: (model, service) => {
      const builder = new DocumentBuilder(model);
      for (const entity of entitiesOf(model, part)) builder.entity(entity, version);
      const shape =
        version === 'v3'
          ? 'An aspect is wrapped as `{"value": …}`, in bodies and answers.'
          : 'Bodies of writes are the aspect itself; answers have aspects below `aspects`.';
      return builder.build(
        `Catalog – ${title}`,
        `${shape} Names of entities and aspects match in any case.`,
        service,
      );
    },
  };
}

const ACROSS: DocumentSpec = {
  name: 'across-entities',
  title: 'Across entities: scrolls, batches, relationships, lineage, events, registry, receipts',
  build: (model, service) =>
    new DocumentBuilder(model)
      .routes('entities', 'Entities of several kinds at once.', ACROSS_ENTITIES)
      .routes('relationships and lineage', 'How entities hang together.', RELATIONSHIPS)
      .routes('time series', 'Events, such as profiles and usage.', EVENTS)
      .routes('receipts', 'What became of writes that were queued.', TRACING)
      .routes('registry', 'The model of the service.', REGISTRY)
      .routes('version 1', 'The oldest version of the surface.', VERSION_1)
      .build(`Catalog – ${ACROSS.title}`, 'What is about more than one kind of entities.', service),
};

const ASPECTS: DocumentSpec = {
  name: 'aspect-api',
  title: 'Aspect and entity JSON API, operations, health',
  build: (model, service) =>
    new DocumentBuilder(model)
      .routes(
        'aspect API',
        'Proposals, snapshots, search: what the command line and SDK of the field speak.',
        ASPECT_API,
      )
      .routes('operations', 'Looking after a catalog.', OPERATIONS)
      .routes('health', 'For load balancers and clients; open to everybody.', HEALTH)
      .build(
        `Catalog – ${ASPECTS.title}`,
        'Every call but those of the group health needs an access token: `Authorization: Bearer <token>`.',
        service,
      ),
};

/** All documents, the one that is shown first at the head. */
export const DOCUMENTS: readonly DocumentSpec[] = [
  entityDocument('v3', 'core'),
  entityDocument('v3', 'pipelines'),
  entityDocument('v3', 'more'),
  ACROSS,
  ASPECTS,
  entityDocument('v2', 'core'),
  entityDocument('v2', 'pipelines'),
  entityDocument('v2', 'more'),
];
