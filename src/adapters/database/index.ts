export { HomeLock } from './sqlite/home-lock.js';
export { SqliteDatabase } from './sqlite/sqlite-database.js';
