export { Catalog, type CatalogOptions } from './catalog.js';
export { CatalogRefusal } from './catalog-refusal.js';
export * from './generated/graphql.js';
export type { components, operations, paths } from './generated/openapi.js';
