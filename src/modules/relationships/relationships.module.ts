import { Module } from '@nestjs/common';
import { RelationshipRepository } from './relationship.repository.js';
import { RelationshipsController } from './relationships.controller.js';
import { RelationshipsService } from './relationships.service.js';

/** Needs the global provider Database. */
@Module({
  controllers: [RelationshipsController],
  providers: [RelationshipRepository, RelationshipsService],
  exports: [RelationshipsService],
})
export class RelationshipsModule {}
