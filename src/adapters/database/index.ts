export { isDiskFull } from './disk-full.js';
export type { RowClass } from './row-class.js';
export {
  checkCopy,
  copyDatabase,
  flush,
  hasData,
  removeDatabase,
  settle,
  TargetError,
} from './sqlite/database-copy.js';
export { DataFolderLock, LockedError } from './sqlite/data-folder-lock.js';
export { SqliteDatabase } from './sqlite/sqlite-database.js';
export { sentenceFor, targetTroubleOf } from './sqlite/sqlite-errors.js';
