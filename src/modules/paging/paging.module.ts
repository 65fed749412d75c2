import { Module } from '@nestjs/common';
import { CursorSigner } from './cursor-signer.js';
import { ServiceSecrets } from './service-secret.repository.js';

/** What lists share that are walked page by page. Needs the global provider Database. */
@Module({ providers: [ServiceSecrets, CursorSigner], exports: [ServiceSecrets, CursorSigner] })
export class PagingModule {}
