import { Module } from '@nestjs/common';
import { ExportController } from './export.controller.js';
import { ExportService } from './export.service.js';

/** Takes the catalog out as a file. Needs the global providers Database, Model and MODEL_DIGEST. */
@Module({ controllers: [ExportController], providers: [ExportService] })
export class TransferModule {}
