import { Module } from '@nestjs/common';
import { OpenapiModule } from '../openapi/index.js';
import { EdgeWalkRepository } from './edge-walk.repository.js';
import { EdgeWalkService } from './edge-walk.service.js';
import { RelationshipRepository } from './relationship.repository.js';
import { RelationshipsController } from './relationships.controller.js';
import {
  LineageOpenapiController,
  RelationshipsOpenapiController,
} from './relationships.openapi.controller.js';
import { RelationshipsService } from './relationships.service.js';

/** Needs the global providers Database and Model. */
@Module({
  imports: [OpenapiModule],
  controllers: [RelationshipsController, RelationshipsOpenapiController, LineageOpenapiController],
  providers: [RelationshipRepository, RelationshipsService, EdgeWalkRepository, EdgeWalkService],
  exports: [RelationshipsService],
})
export class RelationshipsModule {}
