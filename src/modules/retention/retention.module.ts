import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RetentionActions } from './retention.actions.js';
import { EntitiesModule } from '../entities/index.js';
import { RetentionService } from './retention.service.js';

/** Removes earlier versions and events that retention no longer keeps. Asks each RetainedLog for a dry run. Needs the global providers Database and Meter. */
@Module({ imports: [DiscoveryModule, EntitiesModule], providers: [RetentionActions, RetentionService] })
export class RetentionModule {}
