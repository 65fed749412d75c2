import { Module } from '@nestjs/common';
import { SchemaColumnsPolicy } from './schema-columns.policy.js';

/** Datasets: their aspects (`models/`) and the rules of their columns. */
@Module({ providers: [SchemaColumnsPolicy] })
export class DatasetsModule {}
