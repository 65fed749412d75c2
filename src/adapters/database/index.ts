export type { RowClass } from './row-class.js';
export { checkCopy, copyDatabase, flush, hasData, removeDatabase, settle } from './sqlite/database-copy.js';
export { DataFolderLock, LockedError } from './sqlite/data-folder-lock.js';
export { SqliteDatabase } from './sqlite/sqlite-database.js';
export { sentenceFor } from './sqlite/sqlite-errors.js';
