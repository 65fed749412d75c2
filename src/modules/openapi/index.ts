export { IdempotencyKeyRow } from './entities/idempotency-key.row.js';
export { OpenapiModule } from './openapi.module.js';
export { API_ROUTES } from './serving/document.service.js';
