export { MetadataFile } from './metadata-file.js';
export { CatalogImport, type ImportReport } from './catalog-import.js';
export { CatalogExport, type ExportOptions } from './catalog-export.js';
export type { ExportCut } from './export-cut.js';
export { checkOf, ExportFileError, readExport, type EndLine, type NumberedLine } from './export-format.js';
