import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/index.js';
import { LineageProposals } from './lineage-proposals.js';
import { OpenlineageController } from './openlineage.controller.js';

/** Needs the global provider Model. */
@Module({
  imports: [IngestModule],
  controllers: [OpenlineageController],
  providers: [LineageProposals],
})
export class OpenlineageModule {}
