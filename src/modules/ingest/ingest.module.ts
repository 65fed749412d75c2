import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Meter } from '../../catalog/metrics/index.js';
import { Model } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { BacklogMetrics } from './backlog-metrics.js';
import { CatchUp } from './catch-up.js';
import { ConsumerBacklog } from './consumer-backlog.js';
import { ConsumerProgress } from './consumer-progress.js';
import { ConsumersHealth } from './consumers.health.js';
import { Courtesy } from './courtesy.js';
import { AssociationsService } from './edits/associations.service.js';
import { Columns } from './edits/columns.js';
import { EditService } from './edits/edit.service.js';
import { IngestActions } from './ingest.actions.js';
import { IngestService } from './ingest.service.js';
import { JobActions } from './job.actions.js';
import { LogCleanup } from './log-cleanup.js';
import { LogFollower } from './log-follower.js';
import { ProposalParser } from './proposal-parser.js';
import { ReferencePolicy } from './reference.policy.js';
import { SnapshotParser } from './snapshot.js';
import { ProposalWriter } from './write/proposal-writer.js';
import { WRITE_EXTENSIONS, type WriteExtension } from './write/write-extensions.js';
import { writeMetrics } from './write/write-metrics.js';
import { WriteBatcher } from './write/write-batcher.js';

/** The write side: the front door of every write, and what happens behind the commit. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ReferencePolicy,
    ProposalParser,
    SnapshotParser,
    IngestActions,
    ConsumerProgress,
    Courtesy,
    CatchUp,
    {
      provide: ConsumerBacklog,
      useFactory: (database: Database) => new ConsumerBacklog(database),
      inject: [Database],
    },
    LogFollower,
    LogCleanup,
    BacklogMetrics,
    ConsumersHealth,
    JobActions,
    EditService,
    AssociationsService,
    {
      provide: ProposalWriter,
      useFactory: (model: Model, { bodyLimit }: CatalogSettings) => new ProposalWriter(model, bodyLimit),
      inject: [Model, CATALOG_SETTINGS],
    },
    {
      provide: WriteBatcher,
      useFactory: (
        database: Database,
        writer: ProposalWriter,
        follower: LogFollower,
        courtesy: Courtesy,
        meter?: Meter,
      ) =>
        new WriteBatcher(database, writer, {
          busy: () => courtesy.written(),
          committed: (newest) => follower.ring(newest),
          ...(meter && writeMetrics(meter)),
        }),
      inject: [Database, ProposalWriter, LogFollower, Courtesy, { token: Meter, optional: true }],
    },
    {
      provide: IngestService,
      useFactory: (model: Model, writer: ProposalWriter, batcher: WriteBatcher) =>
        new IngestService(model, writer, batcher),
      inject: [Model, ProposalWriter, WriteBatcher],
    },
  ],
  exports: [
    IngestService,
    EditService,
    AssociationsService,
    ProposalParser,
    CatchUp,
    ConsumerBacklog,
    ConsumerProgress,
    Courtesy,
    LogFollower,
  ],
})
export class IngestModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly writer: ProposalWriter,
    private readonly edits: EditService,
  ) {}

  onModuleInit(): void {
    for (const kind of WRITE_EXTENSIONS)
      for (const extension of discovered<WriteExtension>(this.discovery, kind))
        this.writer.extendBy(extension);
    for (const columns of discovered(this.discovery, Columns)) this.edits.columns = columns;
  }
}
