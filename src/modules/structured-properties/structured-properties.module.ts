import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/index.js';
import { ShippedTypes } from './shipped-types.js';

/** Structured properties: their aspects (`models/`) and the types that definitions build on. */
@Module({ imports: [IngestModule], providers: [ShippedTypes] })
export class StructuredPropertiesModule {}
