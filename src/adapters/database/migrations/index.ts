import { Catalog1700000000001 } from './0001-catalog.js';
import { Runs1700000000002 } from './0002-runs.js';
import { ConsumerBacklog1700000000003 } from './0003-consumer-backlog.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [Catalog1700000000001, Runs1700000000002, ConsumerBacklog1700000000003];
