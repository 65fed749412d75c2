export { HEALTH_PARTS } from './health-part.js';
export { OperationsModule } from './operations.module.js';
