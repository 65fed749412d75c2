export type { ClaimRow } from './store/claim.row.js';
export type { DeletedAspectRow } from './store/deleted-aspect.row.js';
export * from './store/stored-keys.js';
export * from './store/stored-pages.js';
