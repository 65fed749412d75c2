import { Catalog1700000000001 } from './0001-catalog.js';
import { Runs1700000000002 } from './0002-runs.js';
import { ConsumerBacklog1700000000003 } from './0003-consumer-backlog.js';
import { StructuredProperties1700000000004 } from './0004-structured-properties.js';
import { Openapi1700000000005 } from './0005-openapi.js';
import { CommitMarks1700000000006 } from './0006-commit-marks.js';
import { IndexHolders1700000000007 } from './0007-index-holders.js';
import { UnfinishedWork1700000000008 } from './0008-unfinished-work.js';
import { TokenParents1700000000009 } from './0009-token-parents.js';
import { StoreFacts1700000000010 } from './0010-store-facts.js';
import { ChangeFeed1700000000011 } from './0011-change-feed.js';
import { Webhooks1700000000012 } from './0012-webhooks.js';
import { Audit1700000000013 } from './0013-audit.js';
import { FeedConsumers1700000000014 } from './0014-feed-consumers.js';
import { ChangeTraces1700000000015 } from './0015-change-traces.js';
import { Accounts1700000000016 } from './0016-accounts.js';
import { OneTableOfWork1700000000017 } from './0017-one-table-of-work.js';
import { Observations1700000000018 } from './0018-observations.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  Catalog1700000000001,
  Runs1700000000002,
  ConsumerBacklog1700000000003,
  StructuredProperties1700000000004,
  Openapi1700000000005,
  CommitMarks1700000000006,
  IndexHolders1700000000007,
  UnfinishedWork1700000000008,
  TokenParents1700000000009,
  StoreFacts1700000000010,
  ChangeFeed1700000000011,
  Webhooks1700000000012,
  Audit1700000000013,
  FeedConsumers1700000000014,
  ChangeTraces1700000000015,
  Accounts1700000000016,
  OneTableOfWork1700000000017,
  Observations1700000000018,
];
