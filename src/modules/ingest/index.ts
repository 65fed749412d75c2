export { type AspectEdit, type Mention } from './edits/aspect-edit.js';
export { ofBatch, ofMany, ofOne } from './edits/association-request.js';
export { type AssociationKind } from './edits/association.js';
export { AssociationsService } from './edits/associations.service.js';
export { ColumnEditor, type ColumnsEdit, type EditedColumn } from './edits/columns.js';
export { EdgeBackfill } from './edge-backfill.js';
export { EditService, refuseMissing } from './edits/edit.service.js';
export { merged } from './edits/merged.js';
export { withText, type TextPlace } from './edits/text-place.js';
export {
  readResource,
  refuseBlank,
  refuseEmpty,
  type Resource,
  type ResourceInput,
} from './edits/resource.js';
export { IngestModule } from './ingest.module.js';
export { IngestService } from './ingest.service.js';
export { METADATA_SCHEMAS } from './metadata.schemas.js';
export { PATCH_SCHEMAS } from './patch/patch.schemas.js';
export { ProposalParser } from './proposal-parser.js';
export { refuseTwice } from './refuse-twice.js';
export { parseSystemMetadata } from './system-metadata-parser.js';
export { type CleanupState, ReferenceCleanupRow } from './entities/reference-cleanup.row.js';
export { CleanupRepository } from './write/cleanup.repository.js';
export { diffEdges, edgesOf, type Edge } from './write/edges.js';
export { valueOf, type AspectVersion, type Head } from './write/head.js';
export { UnitOfWork } from './write/unit-of-work.js';
export { NO_RUN_ID } from './write/system-metadata.js';
export { proposalExample, proposalSchema } from './proposal.schemas.js';
