export { changesSince, type ChangeSince } from './changes-since.query.js';
export { cursorBehind, writeCursor } from './feed-cursor.js';
export { changeOf, countBehind, countUnpublished, lastPublished, newestChange } from './log-moment.query.js';
export { appendChanges, keepDeleted, type Published } from './log-writer.js';
