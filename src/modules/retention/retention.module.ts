import { Module } from '@nestjs/common';
import { RetentionActions } from './retention.actions.js';
import { EntitiesModule } from '../entities/index.js';
import { RetentionService } from './retention.service.js';

/** Removes earlier versions and events that retention no longer keeps. Needs the global providers Database and Meter. */
@Module({ imports: [EntitiesModule], providers: [RetentionActions, RetentionService] })
export class RetentionModule {}
