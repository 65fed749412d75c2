export {
  CATEGORIES,
  FEED_DIFFERENCES,
  type ChangeEvent,
  type Difference,
  type Differ,
  type Value,
} from './change-event.js';
export { differsFor } from './differs.js';
export { TimelineModule } from './timeline.module.js';
