export { HEALTH_PARTS } from './health-part.js';
export { HealthService, type Health } from './health.service.js';
export { OperationsModule } from './operations.module.js';
