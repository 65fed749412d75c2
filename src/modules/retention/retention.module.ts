import { Module } from '@nestjs/common';
import { RetentionActions } from './retention.actions.js';
import { RetentionRepository } from './retention.repository.js';
import { RetentionService } from './retention.service.js';

/** Removes earlier versions and events that retention no longer keeps. Needs the global providers Database and Meter. */
@Module({ providers: [RetentionActions, RetentionRepository, RetentionService] })
export class RetentionModule {}
