import { Catalog1700000000001 } from './0001-catalog.js';
import { Runs1700000000002 } from './0002-runs.js';
import { Openapi1700000000005 } from './0005-openapi.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [Catalog1700000000001, Runs1700000000002, Openapi1700000000005];
