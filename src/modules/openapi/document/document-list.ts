/** Of the OpenAPI specification. */
export type OpenapiVersion = '3.0' | '3.1';
export const OPENAPI_VERSIONS: readonly OpenapiVersion[] = ['3.1', '3.0'];

/** The groups of entities that have documents of their own. */
export type Part = 'core' | 'pipelines' | 'more';

const PARTS: Readonly<Record<Part, string>> = {
  core: 'datasets, dashboards, terms, tags, properties, people',
  pipelines: 'pipelines, models, metrics, columns, quality',
  more: 'forms, settings, internal and own entities',
};

/** What a document is about. */
type Subject =
  | { readonly about: 'entities'; readonly surface: 'v2' | 'v3'; readonly part: Part }
  | { readonly about: 'generic' | 'across-entities' | 'aspect-api' };

/** One document of the set. `name` is its name in the address, and that of the file that is checked in. */
export type DocumentEntry = { readonly name: string; readonly title: string } & Subject;

const entities = (surface: 'v2' | 'v3', part: Part): DocumentEntry => ({
  name: `entities-${surface}-${part}`,
  title: `Entities, ${surface}: ${PARTS[part]}`,
  about: 'entities',
  surface,
  part,
});

/** All documents, the one that is shown first at the head. Loads nothing that builds them. */
export const DOCUMENTS: readonly DocumentEntry[] = [
  { name: 'generic', title: 'Entities and aspects of any kind', about: 'generic' },
  entities('v3', 'core'),
  entities('v3', 'pipelines'),
  entities('v3', 'more'),
  {
    name: 'across-entities',
    title: 'Across entities: scrolls, batches, relationships, lineage, events, registry, receipts',
    about: 'across-entities',
  },
  { name: 'aspect-api', title: 'Aspect and entity JSON API, operations, health', about: 'aspect-api' },
  entities('v2', 'core'),
  entities('v2', 'pipelines'),
  entities('v2', 'more'),
];
