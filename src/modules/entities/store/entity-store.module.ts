import { Module } from '@nestjs/common';
import { EntityStateReader } from '../../../catalog/store/index.js';
import { AspectValueRepository } from './aspect-values.repository.js';
import { ChildRepository } from './children.repository.js';
import { EdgeWalkRepository } from './edge-walk.repository.js';
import { EdgeRepository } from './edges.repository.js';
import { EntityStateRepository } from './entity-state.repository.js';
import { EventTruncationRepository } from './event-truncation.repository.js';
import { EventWalkRepository } from './event-walk.repository.js';
import { EventRepository } from './events.repository.js';
import { HeadRepository } from './heads.repository.js';
import { KeptVersionRepository } from './kept-versions.repository.js';
import { NeighbourRepository } from './neighbours.repository.js';
import { ReferenceRepository } from './references.repository.js';
import { RunRepository } from './runs.repository.js';
import { SelectionRepository } from './selection.repository.js';
import { StoredRowRepository } from './stored-rows.repository.js';

const REPOSITORIES = [
  AspectValueRepository,
  ChildRepository,
  EdgeRepository,
  EdgeWalkRepository,
  EntityStateRepository,
  EventRepository,
  EventTruncationRepository,
  EventWalkRepository,
  HeadRepository,
  KeptVersionRepository,
  NeighbourRepository,
  ReferenceRepository,
  RunRepository,
  SelectionRepository,
  StoredRowRepository,
];

/**
 * The tables that entities are stored in, and all that reads them beside the write path: heads, values, edges, events. See
 * docs/adr/0052-tables-have-owners.md. Needs the global provider Database.
 */
@Module({
  providers: [...REPOSITORIES, { provide: EntityStateReader, useExisting: EntityStateRepository }],
  exports: [...REPOSITORIES, EntityStateReader],
})
export class EntityStoreModule {}
