export { changedEntities, type ChangedEntity } from './changed-entities.query.js';
export { changesSince, type ChangeSince } from './changes-since.query.js';
export { CHANGE_LOG_COLUMNS } from './change-log-columns.js';
export { ChangeLogRow } from './entities/change-log.row.js';
export { DeletedVersionRow } from './entities/deleted-version.row.js';
export { PendingDeliveryRow } from './entities/pending-delivery.row.js';
export { ChangeFeed, type PrintedPage } from './change-feed.js';
export { FeedTail, type ChangeSubject, type Waited } from './feed-tail.js';
export { keyOf, type DeletedValue, type FeedEntry, type ValueVersion } from './change-feed.repository.js';
export type { EntryColumns, EntryTexts } from './printed-entries.query.js';
export { FeedHold } from './feed-hold.js';
export { cursorBehind, readCursor, writeCursor, type FeedCursor } from './feed-cursor.js';
export { ChangeLogRetention } from './change-log-retention.js';
export {
  changeOf,
  countBehind,
  countUnpublished,
  lastPublished,
  logBegin,
  newestChange,
  oldestChange,
  type LogPlace,
} from './log-moment.query.js';
export { appendChanges, keepDeleted, type Published } from './log-writer.js';
export { ChangeLogModule } from './change-log.module.js';
export { ChangeLogSupervisor } from './change-log-supervisor.js';
export { ConsumerBarrier } from './consumer-barrier.js';
export { ConsumerProgress } from './consumer-progress.js';
export { PendingDeliveries } from './pending-deliveries.js';
