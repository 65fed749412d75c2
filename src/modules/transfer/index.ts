export * from './offline.js';
export { CatalogImport, type ImportReport } from './catalog-import.js';
