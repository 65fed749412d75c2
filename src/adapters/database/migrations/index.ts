import { Catalog1700000000001 } from './0001-catalog.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [Catalog1700000000001];
