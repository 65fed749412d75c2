export { ConsumerProgress } from './consumer-progress.js';
export { IngestModule } from './ingest.module.js';
export { IngestService } from './ingest.service.js';
export { LogFollower } from './log-follower.js';
