import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Meter } from '../../catalog/metrics/index.js';
import { Model } from '../../catalog/model/index.js';
import { BackgroundThrottle } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { ChangeLogModule, ChangeLogSupervisor } from '../change-log/index.js';
import { discovered } from '../entities/index.js';
import { AssociationsService } from './edits/associations.service.js';
import { Columns } from './edits/columns.js';
import { EditService } from './edits/edit.service.js';
import { IngestActions } from './ingest.actions.js';
import { IngestService } from './ingest.service.js';
import { ProposalParser } from './proposal-parser.js';
import { ReferencePolicy } from './reference.policy.js';
import { SnapshotParser } from './snapshot.js';
import { ProposalWriter } from './write/proposal-writer.js';
import { WRITE_EXTENSIONS, type WriteExtension } from './write/write-extensions.js';
import { writeMetrics } from './write/write-metrics.js';
import { WriteBatcher } from './write/write-batcher.js';

/** The write path: every write of every API surface goes through it. */
@Module({
  imports: [DiscoveryModule, ChangeLogModule],
  providers: [
    ReferencePolicy,
    ProposalParser,
    SnapshotParser,
    IngestActions,
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
        changeLog: ChangeLogSupervisor,
        throttle: BackgroundThrottle,
        meter?: Meter,
      ) =>
        new WriteBatcher(database, writer, {
          busy: () => throttle.writing(),
          committed: (newest) => changeLog.notify(newest),
          ...(meter && writeMetrics(meter)),
        }),
      inject: [
        Database,
        ProposalWriter,
        ChangeLogSupervisor,
        BackgroundThrottle,
        { token: Meter, optional: true },
      ],
    },
    {
      provide: IngestService,
      useFactory: (model: Model, writer: ProposalWriter, batcher: WriteBatcher) =>
        new IngestService(model, writer, batcher),
      inject: [Model, ProposalWriter, WriteBatcher],
    },
  ],
  exports: [IngestService, EditService, AssociationsService, ProposalParser, ChangeLogModule],
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
