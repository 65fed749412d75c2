export { LevelListsService } from './level-lists.service.js';
export { DOMAIN, NODE, TERM, type TreeKind } from './tree-kinds.js';
export { refTo, TreeService, type EntryRef } from './tree.service.js';
export { TreesModule } from './trees.module.js';
