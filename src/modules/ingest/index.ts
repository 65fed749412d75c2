export { CatchUp } from './catch-up.js';
export { ConsumerBacklog, type ConsumerLag } from './consumer-backlog.js';
export { ConsumerProgress } from './consumer-progress.js';
export { Courtesy } from './courtesy.js';
export { IngestModule } from './ingest.module.js';
export { IngestService } from './ingest.service.js';
export { LogFollower } from './log-follower.js';
export { NO_RUN_ID } from './write/system-metadata.js';
