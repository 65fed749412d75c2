export { send, type HttpAnswer } from './answers/answer.js';
export { IdempotencyKeyRow } from './entities/idempotency-key.row.js';
export { ServiceSecretRow } from './entities/service-secret.row.js';
export { WriteReceiptRow } from './entities/write-receipt.row.js';
export { OpenapiModule } from './openapi.module.js';
export { CursorSigner } from './paging/cursor-signer.js';
export { EntityNames } from './request/entity-names.js';
export { readPage, type PageInput } from './request/list-parameters.js';
export { namesIn, parametersOf, type Query } from './request/query.js';
