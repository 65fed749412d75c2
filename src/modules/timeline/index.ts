export { CATEGORIES } from './change-event.js';
export { TimelineModule } from './timeline.module.js';
