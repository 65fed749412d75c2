import { Module, type DynamicModule } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { PagingModule } from '../paging/index.js';
import { SECRET_KEY, SecretsService } from './secrets.service.js';

/** Secrets and connections, which are kept encrypted. */
@Module({})
export class SecretsModule {
  /** @param key of the configuration; undefined takes one that is made and kept in the database */
  static with(key: string | undefined): DynamicModule {
    return {
      module: SecretsModule,
      imports: [IngestModule, PagingModule],
      providers: [
        { provide: SECRET_KEY, useValue: key ?? null },
        SecretsService,
        lazyResolvers(() => import('./secrets.resolver.js')),
      ],
    };
  }
}
