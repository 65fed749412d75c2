export { SqliteDatabase } from './sqlite/sqlite-database.js';
