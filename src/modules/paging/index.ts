export { CursorSigner } from './cursor-signer.js';
export { ServiceSecretRow } from './entities/service-secret.row.js';
export { PagingModule } from './paging.module.js';
export { ServiceSecrets } from './service-secret.repository.js';
