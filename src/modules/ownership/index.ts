export { OWNER_TYPES, OwnerRules, type OwnerRequest } from './owner-rules.js';
export { madeBy } from './owners.js';
export { OwnershipModule } from './ownership.module.js';
