export { CatchUp } from './catch-up.js';
export { ConsumerBacklog, type ConsumerLag } from './consumer-backlog.js';
export { ConsumerProgress } from './consumer-progress.js';
export { Courtesy } from './courtesy.js';
export { ofBatch, ofMany, ofOne } from './edits/association-request.js';
export { type AssociationKind } from './edits/association.js';
export { AssociationsService } from './edits/associations.service.js';
export { deprecationOf, type DeprecationRequest } from './edits/deprecation.js';
export { EditService, refuseMissing, type AspectEdit, type Mention } from './edits/edit.service.js';
export { OWNER_TYPES, OwnerRules, type OwnerRequest } from './edits/owner-rules.js';
export { madeBy, withOwners, withoutOwners, type Owner } from './edits/owners.js';
export {
  refuseEmpty,
  columnsEdit,
  readResource,
  type EditedColumn,
  type Resource,
  type ResourceInput,
} from './edits/resource.js';
export { IngestModule } from './ingest.module.js';
export { IngestService } from './ingest.service.js';
export { LogFollower } from './log-follower.js';
export { Portions } from './portions.js';
export { ProposalParser } from './proposal-parser.js';
export { parseSystemMetadata } from './system-metadata-parser.js';
export { edgesOf, type Edge } from './write/edges.js';
export { NO_RUN_ID } from './write/system-metadata.js';
export { proposalSchema } from './proposal.schemas.js';
