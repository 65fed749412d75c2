import { Global, Module } from '@nestjs/common';
import { AuditLog } from '../../catalog/audit/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { PagingModule } from '../paging/index.js';
import { AuditActions } from './audit.actions.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditRetention } from './audit-retention.js';
import { AuditSearch } from './audit-search.service.js';
import { AuditVerifier } from './audit-verifier.js';
import { auditLogOf } from './audit-log-of.js';

/** Records who did what, answers auditors, and notices what was changed. Needs the global provider Database. */
@Global()
@Module({
  imports: [PagingModule],
  controllers: [AuditController],
  providers: [
    {
      provide: AuditLog,
      useFactory: (database: Database, { audit }: CatalogSettings) => auditLogOf(database, audit),
      inject: [Database, CATALOG_SETTINGS],
    },
    AuditRepository,
    AuditSearch,
    AuditVerifier,
    AuditActions,
    AuditRetention,
  ],
  exports: [AuditLog],
})
export class AuditModule {}
