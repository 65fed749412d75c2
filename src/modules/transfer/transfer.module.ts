import { Module } from '@nestjs/common';
import { SearchModule } from '../search/index.js';
import { ExportController } from './export.controller.js';
import { ExportService } from './export.service.js';

/** Takes the catalog out as a file. Needs the global providers Database, Model and MODEL_DIGEST. */
@Module({ imports: [SearchModule], controllers: [ExportController], providers: [ExportService] })
export class TransferModule {}
