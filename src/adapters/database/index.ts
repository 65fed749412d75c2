export type { RowClass } from './row-class.js';
export { HomeLock, LockedError } from './sqlite/home-lock.js';
export { SqliteDatabase } from './sqlite/sqlite-database.js';
export { sentenceFor } from './sqlite/sqlite-errors.js';
