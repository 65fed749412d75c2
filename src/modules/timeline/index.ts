export { differences, FEED_DIFFERENCES, type ChangeEvent, type Differ } from './change-event.js';
export { differsFor } from './differs.js';
export { TimelineModule } from './timeline.module.js';
