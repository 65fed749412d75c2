import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { AuditLog } from '../../catalog/audit/index.js';
import { AccessPolicies } from '../../catalog/auth/index.js';
import { Meter } from '../../catalog/metrics/index.js';
import { Model } from '../../catalog/model/index.js';
import { BackgroundThrottle } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { Tracing } from '../../catalog/tracing/index.js';
import { ChangeLogModule, ChangeLogSupervisor } from '../change-log/index.js';
import { discovered, EntityStoreModule } from '../entities/index.js';
import { EdgeBackfill } from './edge-backfill.js';
import { AssociationsService } from './edits/associations.service.js';
import { ColumnEditor } from './edits/columns.js';
import { EditService } from './edits/edit.service.js';
import { IngestActions } from './ingest.actions.js';
import { IngestService } from './ingest.service.js';
import { ProposalParser } from './proposal-parser.js';
import { ReferencePolicy } from './reference.policy.js';
import { SnapshotParser } from './snapshot.js';
import { CleanupRepository } from './write/cleanup.repository.js';
import { ProposalProcessor } from './write/proposal-processor.js';
import type { LoggedChange } from './write/unit-of-work-flush.js';
import { WRITE_EXTENSIONS, type WriteExtension } from './write/write-extensions.js';
import { writeMetrics } from './write/write-metrics.js';
import { GroupCommit, type WriteListener } from './write/group-commit.js';

/** The write path: every write of every API surface goes through it. */
@Module({
  imports: [DiscoveryModule, ChangeLogModule, EntityStoreModule],
  providers: [
    ReferencePolicy,
    ProposalParser,
    SnapshotParser,
    IngestActions,
    EditService,
    AssociationsService,
    CleanupRepository,
    EdgeBackfill,
    {
      provide: ProposalProcessor,
      useFactory: (model: Model, { bodyLimit, compatibility }: CatalogSettings) =>
        new ProposalProcessor(model, bodyLimit, compatibility),
      inject: [Model, CATALOG_SETTINGS],
    },
    {
      provide: GroupCommit,
      useFactory: (
        audit: AuditLog,
        database: Database,
        processor: ProposalProcessor,
        changeLog: ChangeLogSupervisor,
        throttle: BackgroundThrottle,
        policies: AccessPolicies,
        meter?: Meter,
        tracing?: Tracing,
      ) => {
        const tellPolicies = (changes: readonly LoggedChange[]): void => {
          for (const { head } of changes) policies.committed(head.type);
        };
        const listener: WriteListener = {
          busy: () => throttle.writing(),
          committed: (newest, changes) => {
            tellPolicies(changes);
            changeLog.notify(newest, () =>
              changes.map(({ head, aspect }) => ({ urn: head.urn, entityType: head.type, aspect })),
            );
          },
          publish: (tx, changes) => changeLog.publishWith(tx, changes),
          published: (published, changes) => {
            tellPolicies(changes);
            changeLog.notifyPublished(published);
          },
          revoked: (published) => changeLog.revoke(published),
          ...(meter && writeMetrics(meter)),
        };
        return new GroupCommit(audit, database.dialect, processor, listener, Date.now, tracing);
      },
      inject: [
        AuditLog,
        Database,
        ProposalProcessor,
        ChangeLogSupervisor,
        BackgroundThrottle,
        AccessPolicies,
        { token: Meter, optional: true },
        { token: Tracing, optional: true },
      ],
    },
    {
      provide: IngestService,
      useFactory: (model: Model, processor: ProposalProcessor, groupCommit: GroupCommit) =>
        new IngestService(model, processor, groupCommit),
      inject: [Model, ProposalProcessor, GroupCommit],
    },
  ],
  exports: [
    IngestService,
    EditService,
    AssociationsService,
    CleanupRepository,
    EdgeBackfill,
    ProposalParser,
    ChangeLogModule,
  ],
})
export class IngestModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly processor: ProposalProcessor,
    private readonly edits: EditService,
  ) {}

  onModuleInit(): void {
    for (const kind of WRITE_EXTENSIONS)
      for (const extension of discovered<WriteExtension>(this.discovery, kind))
        this.processor.extendBy(extension);
    for (const columns of discovered(this.discovery, ColumnEditor)) this.edits.columns = columns;
  }
}
